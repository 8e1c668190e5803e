import Waybill
import WaybillSystem

extension Events where Value == Never {
    /// The event that ends a stream of events.
    ///
    /// ```swift
    /// endpoint {
    ///     POST("chat/completions")
    ///     Events.End("[DONE]")
    /// }
    /// ```
    ///
    /// The connection is closed when this event arrives. If the response ends earlier, the stream throws an
    /// `APIError.decoding` error unless it reconnects.
    ///
    /// `Events.End.none` turns off the clause of an outer scope.
    public struct End: Setting, Hashable {
        /// The property that identifies the event.
        package enum Mark: Sendable, Hashable {
            /// The event's data; the event is not returned.
            case data(String)
            /// One of these names.
            case names([String])
            /// A member of the event's data.
            case member(Decode.StreamFormat.End)
            /// No event.
            case noEvent
        }

        /// The property that identifies the event.
        package let mark: Mark

        private init(mark: Mark) { self.mark = mark }

        /// Declares the data of the event that ends the stream; the event itself is not returned.
        ///
        /// - Parameter data: the data to compare with, byte by byte.
        public init(_ data: String) { self.init(mark: .data(data)) }

        /// Declares the name of the event that ends the stream.
        ///
        /// ```swift
        /// endpoint {
        ///     POST("messages")
        ///     Events.End(named: "message_stop")
        /// }
        /// ```
        ///
        /// The event is returned like any other, because its data may be the result: some servers send the complete
        /// result in the last event. It is not returned if it has no data, or if it matches no case of a
        /// ``NamedEvent``.
        ///
        /// - Parameters:
        ///   - name: the value of the `event` field, compared byte by byte; an empty name or one with a line break is a
        ///     declaration error.
        ///   - others: the names of other events that end the stream, such as a failure event.
        public init(named name: String, _ others: String...) { self.init(mark: .names([name] + others)) }

        /// Declares the member of the data that identifies the last event.
        ///
        /// ```swift
        /// endpoint {
        ///     POST("generate")
        ///     Events.End(at: "done", is: true)  // data: {"text":"","done":true,"tokens":290}
        /// }
        /// ```
        ///
        /// The event is returned like any other. Data that is not JSON never ends the stream. For JSON Lines, use
        /// `Decode.StreamFormat(.jsonLines, until: "done", is: true)`.
        ///
        /// - Parameters:
        ///   - step: the first key or index on the path to the member, as spelled in the JSON.
        ///   - steps: the remaining keys and indices.
        ///   - value: the value of the member in the last event.
        ///   - others: further values that end the stream.
        public init(
            at step: EnvelopeKey,
            _ steps: EnvelopeKey...,
            is value: JSONValue,
            _ others: JSONValue...
        ) {
            self.init(mark: .member(Decode.StreamFormat.End(path: [step] + steps, values: [value] + others)))
        }

        /// No end event, even if an outer scope declares one.
        public static var none: Self { Self(mark: .noEvent) }

        /// The clause's name in declarations.
        public static var clauseName: String { "Events.End" }

        /// The data, the names or the member of the end event, or `none`.
        public var summary: String {
            switch mark {
            case .data(let data): data
            case .names(let names): "named \(names.joined(separator: " or "))"
            case .member(let member): "\(member)"
            case .noEvent: "none"
            }
        }

        /// Declares the end event, and an error for each name that no event can have.
        ///
        /// - Parameter scope: the scope to declare it in.
        public func declare(in scope: inout Scope) {
            for name in names where name.isEmpty || name.utf8.contains(where: { "\r\n".utf8.contains($0) }) {
                scope.declare(
                    Scope.DeclarationError(
                        clause: Self.clauseName,
                        value: "named: \(String(reflecting: name))",
                        reason: "an event's name is not empty and has no line break; an event without a name is"
                            + " called \"message\""
                    )
                )
            }
            scope.declare(self)
        }

        /// The names that identify the event; empty if its data identifies it.
        var names: [String] { if case .names(let names) = mark { names } else { [] } }

        /// Whether a message is the end event.
        func holds(_ message: EventStreamParser.Message) -> Bool {
            switch mark {
            case .data(let data): return message.hasData && message.data.elementsEqual(data.utf8)
            case .names(let names): return names.contains { $0.utf8.elementsEqual(message.name.utf8) }
            case .member(let member):
                let value = try? JSONDefaults.lenientDecoder.decode(JSONValue.self, from: message.data)
                return value.map { member.marks($0) } ?? false
            case .noEvent: return false
            }
        }

        /// Whether the end event is returned, rather than only marking the stream's end.
        var isReturned: Bool { if case .data = mark { false } else { true } }
    }
}

extension Scope.Settings {
    /// The declared end of an event stream; nil if none is declared.
    package var eventStreamEnd: Events<Never>.End? {
        self[Events<Never>.End.self].flatMap { $0.mark == .noEvent ? nil : $0 }
    }
}

extension Events<Never>.End {
    /// Returns the failure for a response that ended before the declared end event.
    ///
    /// - Parameters:
    ///   - reply: the head of the response.
    ///   - plan: the plan of the call.
    ///   - isWithinEvent: whether the response ended within another event.
    /// - Returns: the failure.
    func failure(ofMissingEnd reply: Reply, to plan: Call.Plan, isWithinEvent: Bool = false) -> APIError {
        let error = UnreadableBody(
            "the response ended \(isWithinEvent ? "within an event, " : "")before \(event), the end that Events.End"
                + " declares; events may be missing: send the call again, or remove Events.End if the server does not"
                + " always send that event"
        )
        return .decoding(
            APIError.DecodingFailure(error, inEventData: Data(), of: reply, decoding: "Events", plan: plan)
        )
    }

    /// The event's description in an error text.
    private var event: String {
        switch mark {
        case .data(let data): "the event \(Self.quoted(data))"
        case .names(let names): "the event \(names.map(Self.quoted).joined(separator: " or "))"
        case .member(let member): "an event with \(member)"
        case .noEvent: "no event"
        }
    }

    private static func quoted(_ text: String) -> String {
        String(reflecting: text.count > 100 ? "\(text.prefix(100))…" : text)
    }
}
