import Foundation
import Waybill

extension Metric {
    /// The number of responses per second on the wall clock.
    static let requestsPerSecond = Metric(name: "requests_per_second", decimals: 0)

    /// Processor microseconds of the client alone.
    static let processorMicrosecondsPerRequest = Metric(name: "cpu_us_per_request", decimals: 1)
}

extension Subject {
    /// The approximate length of a round in seconds, and its least and largest numbers of requests.
    private static let round = (length: 1.0, requests: 500...50_000)

    /// Returns a transport alone, and an endpoint over it, that do small exchanges over connections that are kept,
    /// `tasks` at a time.
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
    /// The number of requests of a round is determined once, while connections are opened.
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

    /// Creates a subject that measures memory, in a process that is started for each round.
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
