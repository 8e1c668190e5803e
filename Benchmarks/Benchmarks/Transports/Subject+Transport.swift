import Foundation
import Waybill

extension Metric {
    /// The number of responses per second of wall-clock time.
    static let requestsPerSecond = Metric(name: "requests_per_second", decimals: 0)

    /// The client's processor time per request, in microseconds.
    static let processorMicrosecondsPerRequest = Metric(name: "cpu_us_per_request", decimals: 1)
}

extension Subject {
    /// The approximate duration of a round in seconds, and the bounds on its number of requests.
    private static let round = (length: 1.0, requests: 500...50_000)

    /// Returns subjects for a transport alone and for an endpoint over it.
    ///
    /// Each makes `tasks` concurrent exchanges over persistent connections.
    static func exchanges(
        through measured: MeasuredTransport,
        concurrently tasks: Int,
        on server: ServerProcess
    ) -> [Subject] {
        [
            Subject(measured.name, concurrently: tasks) {
                Exchange(transport: try measured.make(), server: server.url)
            },
            Subject("endpoint over \(measured.name)", concurrently: tasks) {
                Exchange(endpointOver: try measured.make(), server: server.url)
            },
        ]
    }

    /// Creates a subject that repeats an exchange.
    ///
    /// The number of requests per round is determined once, in a trial that also opens the connections.
    private init(_ name: String, concurrently tasks: Int, _ exchange: @escaping @Sendable () throws -> Exchange) {
        let exchange = Once { try exchange() }
        let count = Once {
            let exchange = try await exchange.value
            let trial = max(1000, tasks * 8)
            try await exchange(times: trial, concurrently: tasks)
            let start = TimeSpent.now
            try await exchange(times: trial, concurrently: tasks)
            let rate = Double(trial) / (TimeSpent.now - start).wall
            return min(
                max(Int(rate * Self.round.length), Self.round.requests.lowerBound),
                Self.round.requests.upperBound
            )
        }
        self.init(name) {
            try await exchange.value.product()
        } measure: {
            let exchange = try await exchange.value
            let count = try await count.value
            let start = TimeSpent.now
            try await exchange(times: count, concurrently: tasks)
            let time = TimeSpent.now - start
            return [
                Reading(metric: .requestsPerSecond, value: Double(count) / time.wall),
                Reading(metric: .processorMicrosecondsPerRequest, value: time.processor * 1_000_000 / Double(count)),
            ]
        }
    }

    /// Creates a subject that measures memory in a new process for each round.
    init(
        _ measured: MeasuredTransport,
        _ probe: MemoryProbe,
        on server: ServerProcess,
        result: @escaping @Sendable (any Transport, URL) async throws -> any Hashable & Sendable
    ) {
        self.init(measured.name) {
            try await result(measured.make(), server.url)
        } measure: {
            let role = ChildRole.probe(probe, transport: measured.name, server: server.url)
            let values = try JSONDecoder().decode([String: Double].self, from: try await OwnProgram.output(of: role))
            return probe.metrics.map { Reading(metric: $0, value: values[$0.name]) }
        }
    }
}
