import Foundation
import Waybill

/// How an answer goes out: what it waits for, in which pieces it is sent, and how it ends.
struct Delivery: Sendable {
    /// Something that an answer waits for.
    enum Wait: Sendable {
        case duration(Duration)
        case gate(Gate)
        /// Until whoever asked gives up.
        case forever
    }

    /// Sending a body in small pieces.
    struct Drip: Sendable, Hashable {
        var bytes: Int
        var pause: Duration
    }

    /// Bytes behind a complete answer.
    struct LateBytes: Sendable {
        var bytes: Data
        var pause: Duration
        /// Is opened when they are sent.
        var gate: Gate?
    }

    /// What becomes of the connection.
    enum Ending: Sendable, Hashable {
        /// It stays open for the next request.
        case keepsAlive
        /// It is closed after the answer; the head says so, or it does not.
        case closes(announced: Bool)
        /// It is closed or reset before the answer is complete.
        case cut(Answer.CutPoint, isReset: Bool)
    }

    var beforeHead: [Wait] = []
    var beforeBody: [Wait] = []
    var drip: Drip?
    /// The bytes of each chunk, where the body is sent in chunked transfer coding; otherwise nil.
    var chunkSize: Int?
    var lateBytes: LateBytes?
    var ending = Ending.keepsAlive
    /// Whether the body is everything that is sent: no head is made for it.
    var isRaw = false
    /// The error that a stub throws in place of an answer.
    var failure: TransportError?
}
