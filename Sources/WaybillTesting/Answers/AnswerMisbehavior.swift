import Foundation
import Waybill

extension AnswerExpression {
    /// Bytes that are sent as they stand in place of a whole response, head and all.
    ///
    /// A stub cannot show them to its client: it throws `TransportError.Kind.invalidResponse`.
    ///
    /// - Parameters:
    ///   - bytes: what goes over the wire.
    ///   - closing: whether the connection is closed afterwards.
    public static func raw(_ bytes: some Sequence<UInt8>, closing: Bool = true) -> Self {
        var raw = Answer(body: Data(bytes))
        raw.delivery.isRaw = true
        if closing { raw.delivery.ending = .closes(announced: false) }
        return answer(raw)
    }

    /// Text that is sent as it stands, in UTF-8, in place of a whole response, head and all.
    ///
    /// ```swift
    /// .raw("HTTP/1.1 200 OK\r\nX-Folded: a\r\n b\r\n\r\n")
    /// ```
    public static func raw(_ text: String, closing: Bool = true) -> Self { raw(Array(text.utf8), closing: closing) }

    /// A status line that is not one of HTTP.
    public static var garbage: Self { raw("this is not HTTP\r\n\r\n") }

    /// An answer that never comes: it waits until whoever asked gives up, or the server stops.
    public static var never: Self {
        var never = Answer()
        never.delivery.beforeHead = [.forever]
        return answer(never)
    }

    /// An error in place of an answer: a stub throws it, a server resets the connection before the head.
    public static func failure(_ error: TransportError) -> Self {
        var failing = Answer()
        failing.delivery.failure = error
        failing.delivery.ending = .cut(.beforeHead, isReset: true)
        return answer(failing)
    }

    /// A connection that is reset in the middle of an answer of a few bytes.
    public static func reset(_ point: Answer.CutPoint) -> Self { text("an answer that is cut").reset(point) }
}

extension AnswerExpression {
    /// Waits before the head is sent.
    ///
    /// A server counts in whole milliseconds, rounded up.
    ///
    /// A ``Gate`` (``held(by:)``) needs no guess at how long is long enough.
    public func delayed(_ duration: Duration) -> Self {
        modified { $0.delivery.beforeHead.append(.duration(duration)) }
    }

    /// Waits between the head and the body.
    ///
    /// A server counts in whole milliseconds, rounded up.
    public func bodyDelayed(_ duration: Duration) -> Self {
        modified { $0.delivery.beforeBody.append(.duration(duration)) }
    }

    /// Holds the head back until the gate is open.
    public func held(by gate: Gate) -> Self { modified { $0.delivery.beforeHead.append(.gate(gate)) } }

    /// Sends the head, and holds the body back until the gate is open.
    public func bodyHeld(by gate: Gate) -> Self { modified { $0.delivery.beforeBody.append(.gate(gate)) } }

    /// Sends the head, and never the body.
    public func bodyNever() -> Self { modified { $0.delivery.beforeBody.append(.forever) } }

    /// Sends the body so many bytes at a time (at least 1), with a pause after each piece but the last.
    ///
    /// Of ``raw(_:closing:)-(String,_)`` everything is sent that way.
    public func dripped(bytes: Int, every pause: Duration) -> Self {
        modified { $0.delivery.drip = Delivery.Drip(bytes: max(1, bytes), pause: pause) }
    }

    /// Sends the body in chunked transfer coding (RFC 9112, section 7.1), so that its length is not known in advance.
    ///
    /// To an HTTP/1.0 client, which does not know it, the body is sent as it is and the connection closed.
    ///
    /// - Parameter size: the most bytes of a chunk, at least 1.
    public func chunked(size: Int = 8192) -> Self { modified { $0.delivery.chunkSize = max(1, size) } }

    /// Sends further bytes behind the complete answer, over the same connection, which nobody has asked for.
    ///
    /// Balancers do so when they give an idle connection up, with a 408. A client must not take the bytes for the
    /// response to its next request. A stub does not show them.
    ///
    /// ```swift
    /// let gate = Gate()
    /// let late = "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    /// "GET products": .json("[]").followed(by: Array(late.utf8), after: .milliseconds(5), opening: gate)
    /// ```
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - pause: The time between the answer and the bytes; a server counts in whole milliseconds, rounded up.
    ///   - gate: A gate that a server opens when it has sent the bytes.
    public func followed(
        by bytes: some Sequence<UInt8>,
        after pause: Duration = .zero,
        opening gate: Gate? = nil
    ) -> Self {
        let late = Delivery.LateBytes(bytes: Data(bytes), pause: pause, gate: gate)
        return modified { $0.delivery.lateBytes = late }
    }

    /// Closes the connection after the answer.
    ///
    /// - Parameter announced: whether the head says so (`Connection: close`). Where it does not, the client comes to
    ///   know it as from a server that drops idle connections: at the next request.
    public func closing(announced: Bool = true) -> Self {
        modified { $0.delivery.ending = .closes(announced: announced) }
    }

    /// Closes the connection in the middle of the answer; what was sent before arrives.
    public func closed(_ point: Answer.CutPoint) -> Self {
        modified { $0.delivery.ending = .cut(point, isReset: false) }
    }

    /// Resets the connection in the middle of the answer (TCP RST).
    ///
    /// What was sent just before may be lost with it; to be sure that a client has read the head, combine it with
    /// ``bodyHeld(by:)``.
    public func reset(_ point: Answer.CutPoint) -> Self {
        modified { $0.delivery.ending = .cut(point, isReset: true) }
    }

    /// Promises the whole body and closes the connection after some bytes of it.
    ///
    /// In chunked coding it is the chunk that is cut, or the last chunk that is missing. The same as
    /// ``closed(_:)`` with ``Answer/CutPoint/afterBodyBytes(_:)``.
    public func truncated(after count: Int) -> Self { closed(.afterBodyBytes(count)) }
}
