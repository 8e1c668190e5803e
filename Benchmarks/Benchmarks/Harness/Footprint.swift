import AllocationCounter

/// The heap memory that a piece of work needs.
struct Footprint: Sendable {
    /// The number of blocks that it allocates on a thread that has done it before.
    let allocations: Double

    /// The peak of additional bytes, its result among them; nil if it cannot be known.
    ///
    /// It is measured on a thread that has not done the work before, so that memory that is kept for later counts.
    let peak: Double?

    /// The number of bytes that remain after the result is freed, on the same thread; nil if it cannot be known.
    let rest: Double?

    /// Does the work three times and measures it; nil if allocations cannot be counted.
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
