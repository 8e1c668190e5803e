/// The heap memory that a piece of work needs.
package struct Footprint: Sendable {
    /// The number of blocks that it allocates on a thread that has done it before.
    package let allocations: Double

    /// The peak of additional bytes, its result among them; nil if it cannot be known.
    ///
    /// It is measured on a thread that has not done the work before, so that memory that is kept for later counts.
    package let peak: Double?

    /// The number of bytes that remain after the result is freed, on the same thread; nil if it cannot be known.
    package let rest: Double?

    package init(allocations: Double, peak: Double?, rest: Double?) {
        self.allocations = allocations
        self.peak = peak
        self.rest = rest
    }
}

/// A program's way to measure the heap memory of a piece of work.
///
/// Counting replaces the functions that allocate memory in the whole process. A library must not do that to the
/// programs that it is linked into, so the program that wants it supplies it.
package struct AllocationCounting: Sendable {
    /// The function that does the work, as often as it needs, and measures it; nil if allocations cannot be counted on
    /// this machine.
    package let footprint: @Sendable (_ work: @escaping @Sendable () throws -> Void) async throws -> Footprint?

    package init(
        _ footprint: @escaping @Sendable (_ work: @escaping @Sendable () throws -> Void) async throws -> Footprint?
    ) {
        self.footprint = footprint
    }
}
