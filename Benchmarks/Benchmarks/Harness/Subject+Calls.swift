extension Metric {
    /// Time on the wall clock.
    static let microsecondsPerCall = Metric(name: "microseconds per call", decimals: 2)

    /// Blocks of the heap, of all threads.
    static let allocationsPerCall = Metric(name: "allocations per call", decimals: 1)
}

extension Subject {
    /// How long a round measures.
    private static let roundLength = Duration.milliseconds(20)

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
            [
                Reading(metric: .microsecondsPerCall, value: try await Self.microseconds(of: work)),
                Reading(
                    metric: .allocationsPerCall,
                    value: try await Allocations.count(calls: Self.countedCalls, of: work)
                ),
            ]
        }
    }

    /// The time of one call, from ever more calls until they take long enough for the clock.
    private static func microseconds<Value>(of work: @Sendable () async throws -> Value) async throws -> Double {
        let clock = ContinuousClock()
        var calls = 1
        while true {
            let start = clock.now
            for _ in 0..<calls { _ = try await work() }
            let time = start.duration(to: clock.now)
            if time >= roundLength { return time.seconds * 1_000_000 / Double(calls) }
            calls *= 2
        }
    }
}
