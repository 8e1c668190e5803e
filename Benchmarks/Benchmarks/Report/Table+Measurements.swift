import Foundation

extension Table {
    /// Creates a table of one suite's measurements.
    init(_ measurements: [Measurement]) {
        self.init()
        var metrics: [Metric] = []
        for metric in measurements.flatMap(\.metrics).map(\.metric) where !metrics.contains(metric) {
            metrics.append(metric)
        }
        add(["case", "subject"] + metrics.flatMap { [$0.name, "×"] })
        var first: Measurement?
        for measurement in measurements {
            let isFirst = first?.caseName != measurement.caseName
            if isFirst { first = measurement }
            let cells = metrics.flatMap { metric in
                [Self.cell(measurement[metric], metric), Self.ratio(measurement[metric], first?[metric])]
            }
            add([isFirst ? measurement.caseName : "", measurement.subject] + cells)
        }
    }

    private static func cell(_ distribution: Distribution?, _ metric: Metric) -> String {
        distribution.map { text($0, decimals: metric.decimals) } ?? "not counted"
    }

    private static func ratio(_ distribution: Distribution?, _ first: Distribution?) -> String {
        guard let distribution, let first, first.median > 0 else { return "" }
        return String(format: "%.2f", distribution.median / first.median)
    }
}
