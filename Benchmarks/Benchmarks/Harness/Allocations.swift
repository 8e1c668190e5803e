import AllocationCounter

/// Counts allocations, where the system lets it.
enum Allocations {
    /// The allocations of one call, on average; nil where they cannot be counted.
    static func count<Value>(calls: Int, of work: @Sendable () async throws -> Value) async throws -> Double? {
        guard allocation_counter_is_available() else { return nil }
        allocation_counter_start()
        defer { _ = allocation_counter_stop() }
        for _ in 0..<calls { _ = try await work() }
        return Double(allocation_counter_stop().count) / Double(calls)
    }

    /// How many allocations work makes, and how many bytes more than before there are on the heap when they are the
    /// most, its result among them; nil where they cannot be counted.
    static func footprint<Value>(of work: () throws -> Value) rethrows -> (count: Double, peak: Double?)? {
        guard allocation_counter_is_available() else { return nil }
        allocation_counter_start()
        defer { _ = allocation_counter_stop() }
        let result = try work()
        let total = allocation_counter_stop()
        return withExtendedLifetime(result) {
            (Double(total.count), allocation_counter_knows_peak() ? Double(total.peak) : nil)
        }
    }
}
