/// One job, and those who do it.
struct Case: Sendable {
    /// What the job is.
    let name: String

    /// Who does it; what the others need is told as a multiple of what the first one needs.
    let subjects: [Subject]

    /// How many rounds there are at most; nil where one takes little time.
    let mostRounds: Int?

    init(_ name: String, _ subjects: [Subject], rounds mostRounds: Int? = nil) {
        self.name = name
        self.subjects = subjects
        self.mostRounds = mostRounds
    }
}
