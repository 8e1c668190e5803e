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

        /// Creates an event, for tests.
        ///
        /// - Parameters:
        ///   - data: the decoded data.
        ///   - name: the name of the event; `message` for one that the server does not name.
        ///   - id: the last id of the stream; empty without one.
        public init(data: Value, name: String = "message", id: String = "") {
            self.data = data
            self.name = name
            self.id = id
        }
    }

    /// The events, in order.
    public let all: [Event]

    /// Creates a list of events, for tests.
    ///
    /// - Parameter events: the events, in order.
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
    /// Returns a reader of all events of a body.
    package static func events<Data: Decodable & Sendable>() -> Self where Value == Events<Data> {
        Self { (reply, plan, extras) throws(APIError) in
            var parser = EventStreamParser()
            var events: [Events<Data>.Event] = []
            let contentType = reply.headerFields[.contentType]
            if let contentType, MediaType(contentType).essence != "text/event-stream" {
                let error = UnreadableBody(withoutEvents: contentType)
                throw .decoding(reply.failure(error, decoding: "\(Events<Data>.self)", plan: plan))
            }
            let reader = EventReader<Data>(plan: plan, status: reply.status)
            parser.append(reply.body)
            var index = 0
            var isAtEnd = false
            while !isAtEnd, let message = parser.next() {
                isAtEnd = reader.isEnd(message)
                guard !isAtEnd else { break }
                if let event = try reader.event(message, at: index, of: reply) { events.append(event) }
                index += 1
            }
            if !isAtEnd, let failure = reader.missingEnd(of: reply, isWithinEvent: parser.isWithinEvent) {
                throw failure
            }
            return Reading(Events(events), of: reply, Reply.Extras(missing: extras))
        }
    }
}

extension Events where Value == Never {
    /// Declares the data of the event that ends the stream and is not an element.
    ///
    /// ```swift
    /// endpoint {
    ///     POST("chat/completions")
    ///     Events.until("[DONE]")
    /// }
    /// ```
    ///
    /// The connection is closed at that event, and no other one follows. A response that ends before it is an
    /// ``APIError/decoding(_:)``, unless the stream continues over another connection.
    ///
    /// - Parameter data: the data, compared byte by byte.
    /// - Returns: the clause.
    public static func until(_ data: String) -> End { End(data: data) }

    /// The data of the event that ends a stream; ``Events/until(_:)`` declares it.
    public struct End: Setting, Hashable {
        /// The clause as a declaration writes it.
        public static var clauseName: String { "Events.until" }

        /// The data.
        public let data: String

        /// The data.
        public var summary: String { data }

        /// Whether a message is the end.
        func holds(_ message: EventStreamParser.Message) -> Bool { message.data.elementsEqual(data.utf8) }
    }
}

extension Events where Value == Never {
    /// Declares that the stream continues over another connection, for a `POST` too.
    ///
    /// Without it, a `GET` is sent again when its response ends or breaks off, and another method is not. The request
    /// then has the field `Last-Event-ID`. The server may set another time by the field `retry` of its events, from 100
    /// milliseconds to 5 minutes, and end the stream by the status 204. If no connection can be made, or each ends
    /// without an event before that time and a second have passed, the time doubles, from a second up to a minute.
    ///
    /// After a failure another connection follows only if its cause passes by itself: the network, a ``Timeout``, an
    /// open circuit, a token server that cannot be reached. Any other failure ends the stream with its error.
    ///
    /// - Parameter time: the time between a connection's end and the next request.
    /// - Returns: the clause.
    public static func reconnection(after time: Duration = .seconds(3)) -> Reconnection { Reconnection(time: time) }

    /// The clause that ends a stream with its response, also for a `GET`.
    public static var noReconnection: Reconnection { Reconnection(time: nil) }

    /// The rule for a stream whose connection ends; ``Events/reconnection(after:)`` declares it.
    public struct Reconnection: Setting, Hashable {
        /// The time of a stream that declares none.
        static var defaultTime: Duration { .seconds(3) }

        /// The clause as a declaration writes it.
        public static var clauseName: String { "Events.reconnection" }

        /// The time between a connection's end and the next request; nil for no other connection.
        public let time: Duration?

        /// The time.
        public var summary: String { time.map { "after \($0.shown)" } ?? "none" }
    }
}

extension Events where Value == Never {
    /// Ignores events whose name is not a case of a ``NamedEvent``.
    ///
    /// ```swift
    /// endpoint {
    ///     GET("stock/events")
    ///     Events.ignoreUnknown()
    /// }
    /// ```
    ///
    /// Without it, such an event is an ``APIError/decoding(_:)``. Data that is a problem declared for the status of the
    /// response is that problem, whatever the name of its event is.
    public static func ignoreUnknown() -> IgnoredUnknown { IgnoredUnknown() }

