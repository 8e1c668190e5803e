import WaybillSystem

extension TransferOptions {
    /// Information about a transfer that a transport reports in addition to the response.
    ///
    /// A call creates a report for each transfer, and the transport fills it in before returning the response. Custom
    /// transports can ignore it.
    ///
    /// ```swift
    /// if let report = options.report, report.isMeasured { report.measure { metrics } }
    /// ```
    public final class Report: @unchecked Sendable {
        // `@unchecked Sendable`: the variables are only accessed while the lock is held. Every call creates a report,
        // and a single object costs less than one with a `Locked` value.
        private let lock = Lock()
        private var metricsProvider: (@Sendable () -> TransferOptions.Report.Metrics?)?
        private var hasDecodedBody = false
        private var location: (@Sendable () -> String)?

        /// Whether the metrics will be read, as in an observed call; if not, a transport need not measure.
        public let isMeasured: Bool

        /// Creates an empty report.
        ///
        /// - Parameter isMeasured: whether the metrics will be read.
        public init(isMeasured: Bool) { self.isMeasured = isMeasured }

        /// The metrics so far, complete once the body has been read to its end; nil if the transport does not measure
        /// them.
        public var metrics: TransferOptions.Report.Metrics? { lock.withLock { metricsProvider }?() }

        /// Sets the closure that provides the metrics, which is called each time they are read.
        ///
        /// - Parameter metrics: returns the metrics so far, or nil if none are available; called on any thread.
        public func measure(_ metrics: @escaping @Sendable () -> TransferOptions.Report.Metrics?) {
            lock.withLock { metricsProvider = metrics }
        }

        /// Whether the transport decoded a content coding, in which case the server's ranges and digests refer to the
        /// encoded bytes.
        package var isDecoded: Bool {
            get { lock.withLock { hasDecodedBody } }
            set { lock.withLock { hasDecodedBody = newValue } }
        }

        /// A closure that returns the file and line of the recorded response; nil if the response was not recorded.
        package var recordingLocation: (@Sendable () -> String)? {
            get { lock.withLock { location } }
            set { lock.withLock { location = newValue } }
        }
    }
}

extension TransferOptions.Report {
    /// A transport's network measurements for a request and its response.
    ///
    /// A value is nil if the transport does not measure it or if the event did not happen: a reused connection, for
    /// example, is not opened again. Times are measured from when the request is passed to the network.
    ///
    /// `CurlTransport` measures everything. `URLSessionTransport` does so on Apple platforms, where the metrics are
    /// available once the body has been read to its end, and measures nothing on Linux.
    public struct Metrics: Sendable, Hashable {
        /// The HTTP version, as in a status line: `HTTP/1.1`, `HTTP/2`.
        public var protocolVersion: String?

        /// Whether the request reused an existing connection.
        public var isConnectionReused: Bool?

        /// The time until the host name was resolved.
        public var nameLookup: Duration?

        /// The time until the connection was open, before TLS.
        public var connect: Duration?

        /// The time until TLS was established.
        public var secure: Duration?

        /// The time until the first byte of the response.
        public var firstByte: Duration?

        /// The time until the end of the response.
        public var total: Duration?

        /// The number of request body bytes sent.
        public var bytesSent: Int?

        /// The number of response body bytes received, before content decoding.
        public var bytesReceived: Int?

        /// Creates metrics without values.
        public init() {}
    }
}
