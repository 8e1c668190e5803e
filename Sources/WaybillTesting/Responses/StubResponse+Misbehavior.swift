import Foundation
import Waybill

extension StubResponse.Expression {
    /// Creates a response from bytes that are sent as they stand, in place of head and body.
    ///
    /// A stub throws `TransportError.Kind.invalidResponse`.
    ///
    /// - Parameters:
    ///   - bytes: the bytes on the wire.
    ///   - closing: whether the connection is closed afterwards.
    /// - Returns: the response.
    public static func raw(_ bytes: some Sequence<UInt8>, closing: Bool = true) -> Self {
        var raw = StubResponse(body: Data(bytes))
        raw.delivery.isRaw = true
        if closing { raw.delivery.ending = .closes(announced: false) }
        return response(raw)
    }

    /// Creates a response from text that is sent as it stands, in UTF-8, in place of head and body.
    ///
    /// ```swift
    /// let response = StubResponse.raw("HTTP/1.1 200 OK\r\nX-Folded: a\r\n b\r\n\r\n")
    /// ```
    ///
    /// - Parameters:
    ///   - text: the text on the wire, whose lines end in `\r\n` if they are those of HTTP.
    ///   - closing: whether the connection is closed afterwards.
    /// - Returns: the response.
    public static func raw(_ text: String, closing: Bool = true) -> Self { raw(Array(text.utf8), closing: closing) }

    /// A status line that is not one of HTTP.
    public static var garbage: Self { raw("this is not HTTP\r\n\r\n") }

    /// A response that is never sent: it waits until the client gives up or the server stops.
    public static var never: Self {
        var never = StubResponse()
        never.delivery.beforeHead = [.forever]
        return response(never)
    }

    /// Creates an error in place of a response.
    ///
    /// - Parameter error: the error that a stub throws; a server resets the connection before the head instead.
    /// - Returns: the response.
    public static func failure(_ error: TransportError) -> Self {
        var failing = StubResponse()
        failing.delivery.failure = error
        failing.delivery.ending = .cut(.beforeHead, isReset: true)
        return response(failing)
    }

    /// Creates a short response in the middle of which the connection is reset.
    public static func reset(_ point: StubResponse.CutPoint) -> Self { text("a response that is cut").reset(point) }
}

extension StubResponse.Expression {
    /// Waits before the head is sent.
    ///
    /// To wait for an event of the test, hold the response by a ``Gate`` (``held(by:)``).
    ///
    /// - Parameter duration: the time, by the clock of a stub; a server counts in whole milliseconds, rounded up.
    /// - Returns: the changed response.
    public func delayed(_ duration: Duration) -> Self {
        modified { $0.delivery.beforeHead.append(.duration(duration)) }
    }

    /// Waits between the head and the body.
    ///
    /// - Parameter duration: the time, by the clock of a stub; a server counts in whole milliseconds, rounded up.
    /// - Returns: the changed response.
    public func bodyDelayed(_ duration: Duration) -> Self {
        modified { $0.delivery.beforeBody.append(.duration(duration)) }
    }

    /// Holds the head back until the gate is open.
    public func held(by gate: Gate) -> Self { modified { $0.delivery.beforeHead.append(.gate(gate)) } }

    /// Sends the head, and holds the body back until the gate is open.
    public func bodyHeld(by gate: Gate) -> Self { modified { $0.delivery.beforeBody.append(.gate(gate)) } }

    /// Sends the head, and never the body.
    public func bodyNever() -> Self { modified { $0.delivery.beforeBody.append(.forever) } }

    /// Sends the body in pieces, with a pause after each but the last.
    ///
    /// The response of ``raw(_:closing:)-(String,_)`` is sent in pieces as a whole.
    ///
    /// - Parameters:
    ///   - bytes: the number of bytes in a piece, at least 1.
    ///   - pause: the time between two pieces; a server counts in whole milliseconds, rounded up.
    /// - Returns: the changed response.
    public func dripped(bytes: Int, every pause: Duration) -> Self {
        modified { $0.delivery.drip = Delivery.Drip(bytes: max(1, bytes), pause: pause) }
    }

    /// Sends the body in chunked transfer coding (RFC 9112, section 7.1), so that its length is not known in advance.
    ///
    /// An HTTP/1.0 client, which does not know the coding, gets the body as it is, and the connection is closed.
    ///
    /// - Parameter size: the most bytes of a chunk, at least 1.
    /// - Returns: the changed response.
    public func chunked(size: Int = 8192) -> Self { modified { $0.delivery.chunkSize = max(1, size) } }

