import Waybill

struct Traced: Middleware {
    func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
        let span = startSpan("\(request.method) \(request.template)", ofKind: .client)
        defer { span.end() }
        span.attributes["http.request.method"] = "\(request.method)"
        span.attributes["url.template"] = request.template
        if call.attempt > 1 { span.attributes["http.request.resend_count"] = call.attempt - 1 }
        var request = request
        InstrumentationSystem.instrument.inject(span.context, into: &request.headerFields, using: FieldInjector())
        do {
            let response = try await ServiceContext.withValue(span.context) { [request] in try await next(request) }
            span.attributes["http.response.status_code"] = response.status.code
            return response
        } catch {
            span.recordError(error)
            span.setStatus(SpanStatus(code: .error))
            throw call.failure(error)
        }
    }
}

struct FieldInjector: Injector {
    func inject(_ value: String, forKey key: String, into fields: inout HTTPFields) {
        guard let name = HTTPField.Name(key) else { return }
        fields[name] = value
    }
}
