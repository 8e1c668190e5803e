/// One way to do the job of a case.
struct Subject: Sendable {
    /// What it is called.
    let name: String

    /// Does the job once, and returns what comes out of it: the same for all subjects of a case.
    let result: @Sendable () async throws -> any Hashable & Sendable

    /// Measures one round.
    let measure: @Sendable () async throws -> [Reading]

    init(
        _ name: String,
        result: @escaping @Sendable () async throws -> any Hashable & Sendable,
        measure: @escaping @Sendable () async throws -> [Reading]
    ) {
        self.name = name
        self.result = result
        self.measure = measure
    }
}
