/// A middleware of an app among the steps of a call.
///
/// The middleware sees messages alone. The facts that the steps below hand on beside them go around it.
struct MiddlewareStep: CallStep {
    let middleware: any Middleware

    // Not counted in each call: a middleware may keep the response to one call and return it to another.
    private static let numbers = Locked(0)

    private static func nextNumber() -> Int {
        numbers.withLock { number in
            number += 1
            return number
        }
    }

    func handle(
        _ request: CallRequest,
        of call: Call,
        next: @escaping CallStep.Next
    ) async throws(APIError) -> CallResponse {
        let received = Locked<[CallResponse]>([])
        let message = try await middleware.handle(request.message, of: call) { (message) async throws(APIError) in
            var inner = request
            inner.replace(message)
            var response = try await next(inner)
            // By its number the response is known again when the middleware returns it.
            response.message.transferNumber = response.message.transferNumber ?? Self.nextNumber()
            call.context.note(response.secrets(of: call.plan))
            received.withLock { [response] in $0.append(response) }
            return response.message
        }
        return response(message, among: received.withLock { $0 }, of: call, attempt: request.attempt)
    }

    /// Returns the response that a middleware has returned, with the facts of the steps below.
    ///
    /// A middleware may send several requests, and whose response it returns decides who may get it from a cache.
    // Not inlined: its values need no room for as long as the middleware works.
    @inline(never)
    private func response(
        _ message: HTTPResponse,
        among responses: [CallResponse],
        of call: Call,
        attempt: Int
    ) -> CallResponse {
        let number = message.transferNumber
        guard var response = responses.first(where: { $0.message.transferNumber == number }), number != nil else {
            // Made by the middleware itself: it belongs to no request.
            let last = responses.last
            let secrets = last?.secrets(of: call.plan)
            var made = CallResponse(unsent: message, attempt: last?.attempt ?? attempt, secrets: secrets)
            made.message.transferNumber = nil
            made.earlierFailures = last?.earlierFailures ?? []
            made.retryRejection = last?.retryRejection
            return made
        }
        // Another body is still to be read.
        if message.body.bytes == nil || message.body.bytes != response.body.bytes {
            (response.isRead, response.isBodyTruncated) = (false, false)
        }
        response.message = message
        return response
    }
}
