/// A middleware of an app among the steps of a call.
///
/// The middleware sees messages alone. The facts that the steps below hand on beside them go around it.
struct MiddlewareStep: CallStep {
    let middleware: any Middleware

    func handle(
        _ request: CallRequest,
        of call: Call,
        next: @escaping CallStep.Next
    ) async throws(APIError) -> CallResponse {
        let received = Locked<[CallResponse]>([])
        let http = try await middleware.handle(request.http, of: call) { (http) async throws(APIError) in
            var inner = request
            inner.replace(http)
            var response = try await next(inner)
            response.http.redaction = ResponseMark(response.http.redaction ?? call.plan.secrets)
            received.withLock { [response] in $0.append(response) }
            return response.http
        }
        return response(http, among: received.withLock { $0 }, of: call, attempt: request.attempt)
    }

    /// Returns the response that a middleware has returned, with the facts of the steps below.
    ///
    /// A middleware may send several requests, and whose response it returns decides who may get it from a cache.
    // Not inlined: its values need no room for as long as the middleware works.
    @inline(never)
    private func response(
        _ http: HTTPResponse,
        among responses: [CallResponse],
        of call: Call,
        attempt: Int
    ) -> CallResponse {
        guard var response = responses.first(where: { $0.http.redaction === http.redaction }) else {
            return made(http, after: responses.last, of: call, attempt: attempt)
        }
        // Another body is still to be read.
        if http.body.bytes == nil || http.body.bytes != response.body.bytes {
            (response.isRead, response.isBodyTruncated) = (false, false)
        }
        let redaction = (response.http.redaction as? ResponseMark)?.base
        response.http = http
        response.http.redaction = redaction
        return response
    }

    /// A response that the middleware has made itself: it belongs to no request.
    private func made(
        _ http: HTTPResponse,
        after last: CallResponse?,
        of call: Call,
        attempt: Int
    ) -> CallResponse {
        let redaction = (last?.http.redaction as? ResponseMark)?.base ?? call.plan.secrets
        var response = CallResponse(unsent: http, attempt: last?.attempt ?? attempt, redaction: redaction)
        response.earlierFailures = last?.earlierFailures ?? []
        response.retryRejection = last?.retryRejection
        return response
    }
}

/// The redaction of one response, by whose identity the response is known again when a middleware returns it.
private final class ResponseMark: TextRedaction {
    let base: any TextRedaction

    init(_ base: any TextRedaction) { self.base = base }

    var hidden: SecretNameSet { base.hidden }

    var values: [String] { base.values }
}
