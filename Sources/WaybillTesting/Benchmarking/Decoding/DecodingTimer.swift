import Foundation

/// The measurement of the time that a decoding takes.
struct DecodingTimer: Sendable {
    /// The least number of seconds that a round measures.
    private static let roundLength = 0.01

    /// The number of bytes that are decoded between two readings of the clock, and of results that are kept until the
    /// second.
    private static let batch = (bytes: 262_144, results: 64)

    let instruments: Instruments

    /// Returns the readings of decoding a document once.
    ///
    /// Results are kept while time is measured and freed afterwards: freeing them is not the decoder's work.
    ///
    /// - Parameters:
    ///   - data: the document.
    ///   - decode: a closure that decodes it the given number of times, and returns the results.
    /// - Returns: the readings.
    /// - Throws: the decoder's error.
    func readings<Results>(of data: Data, _ decode: (Data, Int) async throws -> Results) async throws -> [Reading] {
        let count = max(1, min(Self.batch.results, Self.batch.bytes / max(1, data.count)))
        var (wall, processor, calls) = (0.0, 0.0, 0.0)
        while wall < Self.roundLength {
            let start = instruments.now()
            let results = try await decode(data, count)
            let time = instruments.now() - start
            withExtendedLifetime(results) {}
            wall += time.wall
            processor += time.processor
            calls += Double(count)
        }
        return [
            Reading(metric: .milliseconds, value: wall / calls * 1000),
            Reading(metric: .megabytesPerSecond, value: Double(data.count) * calls / wall / 1_000_000),
            Reading(metric: .processorMilliseconds, value: processor / calls * 1000),
        ]
    }
}
