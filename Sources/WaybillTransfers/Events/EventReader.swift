import Waybill
import WaybillSystem

/// A decoder for the events of a call.
struct EventReader<Value: Decodable & Sendable>: Sendable {
    private let plan: Call.Plan
    // Look up settings once rather than for each event.
    private let decoder: any ResponseDecoder
    private let isNamed: Bool
    private let ignoresUnknown: Bool
    private let dropsInvalid: Bool
    private let end: Events<Never>.End?
    /// Whether an event's data can be a declared problem.
    private let hasProblems: Bool

    /// Creates a reader for the events of a response.
    ///
    /// - Parameters:
    ///   - plan: the plan of the call.
    ///   - status: the status of the response.
    init(plan: Call.Plan, status: HTTPResponse.Status = 200) {
        self.plan = plan
        hasProblems = plan.settings[ProblemRules.self]?.mayApply(to: status) ?? false
        decoder = plan.decoder
        isNamed = Value.self is any NamedEvent.Type
        ignoresUnknown = plan.settings[Events<Never>.IgnoreUnknown.self]?.isOn ?? false
        dropsInvalid = plan.settings.dropsInvalidItems
        end = plan.settings.eventStreamEnd
    }

    /// Whether a message is the declared end event.
    func isEnd(_ message: EventStreamParser.Message) -> Bool { end?.holds(message) == true }

    /// Whether a message is an event to return, rather than only a marker of the stream's end.
    func isReturned(_ message: EventStreamParser.Message) -> Bool {
        message.hasData && (end?.isReturned != false || !isEnd(message))
    }

    /// Returns the failure for a response that ended without the declared end event; nil if no end event is declared.
    ///
    /// - Parameters:
    ///   - reply: the head of the response.
    ///   - isWithinEvent: whether the response ended within an event.
    /// - Returns: the failure; nil if no end event is declared.
    func missingEnd(of reply: @autoclosure () -> Reply, isWithinEvent: Bool) -> APIError? {
        end?.failure(ofMissingEnd: reply(), to: plan, isWithinEvent: isWithinEvent)
    }

    /// Returns a decoded event, or the error of an event to be dropped by `DropInvalidItems`; nil if the event is
    /// ignored.
    ///
    /// An event is ignored if its name matches no case, and ``Events/IgnoreUnknown`` applies to it or it is the
    /// declared end.
    ///
    /// - Throws: `APIError.status` for data that is a declared problem, even if it could be decoded;
    ///   `APIError.decoding` for other data that cannot be decoded.
    func event(
        _ message: EventStreamParser.Message,
        at index: Int,
        of reply: @autoclosure () -> Reply
    ) throws(APIError) -> Result<Events<Value>.Event, WaybillJSONDecoder.DroppedItem>? {
        if hasProblems, let failure = problem(in: message.data, of: reply(), isJSON: true) { throw .status(failure) }
        let data = EventData(bytes: message.data, decoder: decoder, index: index)
        let named = isNamed ? EventDecoder(name: message.name, data: data) : nil
        do {
            let value = try named.map { try Value(from: $0) } ?? data.decode(Value.self)
            return .success(Events.Event(data: value, name: message.name, id: message.id))
        } catch {
            let isUnknown = named?.match.isUnknown ?? false
            let cause = isUnknown ? Self.unknownEvent(message.name, at: index) : error
            let failure = failure(cause, message.data, of: reply())
            guard case .decoding(let undecoded) = failure else { throw failure }
            if isUnknown, ignoresUnknown || isEnd(message) { return nil }
            guard dropsInvalid else { throw failure }
            return .failure(WaybillJSONDecoder.DroppedItem(index: index, error: undecoded.underlying))
        }
    }

    /// Returns the error for an event whose name matches no case.
    private static func unknownEvent(_ name: String, at index: Int) -> any Error {
        let shown = name.count > 100 ? "\(name.prefix(100))…" : name
        return UnreadableBody(
            "event \(index + 1) has the name \(String(reflecting: shown)), which is not a case of \(Value.self); "
                + "add the case, or declare Events.IgnoreUnknown()"
        )
    }

    private func failure(_ error: any Error, _ data: Data, of reply: Reply) -> APIError {
        if let failure = problem(in: data, of: reply) { return .status(failure) }
        return .decoding(
            APIError.DecodingFailure(
                error,
                inEventData: data,
                of: reply,
                decoding: "\(Value.self)",
                plan: plan
            )
        )
    }

    /// Returns the failure for data that is a declared problem; nil for other data.
    ///
    /// - Parameters:
    ///   - data: the data of an event.
    ///   - reply: the head of the response.
    ///   - isJSON: whether to consider only problems in JSON, because a text problem would match any data.
    /// - Returns: the failure; nil if the data is not a problem.
    private func problem(in data: Data, of reply: Reply, isJSON: Bool = false) -> APIError.StatusFailure? {
        let reply = reply.withEventData(data)
        return reply.failure(of: plan, request: reply.request ?? plan.request, isJSON: isJSON)
    }
}

extension APIError.DecodingFailure {
    /// Creates the failure of decoding an event's data.
    init(
        _ error: any Error,
        inEventData data: Data,
        of reply: Reply,
        decoding typeName: String,
        plan: Call.Plan
    ) {
        self.init(
            call: reply.call(of: plan),
            status: reply.status,
            headerFields: reply.headerFields,
            typeName: typeName,
            underlying: error,
            body: data,
            secretNames: plan.secretNames,
            isStreamed: true
        )
    }
}

extension Reply {
    /// Returns the reply with an event's data as its body.
    fileprivate func withEventData(_ data: Data) -> Reply {
        var reply = self
        reply.body = data
        // The received media type describes the stream, but an event's data is JSON.
        reply.headerFields[.contentType] = "application/json"
        return reply
    }
}
