import WaybillSystem

/// A reader of the events of a call.
struct EventReader<Value: Decodable & Sendable>: Sendable {
    private let plan: Plan
    // Looked up once, and not for each event.
    private let decoder: any ResponseDecoder
    private let isNamed: Bool
    private let ignoresUnknown: Bool
    private let end: Events<Never>.End?

    init(plan: Plan) {
        self.plan = plan
        decoder = plan.decoder
        isNamed = Value.self is any NamedEvent.Type
        ignoresUnknown = plan.settings[Events<Never>.IgnoredUnknown.self] != nil
        end = plan.settings[Events<Never>.End.self]
    }

    /// Whether a message ends the stream.
    func isEnd(_ message: EventStreamParser.Message) -> Bool { end?.holds(message) == true }

    /// Returns an event; nil for one that ``Events/ignoreUnknown()`` ignores.
    ///
    /// - Throws: ``APIError/status(_:)`` for data that is a problem declared for this status, and no value;
    ///   ``APIError/decoding(_:)`` for other data that cannot be decoded.
    func event(
        _ message: EventStreamParser.Message,
        at index: Int,
        of reply: @autoclosure () -> Reply
    ) throws(APIError) -> Events<Value>.Event? {
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

    /// Returns the error of an event whose name is not a case.
    private static func unknownEvent(_ name: String, at index: Int) -> any Error {
        let shown = name.count > 100 ? "\(name.prefix(100))…" : name
        return UnreadableBody(
            "event \(index + 1) has the name \(String(reflecting: shown)), which is not a case of \(Value.self); "
                + "add the case, or declare Events.ignoreUnknown()"
        )
    }

    private func failure(_ error: any Error, _ data: Data, of reply: Reply) -> APIError {
        var reply = reply
        reply.body = data
        // The media type is that of the stream; the data of an event is JSON.
        reply.headerFields[.contentType] = "application/json"
        if let failure = reply.failure(of: plan, request: reply.request ?? plan.request) { return .status(failure) }
        return .decoding(
            APIError.DecodingFailure(
                call: reply.call(of: plan),
                status: reply.status,
                headerFields: reply.headerFields,
                typeName: "\(Value.self)",
                underlying: error,
                body: data,
                secretNames: plan.secretNames,
                isStreamed: true
            )
        )
    }
}
