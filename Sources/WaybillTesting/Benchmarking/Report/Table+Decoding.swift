import Foundation

extension Table {
    /// Returns the table of the measurements of decoders, with their speed as a multiple of the first one's of each
    /// case.
    ///
    /// Allocations and memory have a table of their own below it if the instruments of a measurement count them: one
    /// for both would be wider than a terminal.
    ///
    /// - Parameters:
    ///   - measurements: the measurements, case by case.
    ///   - kind: the header of the first column, such as "document".
    ///   - means: means over several cases, for lines at the end.
    /// - Returns: the text.
    package static func text(decoding measurements: [Measurement], of kind: String, means: [Speedup] = []) -> String {
        let metrics = Set(measurements.flatMap(\.metrics).map(\.metric))
        let memory = [Metric.allocations, .peakKilobytes, .keptKilobytes].filter(metrics.contains)
        let speedups = Speedup.all(measurements)
        var speed = Table()
        var cost = Table()
        speed.add([kind, "decoder", "ms", "MB/s", "times as fast", "by processor"])
        cost.add([kind, "decoder"] + memory.map(\.name))
        var last: String?
        for measurement in measurements {
            let speedup = speedups.first {
                $0.caseName == measurement.caseName && $0.subject == measurement.subject
            }
            let names = [last == measurement.caseName ? "" : measurement.caseName, measurement.subject]
            speed.add(
                names + [
                    time(measurement[.milliseconds]),
                    number(measurement[.megabytesPerSecond], decimals: 1),
                    factor(speedup?.byClock),
                    factor(speedup?.byProcessor),
                ]
            )
            cost.add(names + memory.map { number(measurement[$0], decimals: $0.decimals) })
            last = measurement.caseName
        }
        for mean in means {
            speed.add([mean.caseName, mean.subject, "", "", factor(mean.byClock), factor(mean.byProcessor)])
        }
        return memory.isEmpty ? speed.text : "\(speed.text)\n\n\(cost.text)"
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
