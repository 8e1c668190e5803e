import Foundation

/// A document, generated or read on first use.
package typealias Document = Once<Data>

extension Subject {
    /// Creates a subject that repeatedly decodes a document, and derives its result from the decoded value.
    package init<Value>(
        _ name: String,
        decoding document: Document,
        with instruments: Instruments,
        by decode: @escaping @Sendable (Data) throws -> Value,
        result: @escaping @Sendable (Value) -> any Equatable & Sendable
    ) {
        self.init(name, decoding: document, with: instruments, by: decode) { result(try decode($0)) }
    }

    /// Creates a subject that repeatedly decodes a document.
    ///
    /// - Parameters:
    ///   - name: the name in the report.
    ///   - document: the document.
    ///   - instruments: the clock and the allocation counter.
    ///   - decode: the work to measure.
    ///   - outcome: a closure that returns the result, for comparison with other subjects.
    package init<Value>(
        _ name: String,
        decoding document: Document,
        with instruments: Instruments,
        by decode: @escaping @Sendable (Data) throws -> Value,
        outcome: @escaping @Sendable (Data) throws -> any Equatable & Sendable
    ) {
        let footprint = Once<Footprint?> {
            let data = try await document.value
            return try await instruments.allocations? { _ = try decode(data) }
        }
        self.init(name, result: { try outcome(try await document.value) }) {
            let time = try await DecodingTimer(instruments: instruments)
                .readings(of: try await document.value) { data, count in
                    var results: [Value] = []
                    results.reserveCapacity(count)
                    for _ in 0..<count { results.append(try decode(data)) }
                    return results
                }
            guard instruments.allocations != nil else { return time }
            let footprint = try await footprint.value
            return time + [
                Reading(metric: .allocations, value: footprint?.allocations),
                Reading(metric: .peakKilobytes, value: footprint?.peak.map { $0 / 1000 }),
                Reading(metric: .keptKilobytes, value: footprint?.retained.map { $0 / 1000 }),
            ]
        }
    }

    /// Creates a subject that reads the list in a document element by element.
    ///
    /// Allocations are not counted, because the work runs on several threads.
    ///
    /// - Parameters:
    ///   - name: the name in the report.
    ///   - document: the document.
    ///   - instruments: the clock.
    ///   - count: the work to measure, which reads all elements and returns their count.
    ///   - outcome: a closure that returns the result, for comparison with other subjects.
    init(
        _ name: String,
        streaming document: Document,
        with instruments: Instruments,
        counting count: @escaping @Sendable (Data) async throws -> Int,
        outcome: @escaping @Sendable (Data) async throws -> any Equatable & Sendable
    ) {
        self.init(name, result: { try await outcome(try await document.value) }) {
            try await DecodingTimer(instruments: instruments)
                .readings(of: try await document.value) { data, repetitions in
                    var elements = 0
                    for _ in 0..<repetitions { elements += try await count(data) }
                    return elements
                }
        }
    }
}

/// A timer for decoding.
struct DecodingTimer: Sendable {
    /// The minimum duration of a round, in seconds.
    private static let minimumRoundDuration = 0.01

    /// The maximum numbers of bytes decoded and results kept between two clock readings.
    private static let maximumBatch = (bytes: 262_144, results: 64)

    let instruments: Instruments

    /// Returns the readings for decoding a document once.
    ///
    /// Results are kept until the clock has been read, because freeing them is not part of decoding.
    ///
    /// - Parameters:
    ///   - data: the document.
    ///   - decode: a closure that decodes the document a given number of times and returns the results.
    /// - Returns: the readings.
    /// - Throws: the decoder's error.
    func readings<Results>(of data: Data, _ decode: (Data, Int) async throws -> Results) async throws -> [Reading] {
        let count = max(1, min(Self.maximumBatch.results, Self.maximumBatch.bytes / max(1, data.count)))
        var (wall, processor, calls) = (0.0, 0.0, 0.0)
        while wall < Self.minimumRoundDuration {
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

extension Metric {
    /// The wall-clock time of one decoding, in milliseconds.
    package static let milliseconds = Metric(name: "ms", decimals: 4)

    /// Millions of document bytes per second of wall-clock time.
    package static let megabytesPerSecond = Metric(name: "MB/s", decimals: 1)

    /// The processor time of one decoding, in milliseconds.
    package static let processorMilliseconds = Metric(name: "processor ms", decimals: 4)

    /// The number of allocated heap blocks.
    package static let allocations = Metric(name: "allocations", decimals: 0)

    /// The peak heap usage, excluding the document, in thousands of bytes.
    package static let peakKilobytes = Metric(name: "peak kB", decimals: 1)

    /// The heap memory retained by the decoder after its result is freed, in thousands of bytes.
    package static let keptKilobytes = Metric(name: "kept kB", decimals: 1)
}

/// A value created on first use.
package actor Once<Value: Sendable> {
    private let make: @Sendable () async throws -> Value
    private var made: Value?

    package init(_ make: @escaping @Sendable () async throws -> Value) { self.make = make }

    /// The value.
    ///
    /// If creating it throws an error, the next access tries again.
    package var value: Value {
        get async throws {
            if let made { return made }
            let value = try await make()
            made = value
            return value
        }
    }
}
