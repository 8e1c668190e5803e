/// One task, and the subjects that do it.
package struct Case: Sendable {
    /// The name of the task.
    package let name: String

    /// The subjects; the others' values are reported as multiples of the first one's.
    package let subjects: [Subject]

    /// The largest number of rounds; nil if a round takes little time.
    package let mostRounds: Int?

    package init(_ name: String, _ subjects: [Subject], rounds mostRounds: Int? = nil) {
        self.name = name
        self.subjects = subjects
        self.mostRounds = mostRounds
    }
}
