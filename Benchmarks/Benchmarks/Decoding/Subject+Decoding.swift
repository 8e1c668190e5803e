import Foundation

extension Metric {
    /// Time on the wall clock.
    static let milliseconds = Metric(name: "ms", decimals: 4)

    /// Millions of bytes of the document per second on the wall clock.
    static let megabytesPerSecond = Metric(name: "MB/s", decimals: 1)

    /// Processor time.
    static let processorMilliseconds = Metric(name: "processor ms", decimals: 4)

    /// The number of allocated heap blocks.
    static let allocations = Metric(name: "allocations", decimals: 0)

    /// The peak of thousands of bytes on the heap, without the document.
    static let peakKilobytes = Metric(name: "peak kB", decimals: 1)

    /// Thousands of bytes on the heap that a decoder keeps after its result is freed.
    static let keptKilobytes = Metric(name: "kept kB", decimals: 1)
}

extension Subject {
    /// The least number of seconds that a round measures.
    private static let roundLength = 0.01

    /// The number of bytes that are decoded between two readings of the clock, and of results that are kept until the
    /// second.
    private static let batch = (bytes: 262_144, results: 64)

    /// Creates a subject that decodes a document repeatedly, to a value that can be compared.
    init<Value: Hashable & Sendable>(
        _ name: String,
        decoding document: Document,
        by decode: @escaping @Sendable (Data) throws -> Value
    ) {
        self.init(name, decoding: document, by: decode, outcome: decode)
    }

    /// Creates a subject that decodes a document repeatedly, to a value of which something can be compared.
    init<Value>(
        _ name: String,
        decoding document: Document,
        by decode: @escaping @Sendable (Data) throws -> Value,
        result: @escaping @Sendable (Value) -> any Hashable & Sendable
    ) {
        self.init(name, decoding: document, by: decode) { result(try decode($0)) }
    }

    /// Creates a subject that decodes a document repeatedly.
    ///
    /// - Parameters:
    ///   - name: the name in the report.
    ///   - document: the document.
    ///   - decode: the measured work.
    ///   - outcome: does the same and returns what has to be the same for all subjects.
    init<Value>(
        _ name: String,
        decoding document: Document,
        by decode: @escaping @Sendable (Data) throws -> Value,
        outcome: @escaping @Sendable (Data) throws -> any Hashable & Sendable
    ) {
        let footprint = Once {
            let data = try await document.value
            return try await Footprint { try decode(data) }
        }
        self.init(name, result: { try outcome(try await document.value) }) {
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

    /// Returns the time of decoding once.
    ///
    /// Results are kept while time is measured and freed afterwards: freeing them is not the decoder's work.
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
