import Waybill
import WaybillSystem

/// A connection that receives server-sent events.
///
/// `@unchecked Sendable`: its ``EventSource`` lends it to one task at a time.
final class EventConnection: @unchecked Sendable {
    /// The body of the response; nil after a 204, which ends the stream.
    let body: BodyReader?
    var parser: EventStreamParser
    /// The arrival time of the response's head, on the client's clock.
    let start: Duration
    /// The error of an event that could not be decoded, thrown after the preceding events.
    var failure: APIError?
    /// Whether the declared end event has arrived.
    var isAtEnd = false
    /// Whether the whole body has been read to determine whether it begins like an event stream.
    private var isWhole = false

    /// Creates a connection from a response, and checks that the response contains events.
    ///
    /// - Throws: `APIError.status` for a declared problem, `APIError.decoding` for any other response.
    init(_ body: BodyReader, lastID: String) async throws(APIError) {
        let plan = body.call.plan
        parser = EventStreamParser(of: plan, lastID: lastID)
        start = body.call.context.time.now
        let contentType = body.response.headerFields[.contentType]
        let failure: APIError?
        switch body.response.status {
        case 204:
            self.body = nil
            failure = plan.settings.eventStreamEnd?
                .failure(ofMissingEnd: Reply(body.response, of: plan), to: plan)
            if failure == nil { await body.finish() }
        case 200 where Events<Never>.MediaTypes.standard.contains(contentType):
            self.body = body
            failure = nil
        case 200 where plan.settings[Events<Never>.MediaTypes.self]?.contains(contentType) ?? false:
            self.body = body
            let beginning = try await Self.beginning(of: body)
            let isStream = EventStreamParser.isStream(beginningWith: beginning)
            isWhole = isStream == nil
            failure = isStream == false ? try await Self.failure(of: body, beginning) : nil
            parser.append(beginning)
        default:
            self.body = body
            failure = try await Self.failure(of: body)
        }
        guard let failure else { return }
        await body.fail(failure)
        throw failure
    }

    /// Reads the body until it is certain whether the body begins like an event stream.
    private static func beginning(of body: BodyReader) async throws(APIError) -> Data {
        var bytes = Data()
        while EventStreamParser.isStream(beginningWith: bytes) == nil,
            let chunk = try await body.next(reportsEnd: false)
        {
            bytes.append(chunk)
        }
        return bytes
    }

    /// Returns the failure for a response without events.
    ///
    /// It reads more of the body only to detect a declared problem, because the body may never end.
    private static func failure(of body: BodyReader, _ bytes: Data = Data()) async throws(APIError) -> APIError {
        let plan = body.call.plan
        var response = body.response
        var beginning = BodyBeginning(of: response, to: plan)
        if !bytes.isEmpty { beginning.append(bytes) }
        while beginning.mayBecomeProblem, let chunk = try await body.next(reportsEnd: false) { beginning.append(chunk) }
        response.isBodyTruncated = beginning.isTooLong
        response.body = HTTPBody(beginning.bytes.prefix(plan.failureLimit))
        if let failure = beginning.problem { return .status(failure) }
        let error =
            response.status == 200
            ? UnreadableBody(withoutEvents: response.headerFields[.contentType], plan)
            : UnreadableBody("a response with events has the status 200; for one value, call send()")
        return .decoding(Reply(response, of: plan).failure(error, decoding: "Events", plan: plan))
    }

    /// Reads the next bytes into the parser once it has no complete event left; returns false at the end of the
    /// response.
    func read() async throws(APIError) -> Bool {
        guard let body, !isWhole else { return false }
        guard !parser.isTooLarge else {
            let reason =
                "an event has more than \(body.call.plan.successLimit) bytes; declare BodyLimits(successBytes:) to read more"
            let error = body.call.transportFailure(TransportError(.bodyTooLarge, reason))
            await body.fail(error)
            throw error
        }
        guard let chunk = try await body.next(reportsEnd: false) else { return false }
        parser.append(chunk)
        return true
    }
}
