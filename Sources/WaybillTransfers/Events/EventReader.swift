import Waybill
import WaybillSystem

/// A decoder for the events of a call.
struct EventReader<Value: Decodable & Sendable>: Sendable {
    private let plan: Plan
    // Looked up once rather than for each event.
    private let decoder: any ResponseDecoder
    private let isNamed: Bool
    private let ignoresUnknown: Bool
    /// The data of the end event; nil if none is declared.
    private let end: String?
    /// Whether an event's data can be a declared problem.
    private let hasProblems: Bool

    /// Creates a reader for the events of a response.
    ///
    /// - Parameters:
    ///   - plan: the plan of the call.
    ///   - status: the status of the response.
    init(plan: Plan, status: HTTPResponse.Status = 200) {
        self.plan = plan
        hasProblems = plan.settings[ProblemRules.self]?.mayApply(to: status) ?? false
        decoder = plan.decoder
        isNamed = Value.self is any NamedEvent.Type
        ignoresUnknown = plan.settings[Events<Never>.IgnoredUnknown.self]?.isOn ?? false
        end = plan.settings.eventStreamEnd
    }

    /// Whether a message is the declared end event.
    func isEnd(_ message: EventStreamParser.Message) -> Bool {
        end.map { message.data.elementsEqual($0.utf8) } ?? false
    }

    /// Returns the failure of a response that ended without the declared end event; nil if no end event is declared.
    ///
    /// - Parameters:
    ///   - reply: the head of the response.
    ///   - isWithinEvent: whether the response ended within an event.
    /// - Returns: the failure; nil if no end event is declared.
    func missingEnd(of reply: @autoclosure () -> Reply, isWithinEvent: Bool) -> APIError? {
        end.map { .missingEnd($0, of: reply(), to: plan, isWithinEvent: isWithinEvent) }
    }

    /// Returns a decoded event; nil if ``Events/ignoreUnknown()`` applies to it.
    ///
    /// - Throws: `APIError.status` for data that is a declared problem, even if it could be decoded;
    ///   `APIError.decoding` for other data that cannot be decoded.
    func event(
        _ message: EventStreamParser.Message,
        at index: Int,
        of reply: @autoclosure () -> Reply
    ) throws(APIError) -> Events<Value>.Event? {
        if hasProblems, let failure = problem(in: message.data, of: reply(), isJSON: true) { throw .status(failure) }
        let data = EventData(bytes: message.data, decoder: decoder, index: index)
        guard isNamed else {
            do {
                return Events.Event(data: try data.decode(Value.self), name: message.name, id: message.id)
            } catch {
                throw failure(error, message.data, of: reply())
            }
        }
        let named = EventDecoder(name: message.name, data: data)
        do {
            return Events.Event(data: try Value(from: named), name: message.name, id: message.id)
        } catch {
            let isUnknown = named.match.isUnknown
            let cause = isUnknown ? Self.unknownEvent(message.name, at: index) : error
            let failure = failure(cause, message.data, of: reply())
            if case .decoding = failure, isUnknown, ignoresUnknown { return nil }
            throw failure
        }
    }

    /// Returns the error for an event whose name matches no case.
    private static func unknownEvent(_ name: String, at index: Int) -> any Error {
        let shown = name.count > 100 ? "\(name.prefix(100))…" : name
        return UnreadableBody(
            "event \(index + 1) has the name \(String(reflecting: shown)), which is not a case of \(Value.self); "
                + "add the case, or declare Events.ignoreUnknown()"
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

extension Scope.Settings {
    /// The data of the declared end event; nil if none is declared.
    var eventStreamEnd: String? { self[Events<Never>.End.self]?.data }
}

extension APIError {
    /// Returns the failure of a response that ended before the declared end event.
    ///
    /// - Parameters:
    ///   - data: the data of the end event.
    ///   - reply: the head of the response.
    ///   - plan: the plan of the call.
    ///   - isWithinEvent: whether the response ended within another event.
    /// - Returns: the failure.
    static func missingEnd(_ data: String, of reply: Reply, to plan: Plan, isWithinEvent: Bool = false) -> APIError {
        let shown = data.count > 100 ? "\(data.prefix(100))…" : data
        let error = UnreadableBody(
            "the response ended \(isWithinEvent ? "within an event, " : "")before the event"
                + " \(String(reflecting: shown)), the end that Events.until declares; events may be missing: send the"
                + " call again, or remove Events.until if the server does not always send that event"
        )
        return .decoding(
            APIError.DecodingFailure(error, inEventData: Data(), of: reply, decoding: "Events", plan: plan)
        )
    }
}

extension APIError.DecodingFailure {
    /// Creates the failure of decoding an event's data.
    fileprivate init(
        _ error: any Error,
        inEventData data: Data,
        of reply: Reply,
        decoding typeName: String,
        plan: Plan
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
        // The received media type describes the stream, but the data of an event is JSON.
        reply.headerFields[.contentType] = "application/json"
        return reply
    }
}
