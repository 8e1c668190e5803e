import Foundation
import Waybill

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Metric {
    /// Wall-clock time from the start of `main` to the decoded value, in milliseconds.
    static let millisecondsToValue = Metric(name: "ms_to_first_value", decimals: 2)

    /// Processor time of all threads from the start of `main` to the decoded value, in milliseconds.
    static let processorMillisecondsToValue = Metric(name: "cpu_ms_to_first_value", decimals: 2)
}

/// A client whose first call is measured.
enum StartClient: String, CaseIterable, Sendable {
    case foundation
    case waybill

    /// The name of the subject.
    var name: String {
        switch self {
        case .foundation: "URLSession and JSONDecoder"
        case .waybill: "Waybill"
        }
    }

    /// Returns the server's product.
    func product(of server: URL) async throws -> ListedProduct {
        switch self {
        case .foundation:
            let (data, _) = try await URLSession.shared.data(from: server.appendingPathComponent("product"))
            return try ListedProduct(enveloped: data)
        case .waybill:
            let endpoint: Endpoint<ListedProduct> = Client(server).endpoint {
                GET("product")
                Envelope("data")
            }
            return try await endpoint.send()
        }
    }

    /// Makes this process's first call, and returns the measured values by metric name.
    func run(_ server: URL, since start: TimeSpent) async throws -> [String: Double] {
        _ = try await product(of: server)
        let time = TimeSpent.now - start
        let memory = ResidentMemory.current
        let values = [
            Metric.millisecondsToValue.name: time.wall * 1000,
            Metric.processorMillisecondsToValue.name: time.processor * 1000,
            Metric.residentMegabytes.name: memory.map { $0 / 1_000_000 },
        ]
        return values.compactMapValues { $0 }
    }
}

extension Subject {
    /// Creates a subject that starts a new process of this program for each round.
    init(_ client: StartClient, on server: ServerProcess) {
        let metrics: [Metric] = [.millisecondsToValue, .processorMillisecondsToValue, .residentMegabytes]
        self.init(client.name) {
            try await client.product(of: server.url)
        } measure: {
            let output = try await OwnProgram.output(of: .start(client, server: server.url))
            let values = try JSONDecoder().decode([String: Double].self, from: output)
            return metrics.map { Reading(metric: $0, value: values[$0.name]) }
        }
    }
}
