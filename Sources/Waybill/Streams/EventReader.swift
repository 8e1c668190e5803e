import WaybillSystem

/// Decodes the data of events.
struct EventReader<Value: Decodable & Sendable>: Sendable {
    let plan: Plan

    /// Returns an event; nil for one that ``Events/ignoreUnknown()`` passes over.
    ///
    /// - Throws: ``APIError/status(_:)`` for data that is no value, but a problem declared for this status;
    ///   ``APIError/decoding(_:)`` for other data that cannot be decoded.
    func event(
        _ message: EventStreamParser.Message,
        at index: Int,
        of reply: @autoclosure () -> Reply
    ) throws(APIError) -> Events<Value>.Event? {
        let data = EventData(bytes: message.data, decoder: plan.decoder, index: index)
        let named = EventDecoder(name: message.name, data: data)
        do {
            let value = Value.self is any NamedEvent.Type ? try Value(from: named) : try data.decode(Value.self)
            return Events.Event(data: value, name: message.name, id: message.id)
        } catch {
            let unknown = named.match.isUnknown ? UnknownEvent(message.name, at: index, of: Value.self) : nil
            let failure = failure(unknown ?? error, message.data, of: reply())
            if case .decoding = failure, unknown != nil, plan.settings[Events<Never>.IgnoredUnknown.self] != nil {
                return nil
            }
            throw failure
        }
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

/// The error of a response that has no events.
struct NotAnEventStream: Error, CustomStringConvertible {
    let description: String

    init(_ contentType: String?) {
        let type = contentType.map { "is \(MediaType($0).essence)" } ?? "has no media type"
        description = "the body \(type); events are text/event-stream"
    }
}
