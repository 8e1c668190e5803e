import AllocationCounter

/// The counting of allocations, if the system allows it.
enum Allocations {
    /// Returns the average number of allocations of one call; nil if they cannot be counted.
    static func count<Value>(calls: Int, of work: @Sendable () async throws -> Value) async throws -> Double? {
        guard allocation_counter_is_available() else { return nil }
        allocation_counter_start()
        defer { _ = allocation_counter_stop() }
        for _ in 0..<calls { _ = try await work() }
        return Double(allocation_counter_stop().count) / Double(calls)
    }
}
