/// The rule for a stream of server-sent events whose connection ends.
///
/// ```swift
/// Reconnection(after: .seconds(1))     // for a POST, too
/// Reconnection.none
/// ```
///
/// Without it, a `GET` is sent again when its response ends or breaks off, and another method is not. The request then
/// has the field `Last-Event-ID`. The server may set another time by the field `retry` of its events, from 100
/// milliseconds to 5 minutes, and end the stream by the status 204. While no connection comes about, or each ends
/// without an event before that time and a second have passed, the time doubles, from a second up to a minute.
public struct Reconnection: Setting, Hashable {
    /// The time between a connection's end and the next request; nil for no other connection.
    public let time: Duration?

    /// The time of a stream that declares none.
    static let defaultTime: Duration = .seconds(3)

    /// Declares that the stream goes on over another connection, after a time.
    public init(after time: Duration = .seconds(3)) { self.time = time }

    private init() { time = nil }

    /// No other connection: the stream ends with the response.
    public static let none = Reconnection()

    /// The time.
    public var summary: String { time.map { "after \($0.shown)" } ?? "none" }
}
