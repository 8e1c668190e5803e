extension Metric {
    /// Time on the wall clock.
    package static let milliseconds = Metric(name: "ms", decimals: 4)

    /// Millions of bytes of the document per second on the wall clock.
    package static let megabytesPerSecond = Metric(name: "MB/s", decimals: 1)

    /// Processor time.
    package static let processorMilliseconds = Metric(name: "processor ms", decimals: 4)

    /// The number of allocated heap blocks.
    package static let allocations = Metric(name: "allocations", decimals: 0)

    /// The peak of thousands of bytes on the heap, without the document.
    package static let peakKilobytes = Metric(name: "peak kB", decimals: 1)

    /// Thousands of bytes on the heap that a decoder keeps after its result is freed.
    package static let keptKilobytes = Metric(name: "kept kB", decimals: 1)
}
