/// The runner of a suite's cases: it compares the results of all subjects, and then measures them round by round.
struct Runner: Sendable {
    /// The error of a case whose subjects have different results.
    struct Disagreement: Error, CustomStringConvertible {
        let description: String
    }

    let options: Options

    /// Measures a suite.
    ///
    /// Rounds are interleaved and each starts with another subject, so that changes in the machine's load affect all of
    /// them.
    ///
    /// - Throws: ``Skip``, ``Disagreement``, and the errors of subjects.
    func run(_ suite: Suite) async throws -> [Measurement] {
        var measurements: [Measurement] = []
        var rest = try await suite.cases(options)
        rest.reverse()
        // The memory of a case, such as its documents, is freed after it.
        while let each = rest.popLast() {
            let subjects = each.subjects.filter { options.selects("\(suite.name) \(each.name) \($0.name)") }
            guard !subjects.isEmpty else { continue }
            try await compareResults(of: each)
            var readings: [[[Reading]]] = subjects.map { _ in [] }
            for round in 0..<min(options.rounds ?? suite.rounds, each.mostRounds ?? .max) {
                for place in subjects.indices {
                    let turn = (place + round) % subjects.count
                    readings[turn].append(try await subjects[turn].measure())
                }
            }
            for (subject, rounds) in zip(subjects, readings) {
                measurements.append(
                    Measurement(suite: suite.name, caseName: each.name, subject: subject.name, rounds: rounds)
                )
            }
        }
        return measurements
    }

    private func compareResults(of each: Case) async throws {
        var first: (name: String, result: AnyHashable)?
        for subject in each.subjects {
            let result = AnyHashable(try await subject.result())
            if let first, first.result != result {
                let differing = Self.excerpts("\(first.result)", "\(result)")
                throw Disagreement(
                    description: """
                        \(each.name): the subjects do not come to the same result; nothing was measured
                          \(first.name): \(differing.0)
                          \(subject.name): \(differing.1)
                        """
                )
            }
            first = first ?? (subject.name, result)
        }
    }

    /// Returns two texts from shortly before their first difference.
    private static func excerpts(_ first: String, _ second: String) -> (String, String) {
        var alike = 0
        for (one, other) in zip(first.unicodeScalars, second.unicodeScalars) {
            guard one == other else { break }
            alike += 1
        }
        func excerpt(_ text: String) -> String {
            let start = max(0, alike - 200)
            let rest = text.unicodeScalars.dropFirst(start)
            let shown = rest.prefix(400)
            return (start > 0 ? "…" : "") + String(shown) + (shown.endIndex < rest.endIndex ? "…" : "")
        }
        return (excerpt(first), excerpt(second))
    }
}
