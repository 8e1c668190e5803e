/// A runner that compares the results of a case's subjects, then measures them in interleaved rounds.
package struct Runner: Sendable {
    /// The error thrown if a case's subjects produce different results.
    package struct Disagreement: Error, CustomStringConvertible {
        package let caseName: String
        package let first: String
        package let second: String
        package let difference: ResultDifference

        package var description: String {
            """
            \(caseName): the subjects produced different results; nothing was measured
            \(difference.text(first, second))
            """
        }
    }

    /// The name of the group of cases in the report.
    private let suite: String

    /// The number of rounds.
    private let rounds: Int

    /// A closure that returns whether to measure a subject of a case.
    private let selects: @Sendable (_ caseName: String, _ subject: String) -> Bool

    package init(
        suite: String,
        rounds: Int,
        selects: @escaping @Sendable (_ caseName: String, _ subject: String) -> Bool = { _, _ in true }
    ) {
        self.suite = suite
        self.rounds = rounds
        self.selects = selects
    }

    /// Measures cases.
    ///
    /// The rounds of a case's subjects are interleaved, each starting with a different subject, so that changes in the
    /// machine's load affect all subjects.
    ///
    /// - Throws: ``Disagreement``, `CancellationError`, or the error of a subject.
    package func run(_ cases: consuming [Case]) async throws -> [Measurement] {
        var measurements: [Measurement] = []
        cases.reverse()
        // Removes each case from the array, so its documents are freed after the measurement.
        while let each = cases.popLast() {
            let subjects = each.subjects.filter { selects(each.name, $0.name) }
            guard !subjects.isEmpty else { continue }
            try await Self.compareResults(of: each)
            var readings: [[[Reading]]] = subjects.map { _ in [] }
            for round in 0..<min(rounds, each.maximumRounds ?? .max) {
                for offset in subjects.indices {
                    try Task.checkCancellation()
                    let index = (offset + round) % subjects.count
                    readings[index].append(try await subjects[index].measure())
                }
            }
            for (subject, rounds) in zip(subjects, readings) {
                measurements.append(
                    Measurement(suite: suite, caseName: each.name, subject: subject.name, rounds: rounds)
                )
            }
        }
        return measurements
    }

    private static func compareResults(of each: Case) async throws {
        var first: (name: String, result: any Equatable & Sendable)?
        for subject in each.subjects {
            try Task.checkCancellation()
            let result = try await subject.result()
            guard let first else {
                first = (subject.name, result)
                continue
            }
            guard let difference = ResultDifference(first.result, result) else { continue }
            throw Disagreement(
                caseName: each.name,
                first: first.name,
                second: subject.name,
                difference: difference
            )
        }
    }
}

/// A task and the subjects that perform it.
package struct Case: Sendable {
    /// The name of the task.
    package let name: String

    /// The subjects, the first of which is the reference for relative values.
    package let subjects: [Subject]

    /// The maximum number of rounds; nil for no limit.
    package let maximumRounds: Int?

    package init(_ name: String, _ subjects: [Subject], rounds maximumRounds: Int? = nil) {
        self.name = name
        self.subjects = subjects
        self.maximumRounds = maximumRounds
    }
}

/// A measured implementation of a case's task.
package struct Subject: Sendable {
    /// The name in the report.
    package let name: String

    /// A closure that performs the task once and returns its result, which must be equal for all subjects of a case.
    package let result: @Sendable () async throws -> any Equatable & Sendable

    /// A closure that measures one round.
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
