/// Cases that are about one thing; it has a table of its own.
///
/// A suite joins by standing in ``all``.
struct Suite: Sendable {
    /// What it is called on the command line.
    let name: String

    /// What it measures, in a sentence.
    let summary: String

    /// How many rounds there are where the command line does not say.
    let rounds: Int

    /// What is told of its measurements.
    var report: @Sendable ([Measurement]) -> String = { Table($0).text }

    /// Draws its measurements, as SVG; nil where there is no picture of them.
    var chart: (@Sendable ([Measurement]) async throws -> String)?

    /// Makes the cases; throws ``Skip`` where they cannot be run on this machine.
    let cases: @Sendable () async throws -> [Case]

    /// Every suite, in the order in which they run.
    static let all: [Suite] = [.calls, .decoding, .transport, .compile, .resilience]
}

/// Why a suite is not run; it is told where its table would be.
struct Skip: Error, CustomStringConvertible {
    let description: String
}
