import WaybillSystem

/// The value of an endpoint that sends server-sent events (WHATWG HTML, section 9.2).
///
/// ```swift
/// let changes: Endpoint<Events<Product>> = shop.endpoint {
///     GET("products/changes")
///     Events.until("[DONE]")
/// }
/// for try await event in try await changes.stream() { print(event.data.name) }
/// ```
///
/// The data of an event is decoded by the decoder in scope; `String` is its text and `Data` are its bytes. A
/// ``NamedEvent`` is an enum whose case the name of the event chooses. With `Endpoint.send()` all events are read until
/// the response ends.
public struct Events<Value: Sendable>: Sendable {
    /// An event: its data, with the name and the id beside it.
    public struct Event: Sendable {
        /// The data.
        public let data: Value

        /// The name from the field `event`; `message` if the server gives none.
        public let name: String

        /// The last id that the server has given, with this event or with one before it; empty without one.
        public let id: String

        /// Creates an event.
        public init(data: Value, name: String = "message", id: String = "") {
            self.data = data
            self.name = name
            self.id = id
        }
    }

    /// The events, in order.
    public let all: [Event]

    /// Creates a list of events.
    public init(_ events: [Event]) { all = events }
}

extension Events.Event: Equatable where Value: Equatable {}
extension Events.Event: Hashable where Value: Hashable {}
extension Events: Equatable where Value: Equatable {}

extension API {
    /// Declares an endpoint whose response has server-sent events.
    ///
    /// The request accepts `text/event-stream`, unless a ``Header`` says otherwise.
    ///
    /// - Parameters:
    ///   - type: the type of the events.
    ///   - clauses: a route, and further clauses.
    /// - Returns: the endpoint.
    public func endpoint<Value: Decodable & Sendable>(
        _ type: Events<Value>.Type = Events<Value>.self,
        @Scope.EndpointBuilder _ clauses: () -> Scope
    ) -> Endpoint<Events<Value>> {
        Endpoint<Events<Value>>(client: client, declaration: clauses(), reader: .events()).acceptingEvents
    }
}

extension Endpoint {
    /// The same endpoint, whose request accepts `text/event-stream`, and no stored response, unless an inner scope says
    /// otherwise.
    package var acceptingEvents: Endpoint {
        var accepted = Scope("events")
        Header(.accept, "text/event-stream").declare(in: &accepted)
        Header(.cacheControl, "no-cache").declare(in: &accepted)
        return Endpoint(client: client, scopes: [accepted] + scopes, target: target, reader: reader, reread: reread)
    }
}

extension ValueReader {
    /// Reads all events of a body.
    package static func events<Data: Decodable & Sendable>() -> Self where Value == Events<Data> {
        Self { (reply, plan, extras) throws(APIError) in
            var parser = EventStreamParser()
            var events: [Events<Data>.Event] = []
            let contentType = reply.headerFields[.contentType]
            if let contentType, MediaType(contentType).essence != "text/event-stream" {
                throw .decoding(
                    reply.failure(NotAnEventStream(contentType), decoding: "\(Events<Data>.self)", plan: plan)
                )
            }
            let end = plan.settings[Events<Never>.End.self]
            let reader = EventReader<Data>(plan: plan)
            parser.append(reply.body)
            var index = 0
            while let message = parser.next(), end?.holds(message) != true {
                if let event = try reader.event(message, at: index, of: reply) { events.append(event) }
                index += 1
            }
            return Reading(response: Response(value: Events(events), reply: reply), extras: extras.map { _ in nil })
        }
    }
}
