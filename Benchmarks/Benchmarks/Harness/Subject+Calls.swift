extension Metric {
    /// Time on the wall clock.
    static let microsecondsPerCall = Metric(name: "microseconds per call", decimals: 2)

    /// Processor time.
    static let processorMicrosecondsPerCall = Metric(name: "processor microseconds per call", decimals: 2)

    /// The number of allocated heap blocks of all threads.
    static let allocationsPerCall = Metric(name: "allocations per call", decimals: 1)
}

extension Subject {
    /// The number of seconds that a round measures.
    private static let roundLength = 0.02

    /// The number of calls that are made to count allocations.
    private static let countedCalls = 16

    /// Creates a subject from work whose outcome can be compared as it is.
    init<Value: Hashable & Sendable>(_ name: String, calling work: @escaping @Sendable () async throws -> Value) {
        self.init(name, calling: work) { $0 }
    }

    /// Creates a subject from work that takes microseconds: a round repeats it for some time, and then counts its
    /// allocations.
    ///
    /// The conversion of its outcome for comparison is not part of the measured work.
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

    /// Returns the time of one call, by increasing the number of calls until they take long enough for the clocks.
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
