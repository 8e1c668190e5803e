import WaybillSystem

/// An error of a transport: no usable response has arrived.
public struct TransportError: Error, Sendable, CustomStringConvertible, CustomReflectable {
    /// The kinds of errors, for a caller's switch.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The transport cannot send the request; nothing was sent.
        case unsupportedRequest = "the request cannot be sent by this transport"
        /// The host's name has no address.
        case cannotResolveHost = "the host could not be found"
        /// There was no network for as long as the call waited for one; nothing was sent.
        case notConnected = "there is no network"
        /// No connection could be opened; nothing was sent.
        case cannotConnect = "no connection could be made"
        /// TLS could not be established, or the server's certificate is not trusted; nothing was sent.
        case secureConnectionFailed = "no secure connection could be made"
        /// The connection ended before the response did.
        case connectionLost = "the connection was lost"
        /// The transport exceeded a time limit; ``TransportError/timeout`` is the limit.
        case timedOut = "the transport timed out"
        /// The task that sent the request was cancelled.
        case cancelled = "the request was cancelled"
        /// The response is not HTTP.
        case invalidResponse = "the response is not valid HTTP"
        /// The head exceeds its limit.
        case headTooLarge = "the head of the response is too large"
        /// The body exceeds its limit.
        case bodyTooLarge = "the body is too large"
        /// The server redirects more often than is followed.
        case tooManyRedirects = "there were too many redirects"
        /// The server redirects to a URL at which the request was before.
        case redirectLoop = "the redirects lead in a circle"
        /// The server redirects to a URL to which the request must not be sent.
        case redirectRejected = "the redirect was rejected"
        /// A requirement of the transport is missing: a library that is absent or too old, a file that cannot be read.
        case unavailable = "the transport is not available"
        /// Anything else.
        case other = "the transport failed"
    }

    /// The kind of the error.
    public let kind: Kind

    /// The phase of the request; nil if the transport does not know it.
    public let phase: TransportError.Phase?

    /// The limit that was exceeded if the kind is ``Kind/timedOut``; nil if the transport has only one.
    public let timeout: TransportError.Timeout?

    /// The cause in words; empty if the kind is enough.
    public private(set) var message: String

    /// The error of the library or system below, if there was one.
    public private(set) var underlying: (any Error)?

    /// Whether the request may have been sent over an existing connection, though no new one could be opened.
    package var mayBeSent = false

    /// Whether the server has stated that it has not processed the request, of which it may have read all.
    package var isUnprocessed = false

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - kind: the kind.
    ///   - message: the cause in words; empty if the kind is enough.
    ///   - phase: the phase of the request; nil if it is not known.
    ///   - timeout: the limit that was exceeded.
    ///   - underlying: the error of the library or system below.
    public init(
        _ kind: Kind,
        _ message: String = "",
        phase: TransportError.Phase? = nil,
        timeout: TransportError.Timeout? = nil,
        underlying: (any Error)? = nil
    ) {
        self.kind = kind
        self.phase = phase
        self.timeout = timeout
        self.message = message
        self.underlying = underlying
    }

    /// Converts any error: a transport error stays as it is, a cancellation is `cancelled`, any other is `other`.
    ///
    /// - Parameter error: the error of a library, or of code that can throw anything.
    public init(wrapping error: any Error) {
        switch error {
        case let error as TransportError: self = error
        case is CancellationError: self.init(.cancelled)
        default: self.init(.other, "\(error)", underlying: error)
        }
    }

    /// Returns the error of a body that exceeds a limit, in bytes.
    package static func bodyTooLarge(limit: Int) -> Self {
        Self(.bodyTooLarge, "it has more than \(limit) bytes")
    }

    /// Returns the error of a body that exceeds a limit, in bytes, when it is decompressed.
    package static func decompressedBodyTooLarge(limit: Int) -> Self {
        Self(.bodyTooLarge, "it has more than \(limit) bytes when it is decompressed")
    }

    /// The kind and the cause in one line.
    public var description: String {
        message.isEmpty ? kind.rawValue : "\(kind.rawValue): \(message)"
    }

    /// The kind, the phase, the limit and the cause; only the type of the underlying error.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "kind": kind, "phase": phase as Any, "timeout": timeout as Any, "message": message,
                "underlying": underlying.map { "\(type(of: $0))" } as Any,
            ],
            displayStyle: .struct
        )
    }

    /// Returns the error without the secrets of a call in its texts.
    ///
    /// An underlying error that can be redacted, such as a `URLError`, is; one of another type stays as it is.
    package func redacted(by secrets: SecretNameSet) -> TransportError {
        var redacted = self
        redacted.message = secrets.removed(from: message)
        if let error = underlying as? any URLLoadingError { redacted.underlying = error.redacted(by: secrets) }
        return redacted
    }
}

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

        private var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }
}

extension TransportError: LocalizedError {
    /// A short sentence for users, without an address; ``description`` has the details.
    public var errorDescription: String? { kind.sentence.text }
}

extension TransportError.Kind {
    /// The sentence for users.
    fileprivate var sentence: ErrorSentence {
        switch self {
        case .notConnected: .notConnected
        case .cannotResolveHost, .cannotConnect: .cannotBeReached
        case .secureConnectionFailed: .secureConnection
        case .connectionLost: .connectionLost
        case .timedOut: .tooSlow
        case .cancelled: .cancelled
        case .invalidResponse, .tooManyRedirects, .redirectLoop, .redirectRejected: .unreadableResponse
        case .headTooLarge, .bodyTooLarge: .tooLargeResponse
        case .unsupportedRequest, .unavailable: .notMade
        case .other: .failed
        }
    }
}

extension TransportError {
    /// The time limits that a transport can have.
    public enum Timeout: String, Sendable, Hashable, CaseIterable {
        /// Until a connection is open: resolving the host, connecting and TLS.
        case connect = "connecting"
        /// From the last byte of the request to the first byte of the response.
        case firstByte = "the first byte of the response"
        /// Between two pieces of the request or of the response.
        case idle = "silence"
        /// From the start of the call to its last byte, including the wait for a connection.
        case total = "the whole call"
    }
}