    /// Sends further bytes over the same connection after the complete response, without a request.
    ///
    /// Load balancers send a 408 like this before they close an idle connection. A client must not take the bytes for
    /// the response to its next request. A stub does not show them.
    ///
    /// ```swift
    /// let gate = Gate()
    /// let late = "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    /// let response = StubResponse.json("[]").followed(by: Array(late.utf8), after: .milliseconds(5), opening: gate)
    /// ```
    ///
    /// - Parameters:
    ///   - bytes: the bytes.
    ///   - pause: the time between the response and the bytes; a server counts in whole milliseconds, rounded up.
    ///   - gate: a gate that a server opens when it has sent the bytes.
    /// - Returns: the changed response.
    public func followed(
        by bytes: some Sequence<UInt8>,
        after pause: Duration = .zero,
        opening gate: Gate? = nil
    ) -> Self {
        let late = Delivery.LateBytes(bytes: Data(bytes), pause: pause, gate: gate)
        return modified { $0.delivery.lateBytes = late }
    }

    /// Closes the connection after the response.
    ///
    /// - Parameter announced: whether the head says so (`Connection: close`). If it does not, the client finds out at
    ///   its next request, as with a server that drops idle connections.
    /// - Returns: the changed response.
    public func closing(announced: Bool = true) -> Self {
        modified { $0.delivery.ending = .closes(announced: announced) }
    }

    /// Closes the connection in the middle of the response; what was sent before arrives.
    ///
    /// - Parameter point: the place. At a stub, the call fails there as `connectionLost`.
    /// - Returns: the changed response.
    public func closed(_ point: StubResponse.CutPoint) -> Self {
        modified { $0.delivery.ending = .cut(point, isReset: false) }
    }

    /// Resets the connection in the middle of the response (TCP RST).
    ///
    /// Bytes sent just before may be lost with it; to be sure that a client has read the head, combine it with
    /// ``bodyHeld(by:)``.
    ///
    /// - Parameter point: the place. At a stub, the call fails there as `connectionLost`.
    /// - Returns: the changed response.
    public func reset(_ point: StubResponse.CutPoint) -> Self {
        modified { $0.delivery.ending = .cut(point, isReset: true) }
    }

    /// Declares the length of the whole body, and closes the connection after some bytes of it.
    ///
    /// In chunked coding a chunk is cut, or the last chunk is missing. It is short for ``closed(_:)`` with
    /// ``StubResponse/CutPoint/afterBodyBytes(_:)``.
    ///
    /// - Parameter count: the number of bytes of the body that are sent.
    /// - Returns: the changed response.
    public func truncated(after count: Int) -> Self { closed(.afterBodyBytes(count)) }
}

/// The delivery of a response: what it waits for, in which pieces it is sent, and how it ends.
struct Delivery: Sendable {
    /// Something that a response waits for.
    enum Wait: Sendable {
        case duration(Duration)
        case gate(Gate)
        /// A wait until the client gives up.
        case forever
    }

    /// The size of the pieces in which a body is sent, and the pause between them.
    struct Drip: Sendable, Hashable {
        var bytes: Int
        var pause: Duration
    }

    /// Bytes that follow a complete response.
    struct LateBytes: Sendable {
        var bytes: Data
        var pause: Duration
        /// The gate that is opened when the bytes are sent.
        var gate: Gate?
    }

    /// The state of the connection after the response.
    enum Ending: Sendable, Hashable {
        /// The connection stays open for the next request.
        case keepsAlive
        /// The connection is closed after the response; `announced` if the head says so.
        case closes(announced: Bool)
        /// The connection is closed or reset before the response is complete.
        case cut(StubResponse.CutPoint, isReset: Bool)
    }

    var beforeHead: [Wait] = []
    var beforeBody: [Wait] = []
    var drip: Drip?
    /// The bytes of each chunk if the body is sent in chunked transfer coding; otherwise nil.
    var chunkSize: Int?
    var lateBytes: LateBytes?
    var ending = Ending.keepsAlive
    /// Whether the body is sent without a head.
    var isRaw = false
    /// The error that a stub throws in place of a response.
    var failure: TransportError?
}
