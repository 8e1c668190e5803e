import Foundation

extension Metric {
    /// Time on the wall clock.
    static let milliseconds = Metric(name: "ms", decimals: 4)

    /// Bytes of the document, in millions, for each second on the wall clock.
    static let megabytesPerSecond = Metric(name: "MB/s", decimals: 1)

    /// Time on processors.
    static let processorMilliseconds = Metric(name: "processor ms", decimals: 4)

    /// Blocks of the heap.
    static let allocations = Metric(name: "allocations", decimals: 0)

    /// Thousands of bytes on the heap, beside the document, when they are the most.
    static let peakKilobytes = Metric(name: "peak kB", decimals: 1)

    /// Thousands of bytes on the heap that a decoder keeps when the result is gone.
    static let keptKilobytes = Metric(name: "kept kB", decimals: 1)
}

extension Subject {
    /// How many seconds a round measures at least.
    private static let roundLength = 0.01

    /// How many bytes are decoded between two looks at the clock, and how many results are kept until the second.
    private static let batch = (bytes: 262_144, results: 64)

    /// Decodes a document again and again.
    init<Value: Hashable & Sendable>(
        _ name: String,
        decoding document: Document,
        by decode: @escaping @Sendable (Data) throws -> Value
    ) {
        let footprint = Once {
            let data = try await document.value
            return try await Footprint { try decode(data) }
        }
        self.init(name, result: { try decode(try await document.value) }) {
            let data = try await document.value
            let time = try Self.time(of: decode, data)
            let footprint = try await footprint.value
            return [
                Reading(metric: .milliseconds, value: time.wall * 1000),
                Reading(metric: .megabytesPerSecond, value: Double(data.count) / time.wall / 1_000_000),
                Reading(metric: .processorMilliseconds, value: time.processor * 1000),
                Reading(metric: .allocations, value: footprint?.allocations),
                Reading(metric: .peakKilobytes, value: footprint?.peak.map { $0 / 1000 }),
                Reading(metric: .keptKilobytes, value: footprint?.rest.map { $0 / 1000 }),
            ]
        }
    }

    /// The time of decoding once.
    ///
    /// Results are kept while the clock runs and freed while it stands: freeing them is not the decoder's work.
    private static func time<Value>(
        of decode: (Data) throws -> Value,
        _ data: Data
    ) throws -> (wall: Double, processor: Double) {
        let count = max(1, min(batch.results, batch.bytes / max(1, data.count)))
        var results: [Value] = []
        results.reserveCapacity(count)
        var (wall, processor, calls) = (0.0, 0.0, 0.0)
        while wall < roundLength {
            let start = TimeSpent.byThisProgram
            for _ in 0..<count { results.append(try decode(data)) }
            let time = TimeSpent.byThisProgram - start
            results.removeAll(keepingCapacity: true)
            wall += time.wall
            processor += time.processor
            calls += Double(count)
        }
        return (wall / calls, processor / calls)
    }
}
