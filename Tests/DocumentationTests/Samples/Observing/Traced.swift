import Foundation
import Waybill

struct Traced: Middleware {
    func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
        let span = startSpan("\(request.method) \(call.plan.template)", ofKind: .client)
        defer { span.end() }
        let url = request.url
        span.attributes["http.request.method"] = "\(request.method)"
        span.attributes["server.address"] = url.host()
        span.attributes["server.port"] = url.port ?? (url.scheme == "http" ? 80 : 443)
        span.attributes["url.full"] = "\(request.url)"  // secrets redacted
        span.attributes["url.template"] = call.plan.template
        if call.attempt > 1 { span.attributes["http.request.resend_count"] = call.attempt - 1 }
        var request = request
        InstrumentationSystem.instrument.inject(span.context, into: &request.headerFields, using: FieldInjector())
        do {
            let response = try await ServiceContext.withValue(span.context) { [request] in try await next(request) }
            span.attributes["http.response.status_code"] = response.status.code
            if response.status.code >= 400 { fail(span, "\(response.status.code)") }
            return response
        } catch {
            let error = call.failure(error)
            span.recordError(error)
            fail(span, errorType(error))
            throw error
        }
    }

    private func fail(_ span: any Span, _ type: String) {
        span.attributes["error.type"] = type
        span.setStatus(SpanStatus(code: .error))
    }

    private func errorType(_ error: APIError) -> String {
        switch error {
        case .transport(let failure): "\(failure.error.kind)"
        case .timeout: "timeout"
        case .cancelled: "cancelled"
        default: "_OTHER"
        }
    }
}

struct FieldInjector: Injector {
    func inject(_ value: String, forKey key: String, into fields: inout HTTPFields) {
        guard let name = HTTPField.Name(key) else { return }
        fields[name] = value
    }
}

/// Passes the events between and after the spans of a call to an observer, in the context of the last span.
final class InLastSpan: CallObserver, @unchecked Sendable {  // the contexts are accessed only under the lock
    private let observer: any CallObserver
    private let lock = NSLock()
    private var contexts: [Int: ServiceContext] = [:]

    init(_ observer: some CallObserver) { self.observer = observer }

    func observe(_ event: CallEvent) {
        let current = ServiceContext.current
        let context = lock.withLock {
            switch event.kind {
            case .sent: contexts[event.number] = current
            case .finished, .failed:
                let last = contexts.removeValue(forKey: event.number)
                return current ?? last
            default: break
            }
            return current ?? contexts[event.number]
        }
        ServiceContext.withValue(context) { observer.observe(event) }
    }
}
