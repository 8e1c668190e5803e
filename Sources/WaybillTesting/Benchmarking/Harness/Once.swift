/// A value that is created at its first use, and kept.
package actor Once<Value: Sendable> {
    private let make: @Sendable () async throws -> Value
    private var made: Value?

    package init(_ make: @escaping @Sendable () async throws -> Value) { self.make = make }

    /// The value; throws the errors of its creation.
    package var value: Value {
        get async throws {
            if let made { return made }
            let value = try await make()
            made = value
            return value
        }
    }
}
