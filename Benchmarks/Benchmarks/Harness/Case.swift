/// One job, and those who do it.
struct Case: Sendable {
    /// What the job is.
    let name: String

    /// Who does it; what the others need is told as a multiple of what the first one needs.
    let subjects: [Subject]

    init(_ name: String, _ subjects: [Subject]) {
        self.name = name
        self.subjects = subjects
    }
}
