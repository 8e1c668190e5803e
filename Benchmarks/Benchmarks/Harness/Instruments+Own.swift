import AllocationCounter
import Foundation
import WaybillBenchmarking

extension Instruments {
    /// The suites' instruments: the system clocks and the allocation counter.
    static let ofThisProgram = Instruments(allocations: footprint)

    /// Measures the heap usage of a piece of work, by replacing the allocation functions.
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
            retained: knowsPeak ? Double(totals.first.rest) : nil
        )
    }

    private static func total(of work: () throws -> Void) rethrows -> allocation_counter_total {
        allocation_counter_start()
        defer { _ = allocation_counter_stop() }
        try work()
        return allocation_counter_stop()
    }
}

/// Allocation counting, where the system supports it.
enum Allocations {
    /// Returns the average number of allocations per call; nil if they cannot be counted.
    static func count<Value>(calls: Int, of work: @Sendable () async throws -> Value) async throws -> Double? {
        guard allocation_counter_is_available() else { return nil }
        allocation_counter_start()
        defer { _ = allocation_counter_stop() }
        for _ in 0..<calls { _ = try await work() }
        return Double(allocation_counter_stop().count) / Double(calls)
    }
}

extension TimeSpent {
    /// The current time, with the processor time of terminated child processes.
    ///
    /// Processor time advances in clock ticks, usually of 10 ms.
    static var byOtherPrograms: TimeSpent {
        var spent = tms()
        _ = times(&spent)
        return TimeSpent(processor: Double(spent.tms_cutime + spent.tms_cstime) / Double(sysconf(Int32(_SC_CLK_TCK))))
    }
}

/// A dedicated thread for work that blocks, or that must not reuse memory cached by an earlier thread.
enum OwnThread {
    /// Runs work on a new thread.
    static func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let thread = Thread { continuation.resume(with: Result { try work() }) }
            thread.stackSize = 8 << 20
            thread.start()
        }
    }
}
