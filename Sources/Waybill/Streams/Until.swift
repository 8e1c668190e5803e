import WaybillSystem

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
    /// The connection is closed at that event, and not made again.
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
