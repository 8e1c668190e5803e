/// The idempotency key of the next call that is made with an endpoint.
///
/// Its plan shows the key, and the call takes it: what is planned and then sent has one key, and the call after it
/// another. It is an object, so that copies of an endpoint do not send the same key twice.
package final class NextIdempotencyKey: Sendable {
    private let key = Locked<String?>(nil)

    private init() {}

    /// Creates one for a call; nil if its method is idempotent, and if neither its client's settings nor the inner
    /// scopes declare a key.
    ///
    /// No initializer, since one that fails has allocated the object: most endpoints have no key.
    package static func make(for settings: Scope.Settings, _ inner: [Scope]) -> NextIdempotencyKey? {
        let method = inner.last { $0.route?.method != nil }?.route?.method ?? .get
        guard !method.isIdempotent else { return nil }
        let isDeclared =
            settings[IdempotencyKey.self]?.form != nil
            || inner.contains { $0.settings[IdempotencyKey.self]?.form != nil }
        return isDeclared ? NextIdempotencyKey() : nil
    }

    /// Returns the key that the next call takes.
    package func shown(_ randomSource: RandomSource) -> String {
        if let key = key.withLock({ $0 }) { return key }
        // Made outside of the lock: the random numbers may be an app's own.
        let new = IdempotencyKey.random(randomSource)
        return key.withLock { key in
            if key == nil { key = new }
            return key ?? new
        }
    }

    /// Takes the key for a call; nil if it has not been shown, and the call makes one of its own.
    package func taken() -> String? {
        key.withLock { key in
            defer { key = nil }
            return key
        }
    }
}
