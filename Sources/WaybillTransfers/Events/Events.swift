import Waybill
import WaybillSystem

/// The value of an endpoint that returns server-sent events (WHATWG HTML, section 9.2).
///
/// ```swift
/// let changes: Endpoint<Events<Product>> = shop.endpoint {
///     GET("products/changes")
///     Events.End("[DONE]")
/// }
/// for try await event in try await changes.stream() { print(event.data.name) }
/// ```
///
/// The scope's decoder decodes the data of each event, except that a `String` value receives its text and a `Data`
/// value its bytes. If the value is a ``NamedEvent``, the event's name selects the enum case. `Endpoint.send()` reads
/// all events up to the end event or the end of the response.
///
/// Data that cannot be decoded is an error. With `DropInvalidItems`, the event is instead dropped, and reported in the
/// `droppedItems` of the ``Stream`` or the response.
public struct Events<Value: Sendable>: Sendable {
    /// An event with its data, name and ID.
    public struct Event: Sendable {
        /// The decoded data.
        public let data: Value

        /// The name from the `event` field; `message` if the server sends none.
        public let name: String

        /// The last event ID sent by the server, with this event or an earlier one; empty if there was no ID.
        public let id: String

        /// Creates an event, for tests.
        ///
        /// - Parameters:
        ///   - data: the decoded data.
        ///   - name: the name of the event; `message` for an unnamed event.
        ///   - id: the last event ID; empty if there is no ID.
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
    /// Declares an endpoint that receives server-sent events.
    ///
    /// The request accepts `text/event-stream`, unless a `Header` clause sets another value.
    ///
    /// - Parameters:
    ///   - type: the type of the events.
    ///   - clauses: the endpoint's route, and any further clauses.
    /// - Returns: the endpoint.
    public func endpoint<Value: Decodable & Sendable>(
        _ type: Events<Value>.Type = Events<Value>.self,
        @Scope.EndpointBuilder _ clauses: () -> Scope
    ) -> Endpoint<Events<Value>> {
        Endpoint<Events<Value>>(client: client, declaration: clauses(), reader: .events()).acceptingEvents
    }
}

extension Endpoint {
    /// A copy of the endpoint that requests `text/event-stream` and no cached response, unless an inner scope overrides
    /// these header fields.
    package var acceptingEvents: Endpoint {
        var accepted = Scope("events")
        Header(.accept, "text/event-stream").declare(in: &accepted)
        Header(.cacheControl, "no-cache").declare(in: &accepted)
        return Endpoint(client: client, scopes: [accepted] + scopes, target: target, reader: reader, reread: reread)
    }
}

extension ValueReader {
    /// Returns a reader of all events in a body.
    package static func events<Data: Decodable & Sendable>() -> Self where Value == Events<Data> {
        Self { (reply, plan, extras) throws(APIError) in
            if let error = UnreadableBody(withoutEvents: reply, plan) {
                throw .decoding(reply.failure(error, decoding: "\(Events<Data>.self)", plan: plan))
            }
            var parser = EventStreamParser(of: plan)
            var events: [Events<Data>.Event] = []
            var dropped: [WaybillJSONDecoder.DroppedItem] = []
            let reader = EventReader<Data>(plan: plan, status: reply.status)
            parser.append(reply.body)
            var index = 0
            var isAtEnd = false
            while !isAtEnd, let message = parser.next() {
                isAtEnd = reader.isEnd(message)
                guard reader.isReturned(message) else { continue }
                switch try reader.event(message, at: index, of: reply) {
                case .success(let event)?: events.append(event)
                case .failure(let item)?: dropped.append(item)
                case nil: break
                }
                index += 1
            }
            if !isAtEnd, let failure = reader.missingEnd(of: reply, isWithinEvent: parser.isWithinEvent) {
                throw failure
            }
            return Reading(Events(events), of: reply, Reply.Extras(missing: extras, dropped: dropped))
        }
    }
}

extension Events where Value == Never {
    /// A clause that reconnects an event stream when its connection ends, even if the method is not `GET`.
    ///
    /// ```swift
    /// Events.Reconnection(after: .seconds(1))
    /// Events.Reconnection.none            // the stream ends with its response
    /// ```
    ///
    /// Without the clause, only `GET` streams reconnect, 3 seconds after the connection ends. Each new request contains
    /// the last event ID, if any, in the `Last-Event-ID` field. The server can set the wait to between 100 milliseconds
    /// and 5 minutes with the `retry` field of an event, and can end the stream with status 204. Repeated failures to
    /// connect, and repeated connections that end without an event within the wait (or within a second, if that is
    /// longer), double the wait, up to a minute.
    ///
    /// After a failure, the stream reconnects only if the cause may be temporary: the network, a `Timeout`, an open
    /// circuit, or an unreachable token server. Any other failure ends the stream with its error.
    public struct Reconnection: Setting, Hashable {
        /// The default wait before reconnecting.
        static var defaultWait: Duration { .seconds(3) }

        /// The clause's name in declarations.
        public static var clauseName: String { "Events.Reconnection" }

