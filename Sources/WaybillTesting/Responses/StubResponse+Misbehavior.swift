import Foundation
import Waybill

extension StubResponse.Expression {
    /// Creates a response from bytes that are sent verbatim in place of a head and a body.
    ///
    /// A stub throws `TransportError(.invalidResponse)` instead.
    ///
    /// - Parameters:
    ///   - bytes: the bytes on the wire.
    ///   - closing: whether the server then closes the connection.
    /// - Returns: the response.
    public static func raw(_ bytes: some Sequence<UInt8>, closing: Bool = true) -> Self {
        var raw = StubResponse(body: Data(bytes))
        raw.delivery.isRaw = true
        if closing { raw.delivery.ending = .closes(announced: false) }
        return response(raw)
    }

    /// Creates a response from text that is sent verbatim, as UTF-8, in place of a head and a body.
    ///
    /// A stub throws `TransportError(.invalidResponse)` instead.
    ///
    /// ```swift
    /// let response = StubResponse.raw("HTTP/1.1 200 OK\r\nX-Folded: a\r\n b\r\n\r\n")
    /// ```
    ///
    /// - Parameters:
    ///   - text: the text on the wire. Line endings are not converted: HTTP requires `\r\n`.
    ///   - closing: whether the server then closes the connection.
    /// - Returns: the response.
    public static func raw(_ text: String, closing: Bool = true) -> Self { raw(Array(text.utf8), closing: closing) }

    /// A response that is not HTTP.
    public static var garbage: Self { raw("this is not HTTP\r\n\r\n") }

    /// A response that is never sent: the request waits until the client cancels it or the server stops.
    public static var never: Self {
        var never = StubResponse()
        never.delivery.beforeHead = [.forever]
        return response(never)
    }

    /// Creates a failure in place of a response.
    ///
    /// - Parameter error: the error that a stub throws; a server resets the connection before the head instead.
    /// - Returns: the response.
    public static func failure(_ error: TransportError) -> Self {
        var failing = StubResponse()
        failing.delivery.failure = error
        failing.delivery.ending = .cut(.beforeHead, isReset: true)
        return response(failing)
    }

    /// Creates a short text response that is cut by a connection reset.
    ///
    /// - Parameter point: the point of the reset. In a stub, the call fails with `connectionLost` instead.
    /// - Returns: the response.
    public static func reset(_ point: StubResponse.CutPoint) -> Self { text("a response that is cut").reset(point) }
}

extension StubResponse.Expression {
    /// Delays the head.
    ///
    /// To wait for an event in the test, use a ``Gate`` with ``held(by:)``.
    ///
    /// - Parameter duration: the time to wait. A stub measures it with its clock; a server rounds it up to whole
    ///   milliseconds.
    /// - Returns: the changed response.
    public func delayed(_ duration: Duration) -> Self {
        modified { $0.delivery.beforeHead.append(.duration(duration)) }
    }

    /// Sends the head, but delays the body.
    ///
    /// - Parameter duration: the time to wait. A stub measures it with its clock; a server rounds it up to whole
    ///   milliseconds.
    /// - Returns: the changed response.
    public func bodyDelayed(_ duration: Duration) -> Self {
        modified { $0.delivery.beforeBody.append(.duration(duration)) }
    }

    /// Holds back the response until the gate opens.
    ///
    /// - Parameter gate: the gate.
    /// - Returns: the changed response.
    public func held(by gate: Gate) -> Self { modified { $0.delivery.beforeHead.append(.gate(gate)) } }

    /// Sends the head, but holds back the body until the gate opens.
    ///
    /// - Parameter gate: the gate.
    /// - Returns: the changed response.
    public func bodyHeld(by gate: Gate) -> Self { modified { $0.delivery.beforeBody.append(.gate(gate)) } }

    /// Sends the head, but never the body.
    ///
    /// - Returns: the changed response.
    public func bodyNever() -> Self { modified { $0.delivery.beforeBody.append(.forever) } }

    /// Sends the body in pieces, pausing between them.
    ///
    /// In a ``raw(_:closing:)-(String,_)`` response, all bytes are sent in pieces.
    ///
    /// - Parameters:
    ///   - bytes: the number of bytes in a piece, at least 1.
    ///   - pause: the time between two pieces; a server rounds it up to whole milliseconds.
    /// - Returns: the changed response.
    public func dripped(bytes: Int, every pause: Duration) -> Self {
        modified { $0.delivery.drip = Delivery.Drip(bytes: max(1, bytes), pause: pause) }
    }

