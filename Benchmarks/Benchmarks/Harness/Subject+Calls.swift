extension Metric {
    /// Wall-clock time per call.
    static let microsecondsPerCall = Metric(name: "microseconds per call", decimals: 2)

    /// Processor time per call.
    static let processorMicrosecondsPerCall = Metric(name: "processor microseconds per call", decimals: 2)

    /// The number of heap blocks allocated per call, on all threads.
    static let allocationsPerCall = Metric(name: "allocations per call", decimals: 1)
}

extension Subject {
    /// The minimum duration of a round, in seconds.
    private static let roundLength = 0.02

    /// The number of calls over which allocations are averaged.
    private static let countedCalls = 16

    /// Creates a subject from work whose result is directly comparable.
    init<Value: Hashable & Sendable>(_ name: String, calling work: @escaping @Sendable () async throws -> Value) {
        self.init(name, calling: work) { $0 }
    }

    /// Creates a subject from work that takes microseconds: each round repeats it, then counts its allocations.
    ///
    /// Converting the result for comparison is not part of the measured work.
    init<Value>(
        _ name: String,
        calling work: @escaping @Sendable () async throws -> Value,
        comparing result: @escaping @Sendable (Value) throws -> any Hashable & Sendable
    ) {
        self.init(name, result: { try result(try await work()) }) {
            let time = try await Self.time(of: work)
            let allocations = try await Allocations.count(calls: Self.countedCalls, of: work)
            return [
                Reading(metric: .microsecondsPerCall, value: time.wall * 1_000_000),
                Reading(metric: .processorMicrosecondsPerCall, value: time.processor * 1_000_000),
                Reading(metric: .allocationsPerCall, value: allocations),
            ]
        }
    }

    /// Returns the time of one call, doubling the number of calls until they take long enough to measure.
    private static func time<Value>(
        of work: @Sendable () async throws -> Value
    ) async throws -> (wall: Double, processor: Double) {
        var calls = 1
        while true {
            let start = TimeSpent.now
            for _ in 0..<calls { _ = try await work() }
            let time = TimeSpent.now - start
            if time.wall >= roundLength { return (time.wall / Double(calls), time.processor / Double(calls)) }
            calls *= 2
        }
    }
}
