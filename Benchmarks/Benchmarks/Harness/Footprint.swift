import AllocationCounter

/// What one piece of work needs of the heap.
struct Footprint: Sendable {
    /// How many blocks it allocates when it was done before, on the same thread.
    let allocations: Double

    /// How many bytes more than before there are when they are the most, its result among them; nil where that cannot
    /// be known.
    ///
    /// It is that of a thread which has not done the work before, so that what was left over for later is counted.
    let peak: Double?

    /// How many bytes are left over when the result is gone, on the same thread; nil where that cannot be known.
    let rest: Double?

    /// Does the work three times; nil where allocations cannot be counted.
    init?<Value>(of work: @escaping @Sendable () throws -> Value) async throws {
        guard allocation_counter_is_available() else { return nil }
        let totals = try await OwnThread.run {
            let first = try Self.total { _ = try work() }
            _ = try work()
            return (first: first, later: try Self.total { _ = try work() })
        }
        allocations = Double(totals.later.count)
        let knowsPeak = allocation_counter_knows_peak()
        peak = knowsPeak ? Double(totals.first.peak) : nil
        rest = knowsPeak ? Double(totals.first.rest) : nil
    }

    private static func total(of work: () throws -> Void) rethrows -> allocation_counter_total {
        allocation_counter_start()
        defer { _ = allocation_counter_stop() }
        try work()
        return allocation_counter_stop()
    }
}
