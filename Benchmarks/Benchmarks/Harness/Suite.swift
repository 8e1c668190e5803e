import WaybillBenchmarking

/// A group of cases with a separate report.
///
/// To add a suite, add it to ``all``.
struct Suite: Sendable {
    /// The name on the command line.
    let name: String

    /// A phrase that describes the measurement.
    let summary: String

    /// The number of rounds, unless the command line overrides it.
    let rounds: Int

    /// A function that formats the measurements.
    var report: @Sendable ([Measurement]) -> String = { Table($0).text }

    /// A function that returns warnings about the measurements; none for deterministic figures.
    var warnings: @Sendable ([Measurement], _ minimumRounds: Int) -> [String] = {
        NoiseWarnings.all($0, minimumRounds: $1)
    }

    /// A function that draws the measurements as SVG; nil if the suite has no chart.
    var chart: (@Sendable ([Measurement]) async throws -> String)?

    /// A function that creates the cases; throws ``Skip`` if they cannot run on this machine.
    let cases: @Sendable (Options) async throws -> [Case]

    /// All suites, in running order.
    static let all: [Suite] = [
        .calls, .decoding, .encoding, .safeMode, .transport, .start, .compile, .weight, .resilience, .streams, .store,
    ]
}

/// The reason for skipping a suite, printed in place of its table.
struct Skip: Error, CustomStringConvertible {
    let description: String
}

extension Runner {
    /// Measures the cases and subjects of a suite that the command line selects.
    ///
    /// - Throws: ``Skip``, `Disagreement`, or the error of a subject.
    static func run(_ suite: Suite, _ options: Options) async throws -> [Measurement] {
        let runner = Runner(suite: suite.name, rounds: options.rounds ?? suite.rounds) { caseName, subject in
            options.selects("\(suite.name) \(caseName) \(subject)")
        }
        return try await runner.run(try await suite.cases(options))
    }
}
