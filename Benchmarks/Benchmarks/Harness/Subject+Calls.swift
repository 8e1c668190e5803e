extension Metric {
    /// Time on the wall clock.
    static let microsecondsPerCall = Metric(name: "microseconds per call", decimals: 2)

    /// Time on processors.
    static let processorMicrosecondsPerCall = Metric(name: "processor microseconds per call", decimals: 2)

    /// Blocks of the heap, of all threads.
    static let allocationsPerCall = Metric(name: "allocations per call", decimals: 1)
}

extension Subject {
    /// How many seconds a round measures.
    private static let roundLength = 0.02

    /// How many calls are made to count allocations.
    private static let countedCalls = 16

    /// Work whose outcome can be compared as it is.
    init<Value: Hashable & Sendable>(_ name: String, calling work: @escaping @Sendable () async throws -> Value) {
        self.init(name, calling: work) { $0 }
    }

    /// Work that takes microseconds: a round repeats it for some time, and then counts its allocations.
    ///
    /// What is to be compared of its outcome is not part of the work.
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

    /// The time of one call, from ever more calls until they take long enough for the clocks.
    private static func time<Value>(
        of work: @Sendable () async throws -> Value
    ) async throws -> (wall: Double, processor: Double) {
        var calls = 1
        while true {
            let start = TimeSpent.byThisProgram
            for _ in 0..<calls { _ = try await work() }
            let time = TimeSpent.byThisProgram - start
            if time.wall >= roundLength { return (time.wall / Double(calls), time.processor / Double(calls)) }
            calls *= 2
        }
    }
}
