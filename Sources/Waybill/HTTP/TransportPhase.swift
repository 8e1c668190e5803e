/// How far a request had come when something befell it.
///
/// The cases stand in the order in which a request passes them; one over a connection that is open already starts at
/// ``sending``.
public enum TransportPhase: String, Sendable, Hashable, CaseIterable, Comparable {
    /// It waited for its turn: as many requests to that origin were on their way as the transport lets through.
    case queued = "waiting for its turn"
    /// The host's addresses were looked up.
    case resolving = "looking up the host"
    /// A connection was made.
    case connecting = "connecting"
    /// TLS was established.
    case securing = "establishing TLS"
    /// The request was sent.
    case sending = "sending the request"
    /// All of it was sent, and no head of a response was there yet.
    case waiting = "waiting for the response"
    /// The head of the response was there, and its body was not complete.
    case receiving = "receiving the body"

    /// Whether the server cannot have seen any of the request.
    public var isBeforeSending: Bool { self < .sending }

    /// Compares how far they are.
    public static func < (left: TransportPhase, right: TransportPhase) -> Bool { left.place < right.place }

    private var place: Int {
        switch self {
        case .queued: 0
        case .resolving: 1
        case .connecting: 2
        case .securing: 3
        case .sending: 4
        case .waiting: 5
        case .receiving: 6
        }
    }
}
