import WaybillSystem

/// The facts that a transport reports of a transfer beside the response.
///
/// The call makes one for each transfer whose report it may read; the transport fills it before it returns the
/// response. A transport of your own may ignore it.
///
/// ```swift
/// if let report = options.report, report.isMeasured { report.measure { metrics } }
/// ```
public final class TransferReport: @unchecked Sendable {
    // `@unchecked Sendable`: the variables are only touched while the lock is held. Each call makes a report, and one
    // object costs less than one with a locked value in it.
    private let lock = Lock()
    private var measuring: (@Sendable () -> TransferReport.Metrics?)?
    private var wasDecoded = false
    private var place: (@Sendable () -> String)?

    /// Whether the metrics will be read; if not, a transport need not measure.
    ///
    /// True if the call is observed.
    public let isMeasured: Bool

    /// Creates an empty report.
    ///
    /// - Parameter isMeasured: whether the metrics will be read.
    public init(isMeasured: Bool) { self.isMeasured = isMeasured }

    /// The metrics so far, if the transport measures them; complete when the body has been read to its end.
    public var metrics: TransferReport.Metrics? { lock.withLock { measuring }?() }

    /// Sets the function that returns the metrics so far; it is called each time that they are read.
    ///
    /// - Parameter metrics: returns the metrics so far, on any thread; nil before there are any.
    public func measure(_ metrics: @escaping @Sendable () -> TransferReport.Metrics?) {
        lock.withLock { measuring = metrics }
    }

    /// Whether the transport undid a content coding: ranges and digests of the server are then about other bytes.
    package var isDecoded: Bool {
        get { lock.withLock { wasDecoded } }
        set { lock.withLock { wasDecoded = newValue } }
    }

    /// Returns the file and the line of the response; nil if it was not recorded.
    package var recordingPlace: (@Sendable () -> String)? {
        get { lock.withLock { place } }
        set { lock.withLock { place = newValue } }
    }
}

extension TransferReport {
    /// A transport's measurements of a request and its response on the network.
    ///
    /// A value is nil if the transport does not know it, or if the event has not happened: a reused connection is not
    /// opened again. Times start when the request is passed to the network.
    ///
    /// `CurlTransport` measures everything. `URLSessionTransport` does so on Apple's platforms, when the body has been
    /// read to its end, and measures nothing on Linux.
    public struct Metrics: Sendable, Hashable {
        /// The version of HTTP in the form of a status line: `HTTP/1.1`, `HTTP/2`.
        public var protocolVersion: String?

        /// Whether the request used a connection that an earlier one had opened.
        public var isConnectionReused: Bool?

        /// The time until the host's name was resolved.
        public var nameLookup: Duration?

        /// The time until the connection was open, before TLS.
        public var connect: Duration?

        /// The time until TLS was established.
        public var secure: Duration?

        /// The time until the first byte of the response.
        public var firstByte: Duration?

        /// The time until the end of the response.
        public var total: Duration?

        /// The bytes of the request's body that were sent.
        public var bytesSent: Int?

        /// The bytes of the response's body as they arrived, with content codings.
        public var bytesReceived: Int?

        /// Creates metrics without values.
        public init() {}
    }
}
