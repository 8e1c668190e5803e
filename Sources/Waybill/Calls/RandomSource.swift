/// The source of random numbers for retry jitter and keys: a generator that the calls of a client share.
package struct RandomSource: Sendable {
    private let bits: @Sendable () -> UInt64

    private init(bits: @escaping @Sendable () -> UInt64) { self.bits = bits }

    /// Shares a generator.
    ///
    /// Its `next()` changes it, so that it runs under a lock: the only code of an app that does.
    package init(_ generator: some RandomNumberGenerator & Sendable) {
        // That of the system has no state to protect.
        guard !(generator is SystemRandomNumberGenerator) else {
            self = .system
            return
        }
        let shared = Locked(generator)
        bits = { shared.withLock { $0.next() } }
    }

    /// The random number generator of the system, whose numbers cannot be predicted.
    package static let system = RandomSource(bits: { .random(in: .min ... .max) })

    /// Returns 64 random bits.
    package func next() -> UInt64 { bits() }

    /// A random number from 0 up to, and not including, 1.
    package var fraction: Double { Double(next() >> 11) * 0x1p-53 }
}
