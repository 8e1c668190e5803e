/// A measured quantity with its unit.
package struct Metric: Hashable, Sendable {
    /// The unit: `microseconds per call`.
    package let name: String

    /// The number of decimals in the report.
    package let decimals: Int

    package init(name: String, decimals: Int) {
        self.name = name
        self.decimals = decimals
    }
}

/// The values that one round measured; nil if the metric cannot be measured on this machine.
package struct Reading: Sendable {
    package let metric: Metric
    package let value: Double?

    package init(metric: Metric, value: Double?) {
        self.metric = metric
        self.value = value
    }
}
