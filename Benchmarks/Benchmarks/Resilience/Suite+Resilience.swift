import Foundation

extension Suite {
    /// The costs and benefits of retries, retry budgets and other steps of a call.
    static let resilience = Suite(
        name: "resilience",
        summary: "the steps of a call, and a server that fails for 30 s and recovers",
        rounds: 15,
        report: report,
        // The outage is deterministic.
        warnings: { NoiseWarnings.all($0.filter { $0.caseName != Case.outageName }, minimumRounds: $1) },
        chart: { _ in try await LineChart.outage().svg }
    ) { _ in
        guard let url = URL(string: "https://shop.example/v1") else { throw URLError(.badURL) }
        return [.chain(to: url), .reading(from: url), .drift(from: url), .outage]
    }

    @Sendable private static func report(_ measurements: [Measurement]) -> String {
        let (played, measured) = (
            measurements.filter { $0.caseName == Case.outageName },
            measurements.filter { $0.caseName != Case.outageName }
        )
        var parts: [String] = []
        if !measured.isEmpty { parts.append(Table(measured).text) }
        if !played.isEmpty { parts.append(Table(outage: played).text + "\n\n" + legend) }
        return parts.joined(separator: "\n\n")
    }

    private static let legend = """
        The outage is played on virtual time, without sleeping, and is the same in every run. \(Outage.clients) clients, each with its
        own budget, make \(Outage.callsAtOnce) calls each in the first second, and make a call that failed again a second later, until it
        succeeds. The server responds after 100 ms: for 30 s with 503, and then 2000 requests a second well, the others
        with 503.
        """
}

extension Table {
    /// Creates a table of an outage's measurements.
    init(outage measurements: [Measurement]) {
        self.init()
        let metrics = measurements.first?.metrics.map(\.metric) ?? []
        add(["case", "the clients do"] + metrics.map(\.name))
        for (place, measurement) in measurements.enumerated() {
            let cells = metrics.map { metric in
                measurement[metric].map { String(format: "%.\(metric.decimals)f", $0.median) } ?? ""
            }
            add([place == 0 ? measurement.caseName : "", measurement.subject] + cells)
        }
    }
}

extension LineChart {
    /// Creates a chart of the requests that reach the server in each second.
    static func outage() async throws -> LineChart {
        var lines: [Line] = []
        for outage in Outage.all {
            lines.append(
                Line(name: outage.name, values: try await outage.course.value.requestsPerSecond.map(Double.init))
            )
        }
        return LineChart(
            title: "Requests a second that reach a server which fails for 30 s",
            unit: "seconds",
            mark: (30, "it works again"),
            lines: lines
        )
    }
}
