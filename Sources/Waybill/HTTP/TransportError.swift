import Foundation

/// Why a transport could not carry a request to its answer: no usable response came.
public struct TransportError: Error, Sendable, CustomStringConvertible, CustomReflectable {
    /// The kinds of trouble, told apart so that a caller can switch over them.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The transport cannot send such a request; nothing was sent.
        case unsupportedRequest = "the request cannot be sent by this transport"
        /// The host's name has no address.
        case cannotResolveHost = "the host could not be found"
        /// No connection could be made; nothing was sent.
        case cannotConnect = "no connection could be made"
        /// TLS could not be established, or the server's certificate is not trusted; nothing was sent.
        case secureConnectionFailed = "no secure connection could be made"
        /// The connection ended before the response did.
        case connectionLost = "the connection was lost"
        /// Something took longer than the transport waits; ``TransportError/timeout`` says what.
        case timedOut = "the transport timed out"
        /// The task that sent the request was cancelled.
        case cancelled = "the request was cancelled"
        /// What came back is not HTTP.
        case invalidResponse = "the response is not valid HTTP"
        /// The head has more bytes than are accepted.
        case headTooLarge = "the head of the response is too large"
        /// The body has more bytes than are accepted.
        case bodyTooLarge = "the body is too large"
        /// The server redirects further than is followed.
        case tooManyRedirects = "there were too many redirects"
        /// The server redirects to where the request has been.
        case redirectLoop = "the redirects lead in a circle"
        /// The server redirects to where a request must not follow.
        case redirectRefused = "the redirect was refused"
        /// What the transport needs is not there: a library that is missing or too old, a file that cannot be read.
        case unavailable = "the transport is not available"
        /// Anything else.
        case other = "the transport failed"
    }

    /// What kind of trouble it was.
    public let kind: Kind

    /// How far the request had come, where the transport knows it.
    public let phase: TransportPhase?

    /// Which limit was exceeded, of those that ``Kind/timedOut`` stands for; nil where the transport has but one.
    public let timeout: TransportTimeout?

    /// The cause in words; empty where the kind says it all.
    public private(set) var message: String

    /// The error of the machinery below, where there was one.
    public private(set) var underlying: (any Error)?

    /// Whether a request before the one that failed had been answered, by a redirect.
    package var isBehindRedirect = false

    /// Whether it kept a request from being given to the transport.
    var isBeforeTransport = false

    /// Whether a redirect has led to another origin before it failed.
    package var hasLeftOrigin = false

    /// Whether the request may have gone out over a connection that was there before, though no new one came about.
    package var mayBeSent = false

    /// Creates an error.
    public init(
        _ kind: Kind,
        _ message: String = "",
        phase: TransportPhase? = nil,
        timeout: TransportTimeout? = nil,
        underlying: (any Error)? = nil
    ) {
        self.kind = kind
        self.phase = phase
        self.timeout = timeout
        self.message = message
        self.underlying = underlying
    }

    /// Makes any error one of a transport: as it is where it is one, cancelled where it says so, else `other`.
    public init(wrapping error: any Error) {
        switch error {
        case let error as TransportError: self = error
        case is CancellationError: self.init(.cancelled)
        default: self.init(.other, "\(error)", underlying: error)
        }
    }

    /// The error of a body that has more bytes than are accepted.
    static func bodyTooLarge(limit: Int) -> Self {
        Self(.bodyTooLarge, "it has more than \(limit) bytes")
    }

    /// The error of a body that has more bytes than are accepted when its content codings are undone.
    static func decompressedBodyTooLarge(limit: Int) -> Self {
        Self(.bodyTooLarge, "it has more than \(limit) bytes when it is decompressed")
    }

    /// The kind and the cause in one line.
    public var description: String {
        message.isEmpty ? kind.rawValue : "\(kind.rawValue): \(message)"
    }

    /// The kind, the place and the cause in words; of the error below no more than its type.
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

    /// The error without the secrets of a call in its texts.
    ///
    /// An `URLError` loses the URLs in its user information, which it prints; an error of another type stays as it is.
    func redacted(by secrets: (any CallSecrets)?) -> TransportError {
        guard let secrets else { return self }
        var redacted = self
        redacted.message = secrets.removed(from: message)
        if let error = underlying as? URLError {
            let texts = error.userInfo.compactMapValues { ($0 as? String).map { secrets.removed(from: $0) } }
            redacted.underlying = URLError(error.code, userInfo: texts.filter { !$0.key.contains("FailingURL") })
        }
        return redacted
    }
}
