/// Something that is measured, with its unit.
struct Metric: Hashable, Sendable {
    /// The unit: `microseconds per call`.
    let name: String

    /// How many decimals are told.
    let decimals: Int
}

/// What one round measured; nil where the metric cannot be measured on this machine.
struct Reading: Sendable {
    let metric: Metric
    let value: Double?
}