    /// The clause that ignores events with unknown names; ``Events/ignoreUnknown()`` declares it.
    public struct IgnoredUnknown: Setting {
        /// The clause as a declaration writes it.
        public static var clauseName: String { "Events.ignoreUnknown" }

        /// The text `yes`.
        public var summary: String { "yes" }
    }
}

/// An enum whose cases are the names of server-sent events.
///
/// ```swift
/// enum StockEvent: NamedEvent {
///     case added(Product)                 // event: added, the data is a product
///     case moved(id: Int, shelf: String)  // event: moved, the data is {"id": 7, "shelf": "B"}
///     case note(String)                   // event: note, the data is a text
///     case closed                         // event: closed, the data is not read
/// }
/// ```
///
/// The compiler writes the initializer, as for every `Decodable` enum: in ``Events``, the name of the event chooses the
/// case. An associated value without a label is the data as a whole, and one with a label is a member of the data.
/// `CodingKeys` give a case another name, which is compared letter by letter: `case added = "product.added"`. An event
/// without a name has the name `message`.
///
/// An event with another name is an ``APIError/decoding(_:)``, unless ``Events/ignoreUnknown()`` ignores it, or its
/// data is a problem that is declared for the status of the response.
public protocol NamedEvent: Decodable, Sendable {}

extension Endpoint {
    /// Sends the call and returns its server-sent events one by one, as they arrive.
    ///
    /// It returns when the head of the response has come. When the connection ends, ``Events/reconnection(after:)``
    /// decides whether another one is made; each has the ``Timeout`` of a call of its own. A response with the status
    /// 204 ends the stream. Comments are ignored, and keep the idle limit of a transport from ending the
    /// connection.
    ///
    /// - Returns: the events.
    /// - Throws: ``APIError``; ``APIError/status(_:)`` for a failed status, and for a declared problem in place of the
    ///   events; ``APIError/decoding(_:)`` for another response without events.
    public func stream<Data: Decodable & Sendable>() async throws(APIError) -> Events<Data>.Stream
    where Value == Events<Data> {
        let plan = try planForCall()
        let connection = try await EventConnection(client.open(plan), lastID: "")
        return Events<Data>.Stream(EventSource(endpoint: self, plan: plan, connection))
    }
}

extension Events where Value: Decodable {
    /// Server-sent events, each decoded when it has arrived.
    ///
    /// ```swift
    /// let changes: Endpoint<Events<Product>> = shop.endpoint { GET("products/changes") }
    /// for try await event in try await changes.stream() { print(event.data.name) }
    /// ```
    ///
    /// A slow reader applies back-pressure. When the loop is left and the stream is not kept, or when the task is
    /// cancelled, the connection is closed. The events can be read once, by one task: a second loop continues where the
    /// first has stopped. An event has at most as many bytes as ``BodyLimits`` allow for a successful body.
    public struct Stream: AsyncSequence, Sendable {
        /// An event.
        public typealias Element = Events<Value>.Event

        private let source: EventSource<Value>

        init(_ source: EventSource<Value>) { self.source = source }

        /// Starts reading.
        public func makeAsyncIterator() -> Iterator { Iterator(source) }

        /// An iterator over the events.
        public struct Iterator: AsyncIteratorProtocol {
            @usableFromInline let decoded: DecodedElements<Element>
            private let source: EventSource<Value>

            init(_ source: EventSource<Value>) {
                decoded = source.decoded
                self.source = source
            }

            /// Returns the next event; nil at the end of the stream.
            ///
            /// - Throws: ``APIError/decoding(_:)`` for data that cannot be decoded, ``APIError/status(_:)`` for data
            ///   that is a problem declared for this status, and for a connection that is rejected;
            ///   ``APIError/transport(_:)``, ``APIError/timeout(_:)`` and ``APIError/cancelled(_:)``. The stream is
            ///   then over.
            @inlinable
            public mutating func next() async throws(APIError) -> Element? {
                if let event = decoded.next() { return event }
                return try await decodeNext()
            }

            @usableFromInline
            func decodeNext() async throws(APIError) -> Element? { try await source.next() }
        }
    }
}

extension Events.Stream: CustomStringConvertible, CustomReflectable {
    /// The type of the events.
    public var description: String { "a stream of events of \(Value.self)" }

    /// The type of the events.
    public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}
