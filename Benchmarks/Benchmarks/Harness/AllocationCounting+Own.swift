import AllocationCounter
import WaybillBenchmarking

extension AllocationCounting {
    /// The counting of this program, which replaces the functions that allocate memory.
    static let ofThisProgram = AllocationCounting { work in
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

extension Instruments {
    /// The instruments of the suites: the clocks of the system, and the counting of allocations.
    static let ofThisProgram = Instruments(allocations: .ofThisProgram)
}