    /// Sends the body in chunked transfer coding (RFC 9112, section 7.1), without declaring its length in advance.
    ///
    /// For an HTTP/1.0 client, which does not support chunked coding, the body is sent as is and the connection is
    /// closed.
    ///
    /// - Parameter bytes: the maximum number of bytes in a chunk, at least 1.
    /// - Returns: the changed response.
    public func chunked(bytes: Int = 8192) -> Self { modified { $0.delivery.chunkSize = max(1, bytes) } }

    /// Sends unsolicited bytes on the connection after the complete response.
    ///
    /// Load balancers send a 408 like this before they close an idle connection. A client must not mistake the bytes
    /// for the response to its next request. A stub ignores them.
    ///
    /// ```swift
    /// let gate = Gate()
    /// let late = "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    /// let response = StubResponse.json("[]").followed(by: Array(late.utf8), after: .milliseconds(5), opening: gate)
    /// ```
    ///
    /// - Parameters:
    ///   - bytes: the bytes.
    ///   - pause: the time between the response and the bytes; a server rounds it up to whole milliseconds.
    ///   - gate: a gate that the server opens once it has sent the bytes.
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
    /// - Parameter announced: whether the head includes `Connection: close`. If false, the client notices only when it
    ///   sends its next request, as with a server that drops idle connections.
    /// - Returns: the changed response.
    public func closing(announced: Bool = true) -> Self {
        modified { $0.delivery.ending = .closes(announced: announced) }
    }

    /// Closes the connection before the response is complete.
    ///
    /// Bytes sent earlier still arrive.
    ///
    /// - Parameter point: the point of the cut. In a stub, the call fails there with `connectionLost`.
    /// - Returns: the changed response.
    public func closed(_ point: StubResponse.CutPoint) -> Self {
        modified { $0.delivery.ending = .cut(point, isReset: false) }
    }

    /// Resets the connection before the response is complete (TCP RST).
    ///
    /// Bytes sent just before the reset may be lost. To ensure that the client has read the head, combine this with
    /// ``bodyHeld(by:)``.
    ///
    /// - Parameter point: the point of the reset. In a stub, the call fails there with `connectionLost`.
    /// - Returns: the changed response.
    public func reset(_ point: StubResponse.CutPoint) -> Self {
        modified { $0.delivery.ending = .cut(point, isReset: true) }
    }

    /// Declares the length of the whole body, but closes the connection after some of its bytes.
    ///
    /// With chunked coding, a chunk is cut short or the last chunk is missing. Equivalent to ``closed(_:)`` with
    /// ``StubResponse/CutPoint/afterBodyBytes(_:)``.
    ///
    /// - Parameter count: the number of bytes of the body to send.
    /// - Returns: the changed response.
    public func truncated(afterBytes count: Int) -> Self { closed(.afterBodyBytes(count)) }
}

/// The delivery of a response: waits, pieces and ending.
struct Delivery: Sendable {
    /// A wait before a part of a response.
    enum Wait: Sendable {
        case duration(Duration)
        case gate(Gate)
        /// A wait until the client cancels or the server stops.
        case forever
    }

    /// The size of the pieces of a body, in bytes, and the pause between them.
    struct Drip: Sendable, Hashable {
        var bytes: Int
        var pause: Duration
    }

    /// Bytes sent after a complete response.
    struct LateBytes: Sendable {
        var bytes: Data
        var pause: Duration
        /// The gate to open once the bytes are sent.
        var gate: Gate?
    }

    /// The handling of the connection at the end of the response.
    enum Ending: Sendable, Hashable {
        /// The connection stays open for the next request.
        case keepsAlive
        /// The connection is closed after the response; if `announced`, the head includes `Connection: close`.
        case closes(announced: Bool)
        /// The connection is closed or reset before the response is complete.
        case cut(StubResponse.CutPoint, isReset: Bool)
    }

    var beforeHead: [Wait] = []
    var beforeBody: [Wait] = []
    var drip: Drip?
    /// The maximum number of bytes in a chunk; nil if the body is not sent in chunked transfer coding.
    var chunkSize: Int?
    var lateBytes: LateBytes?
    var ending = Ending.keepsAlive
    /// Whether the body is sent without a head.
    var isRaw = false
    /// The error that a stub throws in place of a response.
    var failure: TransportError?
}
