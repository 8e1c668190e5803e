import Foundation
import Waybill

struct CallMetrics: CallObserver {
    private let timers = Series<Metrics.Timer>()
    private let recorders = Series<Recorder>()
    private let counters = Series<Counter>()

    func observe(_ event: CallEvent) {
        let server = URL(string: event.url).map { [$0.host(), $0.port.map(String.init)].compactMap(\.self) } ?? []
        let dimensions = [
            ("server", server.joined(separator: ":")), ("method", "\(event.method)"), ("template", event.template),
        ]
        switch event.kind {
        case .finished(let status): record(event, dimensions + [("status", "\(status.code)")])
        case .failed(let error): record(event, dimensions + [("status", error.status.map { "\($0.code)" } ?? "none")])
        case .retried: counter("http_client_retries_total", dimensions).increment()
        case .body(let bytes):
            recorders.metric("http_client_response_body_bytes", dimensions) {
                Recorder(label: $0, dimensions: $1)
            }.record(bytes)
            if event.metrics?.isConnectionReused == false {
                counter("http_client_connections_total", [dimensions[0]]).increment()
            }
        default: break
        }
    }

    private func record(_ event: CallEvent, _ dimensions: [(String, String)]) {
        timers.metric("http_client_request_duration_seconds", dimensions) {
            Metrics.Timer(label: $0, dimensions: $1, preferredDisplayUnit: .seconds)
        }.record(duration: event.time)
    }

    private func counter(_ label: String, _ dimensions: [(String, String)]) -> Counter {
        counters.metric(label, dimensions) { Counter(label: $0, dimensions: $1) }
    }
}

/// The metrics of a kind, each made once, because a backend may keep every metric.
nonisolated private final class Series<Metric>: @unchecked Sendable {  // the metrics are accessed only under the lock
    private let lock = NSLock()
    private var metrics: [String: Metric] = [:]

    func metric(
        _ label: String,
        _ dimensions: [(String, String)],
        make: (String, [(String, String)]) -> Metric
    ) -> Metric {
        let key = "\(label) \(dimensions)"
        return lock.withLock {
            if let metric = metrics[key] { return metric }
            let metric = make(label, dimensions)
            metrics[key] = metric
            return metric
        }
    }
}
