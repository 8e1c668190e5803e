import Foundation

/// A document that is generated or read when a case first needs it.
package typealias Document = Once<Data>

extension Subject {
    /// Creates a subject that decodes a document repeatedly, to a value of which something can be compared.
    package init<Value>(
        _ name: String,
        decoding document: Document,
        with instruments: Instruments,
        by decode: @escaping @Sendable (Data) throws -> Value,
        result: @escaping @Sendable (Value) -> any Equatable & Sendable
    ) {
        self.init(name, decoding: document, with: instruments, by: decode) { result(try decode($0)) }
    }

    /// Creates a subject that decodes a document repeatedly.
    ///
    /// - Parameters:
    ///   - name: the name in the report.
    ///   - document: the document.
    ///   - instruments: the clock, and the counting of allocations.
    ///   - decode: the measured work.
    ///   - outcome: a closure that returns the result with which the subjects are compared.
    package init<Value>(
        _ name: String,
        decoding document: Document,
        with instruments: Instruments,
        by decode: @escaping @Sendable (Data) throws -> Value,
        outcome: @escaping @Sendable (Data) throws -> any Equatable & Sendable
    ) {
        let footprint = Once<Footprint?> {
            let data = try await document.value
            return try await instruments.allocations?.footprint { _ = try decode(data) }
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
                Reading(metric: .keptKilobytes, value: footprint?.rest.map { $0 / 1000 }),
            ]
        }
    }

    /// Creates a subject that reads the elements of a document's list one by one.
    ///
    /// Its allocations are not counted, because its work is done by several threads.
    ///
    /// - Parameters:
    ///   - name: the name in the report.
    ///   - document: the document.
    ///   - instruments: the clock.
    ///   - count: the measured work: it reads all elements and returns their number.
    ///   - outcome: a closure that returns the result with which the subjects are compared.
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
