extension Events where Value == Never {
    /// Declares that the stream continues over another connection, for a `POST` too.
    ///
    /// Without it, a `GET` is sent again when its response ends or breaks off, and another method is not. The request
    /// then has the field `Last-Event-ID`. The server may set another time by the field `retry` of its events, from 100
    /// milliseconds to 5 minutes, and end the stream by the status 204. While no connection comes about, or each ends
    /// without an event before that time and a second have passed, the time doubles, from a second up to a minute.
    ///
    /// - Parameter time: the time between a connection's end and the next request.
    /// - Returns: the clause.
    public static func reconnection(after time: Duration = .seconds(3)) -> Reconnection { Reconnection(time: time) }

    /// The clause that ends a stream with its response; a `GET` is not sent again either.
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
