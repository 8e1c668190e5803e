import WaybillSystem

extension Endpoint {
    /// Sends the call and returns its server-sent events one by one, as they arrive.
    ///
    /// It returns when the head of the response has come. When the connection ends, ``Events/reconnection(after:)``
    /// decides whether another one is made; each has the ``Timeout`` of a call of its own. A response with the status
    /// 204 ends the stream. Comments are passed over, and keep the idle limit of a transport from ending the
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
        public func makeAsyncIterator() -> Iterator { Iterator(source: source) }

        /// Reads the events one by one.
        public struct Iterator: AsyncIteratorProtocol {
            let source: EventSource<Value>

            /// Returns the next event; nil at the end of the stream.
            ///
            /// - Throws: ``APIError/decoding(_:)`` for data that cannot be decoded, ``APIError/status(_:)`` for data
            ///   that is a problem declared for this status, and for a connection that is rejected;
            ///   ``APIError/transport(_:)``, ``APIError/timeout(_:)`` and ``APIError/cancelled(_:)``. The stream is
            ///   then over.
            public mutating func next() async throws(APIError) -> Element? { try await source.next() }
        }
    }
}

extension Events.Stream: CustomStringConvertible, CustomReflectable {
    /// The type of the events.
    public var description: String { "a stream of events of \(Value.self)" }

    /// The type of the events.
    public var customMirror: Mirror { Mirror(self, children: ["description": description], displayStyle: .struct) }
}