        /// The time from the end of a connection to the next request; nil for ``none``.
        public let wait: Duration?

        /// Creates the clause, which enables reconnection.
        ///
        /// - Parameter wait: the time from the end of a connection to the next request.
        public init(after wait: Duration = .seconds(3)) { self.wait = wait }

        private init() { wait = nil }

        /// No reconnection: the stream ends with its response, even for a `GET`.
        public static var none: Self { Self() }

        /// The wait before reconnecting.
        public var summary: String { wait.map { "after \($0.shown)" } ?? "none" }
    }
}

extension Events where Value == Never {
    /// A clause that ignores events whose name matches no case of a ``NamedEvent``.
    ///
    /// ```swift
    /// endpoint {
    ///     GET("stock/events")
    ///     Events.IgnoreUnknown()
    /// }
    /// ```
    ///
    /// Without the clause, such an event is an `APIError.decoding` error. Data that is a declared problem is an
    /// `APIError.status` error, regardless of the event's name.
    public struct IgnoreUnknown: Setting {
        /// The clause's name in declarations.
        public static var clauseName: String { "Events.IgnoreUnknown" }

        let isOn: Bool

        /// Creates the clause, which ignores events with unknown names.
        public init() { isOn = true }

        private init(isOn: Bool) { self.isOn = isOn }

        /// Events with unknown names are errors, even if an outer scope declares the clause.
        public static var none: Self { Self(isOn: false) }

        /// `yes` if events are ignored, otherwise `none`.
        public var summary: String { isOn ? "yes" : "none" }
    }
}

/// An enum whose cases are the names of server-sent events.
///
/// ```swift
/// enum StockEvent: NamedEvent {
///     case added(Product)                 // event: added, the data is a product
///     case moved(id: Int, shelf: String)  // event: moved, the data is {"id": 7, "shelf": "B"}
///     case note(String)                   // event: note, the data is text
///     case closed                         // event: closed, the data is not read
/// }
/// ```
///
/// The compiler synthesizes the decoding initializer. In ``Events``, the event's name selects the case; an unnamed
/// event has the name `message`. An unlabeled associated value is decoded from the entire data, and a labeled one from
/// a member of the data. `CodingKeys` can map a case to a different event name, such as `case added = "product.added"`;
/// names are case-sensitive.
///
/// An event with a name that matches no case is an `APIError.decoding` error, unless ``Events/IgnoreUnknown``
/// ignores it or its data is a declared problem.
public protocol NamedEvent: Decodable, Sendable {}

extension Endpoint {
    /// Sends the call and returns its server-sent events as they arrive.
    ///
    /// The call returns when the head of the response has arrived. When the connection ends, ``Events/Reconnection``
    /// determines whether the stream reconnects; a `Timeout` applies to each connection separately. A response with
    /// status 204 ends the stream. Comments are ignored, but reset the transport's idle timeout.
    ///
    /// - Returns: the stream of events.
    /// - Throws: `APIError`; `APIError.status` for a failed status or a declared problem;
    ///   `APIError.decoding` for any other response without events.
    public func stream<Data: Decodable & Sendable>() async throws(APIError) -> Events<Data>.Stream
    where Value == Events<Data> {
        let plan = try planForCall()
        let connection = try await EventConnection(client.open(plan), lastID: "")
        return Events<Data>.Stream(EventSource(endpoint: self, plan: plan, connection))
    }
}

extension Events where Value: Decodable {
    /// Server-sent events, decoded as they arrive.
    ///
    /// ```swift
    /// let changes: Endpoint<Events<Product>> = shop.endpoint { GET("products/changes") }
    /// for try await event in try await changes.stream() { print(event.data.name) }
    /// ```
    ///
    /// A slow reader applies back-pressure. Cancelling the task, or leaving the loop without keeping the stream, closes
    /// the connection. The events can be read only once, by one task; a second loop continues where the first stopped.
    /// The `BodyLimits` for successful responses limit the size of each event.
    public struct Stream: AsyncSequence, Sendable {
        /// An event.
        public typealias Element = Events<Value>.Event

        private let source: EventSource<Value>

        init(_ source: EventSource<Value>) { self.source = source }

        /// The first 100 events that `DropInvalidItems` has dropped so far.
        public var droppedItems: [WaybillJSONDecoder.DroppedItem] { source.dropped.first }

        /// The number of events that `DropInvalidItems` has dropped so far.
        public var droppedItemCount: Int { source.dropped.count }

        /// Returns an iterator that continues at the current position in the stream.
        ///
        /// - Returns: the iterator.
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
            /// An error ends the stream.
            ///
            /// - Returns: the event; nil at the end of the stream.
            /// - Throws: `APIError.decoding` for data that cannot be decoded; `APIError.status` for a
            ///   declared problem or a rejected connection; `APIError.transport`, `APIError.timeout` or
            ///   `APIError.cancelled`.
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

extension Events.Stream: CustomStringConvertible, PartlyShown {
    /// The type of the events.
    public var description: String { "a stream of \(Value.self) events" }

    /// The type of the events.
    package var shownParts: KeyValuePairs<String, Any> { ["description": description] }
}
