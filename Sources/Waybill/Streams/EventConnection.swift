import WaybillSystem

/// One response with server-sent events.
///
/// `@unchecked Sendable`: its ``EventSource`` lends it to one task at a time.
final class EventConnection: @unchecked Sendable {
    /// The response; nil if it says that there are no more events.
    let body: BodyReader?
    var parser: EventStreamParser
    /// The time at which the head of the response came, by the clock of the client.
    let start: Duration
    /// The failure of the event after those that have been decoded.
    var failure: APIError?
    /// Whether the event that ends the stream has come.
    var isAtEnd = false

    /// Checks that a response has events.
    ///
    /// - Throws: ``APIError/status(_:)`` for a declared problem, ``APIError/decoding(_:)`` for another response.
    init(_ body: BodyReader, lastID: String) async throws(APIError) {
        parser = EventStreamParser(lastID: lastID, limit: body.call.plan.successLimit)
        start = body.call.context.time.now
        guard body.response.status != 204 else {
            self.body = nil
            await body.finish()
            return
        }
        self.body = body
        let contentType = body.response.headerFields[.contentType]
        guard body.response.status != 200 || contentType.map({ MediaType($0).essence }) != "text/event-stream" else {
            return
        }
        let failure = try await Self.failure(body, contentType)
        await body.fail(failure)
        throw failure
    }

    private static func failure(_ body: BodyReader, _ contentType: String?) async throws(APIError) -> APIError {
        let plan = body.call.plan
        var bytes = Data()
        while bytes.count <= plan.failureLimit, let chunk = try await body.next(reportsEnd: false) {
            bytes.append(chunk)
        }
        var response = body.response
        response.isBodyTruncated = bytes.count > plan.failureLimit
        response.body = HTTPBody(bytes.prefix(plan.failureLimit))
        let reply = Reply(response, of: plan)
        if let failure = reply.failure(of: plan, request: response.request ?? plan.request) { return .status(failure) }
        return .decoding(reply.failure(UnreadableBody(withoutEvents: contentType), decoding: "Events", plan: plan))
    }

    /// Reads the next bytes, when the parser has no other event; returns false at the end of the response.
    func read() async throws(APIError) -> Bool {
        guard let body else { return false }
        guard !parser.isTooLarge else {
            let reason =
                "an event has more than \(body.call.plan.successLimit) bytes; declare BodyLimits(success:) to read more"
            let error = body.call.transportFailure(TransportError(.bodyTooLarge, reason))
            await body.fail(error)
            throw error
        }
        guard let chunk = try await body.next() else { return false }
        parser.append(chunk)
        return true
    }
}
