import WaybillSystem

/// An error thrown by a transport if no usable response arrives.
public struct TransportError: Error, Sendable, CustomStringConvertible, PartlyShown {
    /// The kinds of transport errors.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The transport cannot send the request; nothing was sent.
        case unsupportedRequest = "the request cannot be sent by this transport"
        /// The host name could not be resolved.
        case cannotResolveHost = "the host could not be found"
        /// No network became available while the call waited for one; nothing was sent.
        case notConnected = "there is no network"
        /// No connection could be opened; nothing was sent.
        case cannotConnect = "no connection could be made"
        /// TLS could not be established, or the server's certificate is not trusted; nothing was sent.
        case secureConnectionFailed = "no secure connection could be made"
        /// The connection closed before the response was complete.
        case connectionLost = "the connection was lost"
        /// A time limit of the transport was exceeded; see ``TransportError/timeout``.
        case timedOut = "the transport timed out"
        /// The task that sent the request was cancelled.
        case cancelled = "the request was cancelled"
        /// The response is not valid HTTP.
        case invalidResponse = "the response is not valid HTTP"
        /// The response head exceeds its size limit.
        case headTooLarge = "the head of the response is too large"
        /// The body exceeds its size limit.
        case bodyTooLarge = "the body is too large"
        /// The number of redirects exceeded the limit.
        case tooManyRedirects = "there were too many redirects"
        /// A redirect leads to a URL that the request has already visited.
        case redirectLoop = "the redirects form a loop"
        /// A redirect leads to a URL that must not receive the request.
        case redirectRejected = "the redirect was rejected"
        /// A requirement of the transport is not met: a library is missing or too old, or a file cannot be read.
        case unavailable = "the transport is not available"
        /// Any other failure.
        case other = "the transport failed"
    }

    /// The kind of the error.
    public let kind: Kind

    /// The phase of the request; nil if unknown.
    public let phase: TransportError.Phase?

    /// The exceeded limit if the kind is ``Kind/timedOut``; nil if the transport has only one limit.
    public let timeout: TransportError.Timeout?

    /// A description of the cause; empty if the kind is sufficient.
    public private(set) var message: String

    /// The underlying library or system error, if any.
    public private(set) var underlying: (any Error)?

    /// Whether the request may have been sent over an existing connection, although no new one could be opened.
    package var mayBeSent = false

    /// Whether the server reported that it did not process the request, even if it received all of it.
    package var isUnprocessed = false

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - kind: the kind.
    ///   - message: a description of the cause; empty if the kind is sufficient.
    ///   - phase: the phase of the request; nil if unknown.
    ///   - timeout: the exceeded limit.
    ///   - underlying: the underlying library or system error.
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

    /// Wraps any error: a transport error stays unchanged, a `CancellationError` becomes ``Kind/cancelled``, and any
    /// other error becomes ``Kind/other``.
    ///
    /// - Parameter error: the error to wrap.
    public init(wrapping error: any Error) {
        switch error {
        case let error as TransportError: self = error
        case is CancellationError: self.init(.cancelled)
        default: self.init(.other, "\(error)", underlying: error)
        }
    }

    /// Returns an error for a body that exceeds a limit, in bytes.
    package static func bodyTooLarge(limit: Int) -> Self {
        Self(.bodyTooLarge, "it has more than \(limit) bytes")
    }

    /// Returns an error for a body whose decoded size exceeds a limit, in bytes.
    package static func decodedBodyTooLarge(limit: Int) -> Self {
        Self(.bodyTooLarge, "it has more than \(limit) bytes after decompression")
    }

    /// The kind and the cause on one line.
    public var description: String {
        message.isEmpty ? kind.rawValue : "\(kind.rawValue): \(message)"
    }

    /// The kind, phase, timeout and message, and the type of the underlying error.
    package var shownParts: KeyValuePairs<String, Any> {
        [
            "kind": kind, "phase": phase as Any, "timeout": timeout as Any, "message": message,
            "underlying": underlying.map { "\(type(of: $0))" } as Any,
        ]
    }

    /// Returns the error with the secrets of a call removed from its texts.
    ///
    /// An underlying error that supports redaction, such as a `URLError`, is redacted too; any other stays unchanged.
    package func redacted(by secrets: SecretNameSet) -> TransportError {
        var redacted = self
        redacted.message = secrets.removed(from: message)
        if let error = underlying as? any URLLoadingError { redacted.underlying = error.redacted(by: secrets) }
        return redacted
    }
}

extension TransportError {
    /// The phase of a request in which an error occurred.
    ///
    /// The cases are in chronological order; over an open connection, a request starts at ``sending``.
    public enum Phase: String, Sendable, Hashable, CaseIterable, Comparable {
        /// The request was queued, because its origin had the maximum number of requests in flight.
        case queued = "waiting in the queue"
        /// The host's addresses were being resolved.
        case resolving = "looking up the host"
        /// A connection was being opened.
        case connecting = "connecting"
        /// TLS was being established.
        case securing = "establishing TLS"
        /// The request was being sent.
        case sending = "sending the request"
        /// The whole request had been sent, but no response head had arrived.
        case waiting = "waiting for the response"
        /// The response head had arrived, but the body was not complete.
        case receiving = "receiving the body"

        /// Whether the server cannot have received any part of the request.
        public var isBeforeSending: Bool { self < .sending }

        /// Compares phases chronologically.
        public static func < (left: Phase, right: Phase) -> Bool { left.position < right.position }

        private var position: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }
}

extension TransportError: LocalizedError {
    /// A short user-facing sentence without a URL; ``description`` contains the details.
    public var errorDescription: String? { kind.sentence.text }
}

extension TransportError.Kind {
    /// The user-facing sentence.
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
    /// The time limits of a transport.
    public enum Timeout: String, Sendable, Hashable, CaseIterable {
        /// Until a connection is open: name resolution, connecting and TLS.
        case connect = "connecting"
        /// From the last byte of the request to the first byte of the response.
        case firstByte = "the first byte of the response"
        /// Between two pieces of the request or the response.
        case idle = "silence"
        /// From the start of the call to the last byte of the response, including time in the queue.
        case total = "the whole call"
    }
}
