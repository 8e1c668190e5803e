/// One way to do the task of a case.
struct Subject: Sendable {
    /// The name in the report.
    let name: String

    /// The function that does the task once, and returns its outcome, which is the same for all subjects of a case.
    let result: @Sendable () async throws -> any Hashable & Sendable

    /// The function that measures one round.
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
