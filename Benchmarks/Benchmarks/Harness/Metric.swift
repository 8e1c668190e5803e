/// A measured quantity with its unit.
struct Metric: Hashable, Sendable {
    /// The unit: `microseconds per call`.
    let name: String

    /// The number of decimals in the report.
    let decimals: Int
}

/// The values that one round measured; nil if the metric cannot be measured on this machine.
struct Reading: Sendable {
    let metric: Metric
    let value: Double?
}
