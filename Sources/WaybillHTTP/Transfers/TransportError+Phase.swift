extension TransportError {
    /// The phase of a request, as of an error.
    ///
    /// The cases are in the order of the phases; a request over an open connection starts at ``sending``.
    public enum Phase: String, Sendable, Hashable, CaseIterable, Comparable {
        /// The request waited for its turn: the maximum number of requests to its origin was in flight.
        case queued = "waiting for its turn"
        /// The host's addresses were being resolved.
        case resolving = "looking up the host"
        /// A connection was being opened.
        case connecting = "connecting"
        /// TLS was being established.
        case securing = "establishing TLS"
        /// The request was being sent.
        case sending = "sending the request"
        /// The whole request was sent, and no head of a response had arrived.
        case waiting = "waiting for the response"
        /// The head of the response had arrived, and its body was not complete.
        case receiving = "receiving the body"

        /// Whether the server cannot have received any of the request.
        public var isBeforeSending: Bool { self < .sending }

        /// Compares the phases by their order.
        public static func < (left: Phase, right: Phase) -> Bool { left.place < right.place }

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
}
