/// One way to do the task of a case.
package struct Subject: Sendable {
    /// The name in the report.
    package let name: String

    /// The function that does the task once, and returns its outcome, which is the same for all subjects of a case.
    package let result: @Sendable () async throws -> any Equatable & Sendable

    /// The function that measures one round.
    package let measure: @Sendable () async throws -> [Reading]

    package init(
        _ name: String,
        result: @escaping @Sendable () async throws -> any Equatable & Sendable,
        measure: @escaping @Sendable () async throws -> [Reading]
    ) {
        self.name = name
        self.result = result
        self.measure = measure
    }
}
