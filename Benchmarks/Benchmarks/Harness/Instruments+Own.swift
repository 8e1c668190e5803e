import AllocationCounter
import WaybillBenchmarking

extension Instruments {
    /// The instruments of the suites: the clocks of the system, and the counting of allocations.
    static let ofThisProgram = Instruments(allocations: footprint)

    /// Measures the heap memory of a piece of work, by functions in place of those that allocate memory.
    private static func footprint(of work: @escaping @Sendable () throws -> Void) async throws -> Footprint? {
        guard allocation_counter_is_available() else { return nil }
        let totals = try await OwnThread.run {
            let first = try total(of: work)
            try work()
            return (first: first, later: try total(of: work))
        }
        let knowsPeak = allocation_counter_knows_peak()
        return Footprint(
            allocations: Double(totals.later.count),
            peak: knowsPeak ? Double(totals.first.peak) : nil,
            rest: knowsPeak ? Double(totals.first.rest) : nil
        )
    }

    private static func total(of work: () throws -> Void) rethrows -> allocation_counter_total {
        allocation_counter_start()
        defer { _ = allocation_counter_stop() }
        try work()
        return allocation_counter_stop()
    }
}
