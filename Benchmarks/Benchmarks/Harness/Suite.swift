import WaybillBenchmarking

/// A group of cases with a table of its own.
///
/// To add a suite, add it to ``all``.
struct Suite: Sendable {
    /// The name on the command line.
    let name: String

    /// The measured subject, in a sentence.
    let summary: String

    /// The number of rounds unless the command line sets it.
    let rounds: Int

    /// The report of its measurements.
    var report: @Sendable ([Measurement]) -> String = { Table($0).text }

    /// The function that returns the warnings about its measurements; none for figures that are the same in every run.
    var warnings: @Sendable ([Measurement], _ minimumRounds: Int) -> [String] = {
        NoiseWarnings.all($0, minimumRounds: $1)
    }

    /// The function that draws its measurements, as SVG; nil if there is no chart of them.
    var chart: (@Sendable ([Measurement]) async throws -> String)?

    /// The function that creates the cases; it throws ``Skip`` if they cannot be run on this machine.
    let cases: @Sendable (Options) async throws -> [Case]

    /// Every suite, in the order in which they run.
    static let all: [Suite] = [
        .calls, .decoding, .encoding, .safeMode, .transport, .start, .compile, .weight, .resilience, .streams, .store,
    ]
}

/// The reason why a suite is not run, which is printed in place of its table.
struct Skip: Error, CustomStringConvertible {
    let description: String
}

extension Runner {
    /// Measures a suite, as far as the command line selects its cases.
    ///
    /// - Throws: ``Skip``, `Disagreement`, and the errors of subjects.
    static func run(_ suite: Suite, _ options: Options) async throws -> [Measurement] {
        let runner = Runner(suite: suite.name, rounds: options.rounds ?? suite.rounds) { caseName, subject in
            options.selects("\(suite.name) \(caseName) \(subject)")
        }
        return try await runner.run(try await suite.cases(options))
    }
}
