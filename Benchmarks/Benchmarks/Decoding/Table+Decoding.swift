import Foundation

extension Table {
    /// Creates the table of the measurements of decoders, with their speed as a multiple of the first one's of each
    /// case.
    init(decoding measurements: [Measurement]) {
        add(["case", "decoder", "ms", "MB/s", "times as fast", "by processor", "allocations", "peak kB", "kept kB"])
        let speedups = Speedup.all(measurements)
        var last: String?
        for measurement in measurements {
            let speedup = speedups.first {
                $0.caseName == measurement.caseName && $0.subject == measurement.subject
            }
            add([
                last == measurement.caseName ? "" : measurement.caseName,
                measurement.subject,
                Self.time(measurement[.milliseconds]),
                Self.number(measurement[.megabytesPerSecond], decimals: 1),
                Self.factor(speedup?.byClock),
                Self.factor(speedup?.byProcessor),
                Self.number(measurement[.allocations], decimals: 0),
                Self.number(measurement[.peakKilobytes], decimals: 1),
                Self.number(measurement[.keptKilobytes], decimals: 1),
            ])
            last = measurement.caseName
        }
        for mean in Speedup.means(measurements) {
            add([mean.caseName, mean.subject, "", "", Self.factor(mean.byClock), Self.factor(mean.byProcessor)])
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

    private static func factor(_ value: Double?) -> String { value.map { String(format: "%.2f", $0) } ?? "" }
}
