import Waybill

struct CallMetrics: CallObserver {
    func observe(_ event: CallEvent) {
        switch event.kind {
        case .finished(let status): record(event, outcome: "\(status.code)")
        case .failed(let error): record(event, outcome: error.status.map { "\($0.code)" } ?? "none")
        case .retried: Counter(label: "http_client_retries", dimensions: dimensions(of: event)).increment()
        case .body(let bytes):
            Recorder(label: "http_client_body_bytes", dimensions: dimensions(of: event)).record(bytes)
            if event.metrics?.isConnectionReused == false {
                Counter(label: "http_client_connections", dimensions: []).increment()
            }
        default: break
        }
    }

    private func record(_ event: CallEvent, outcome: String) {
        let dimensions = dimensions(of: event) + [("status", outcome)]
        Metrics.Timer(label: "http_client_duration", dimensions: dimensions).record(duration: event.time)
    }

    private func dimensions(of event: CallEvent) -> [(String, String)] {
        [("method", "\(event.method)"), ("template", event.template)]
    }
}
