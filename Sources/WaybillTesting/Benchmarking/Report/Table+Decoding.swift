import Foundation

extension Table {
    /// Creates the table of the measurements of decoders, with their speed as a multiple of the first one's of each
    /// case.
    ///
    /// Allocations and memory have columns if the instruments of a measurement count them.
    ///
    /// - Parameters:
    ///   - measurements: the measurements, case by case.
    ///   - kind: the header of the first column, such as "document".
    package init(decoding measurements: [Measurement], of kind: String) {
        self.init()
        let metrics = Set(measurements.flatMap(\.metrics).map(\.metric))
        let memory = [Metric.allocations, .peakKilobytes, .keptKilobytes].filter(metrics.contains)
        add([kind, "decoder", "ms", "MB/s", "times as fast", "by processor"] + memory.map(\.name))
        let speedups = Speedup.all(measurements)
        var last: String?
        for measurement in measurements {
            let speedup = speedups.first {
                $0.caseName == measurement.caseName && $0.subject == measurement.subject
            }
            add(
                [
                    last == measurement.caseName ? "" : measurement.caseName,
                    measurement.subject,
                    Self.time(measurement[.milliseconds]),
                    Self.number(measurement[.megabytesPerSecond], decimals: 1),
                    Self.factor(speedup?.byClock),
                    Self.factor(speedup?.byProcessor),
                ] + memory.map { Self.number(measurement[$0], decimals: $0.decimals) }
            )
            last = measurement.caseName
        }
    }

    private static func time(_ distribution: Distribution?) -> String {
        guard let distribution else { return "not measured" }
        let decimals = distribution.median < 0.1 ? 5 : distribution.median < 10 ? 3 : 1
        func text(_ value: Double) -> String { String(format: "%.\(decimals)f", value) }
        let quartiles = [text(distribution.lowerQuartile), text(distribution.upperQuartile)]
        return "\(text(distribution.median)) [\(quartiles.joined(separator: " to "))]"
    }

    private static func number(_ distribution: Distribution?, decimals: Int) -> String {
        distribution.map { String(format: "%.\(decimals)f", $0.median) } ?? "not counted"
    }

    /// Returns the text of a multiple; an empty one for nil.
    package static func factor(_ value: Double?) -> String { value.map { String(format: "%.2f", $0) } ?? "" }
}
