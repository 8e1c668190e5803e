/// The instruments of a measurement.
package struct Instruments: Sendable {
    /// The clock.
    package let now: @Sendable () -> TimeSpent

    /// The counting of allocations; nil if they are not measured.
    package let allocations: AllocationCounting?

    package init(
        now: @escaping @Sendable () -> TimeSpent = { .byThisProgram },
        allocations: AllocationCounting? = nil
    ) {
        self.now = now
        self.allocations = allocations
    }
}
