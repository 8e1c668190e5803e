import Foundation
import Waybill

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
