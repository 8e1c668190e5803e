import WaybillSystem

extension TransferOptions {
    /// Information that a transport reports about a transfer, besides the response.
    ///
    /// A call creates a report for each transfer that it may want to inspect; the transport fills it in before it
    /// returns the response. Custom transports can ignore it.
    ///
    /// ```swift
    /// if let report = options.report, report.isMeasured { report.measure { metrics } }
    /// ```
    public final class Report: @unchecked Sendable {
        // `@unchecked Sendable`: the variables are only accessed while the lock is held. Every call creates a report,
        // and a single object costs less than one that contains a locked value.
        private let lock = Lock()
        private var measuring: (@Sendable () -> TransferOptions.Report.Metrics?)?
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

        /// The metrics so far, if the transport measures them; complete once the body has been read to its end.
        public var metrics: TransferOptions.Report.Metrics? { lock.withLock { measuring }?() }

        /// Sets the closure that provides the metrics; it is called whenever they are read.
        ///
        /// - Parameter metrics: returns the metrics so far, or nil before there are any; called on any thread.
        public func measure(_ metrics: @escaping @Sendable () -> TransferOptions.Report.Metrics?) {
            lock.withLock { measuring = metrics }
        }

        /// Whether the transport decoded a content coding; the server's ranges and digests then refer to the encoded
        /// bytes.
        package var isDecoded: Bool {
            get { lock.withLock { wasDecoded } }
            set { lock.withLock { wasDecoded = newValue } }
        }

        /// A closure that returns the file and line of the recorded response; nil if the response was not recorded.
        package var recordingPlace: (@Sendable () -> String)? {
            get { lock.withLock { place } }
            set { lock.withLock { place = newValue } }
        }
    }
}

extension TransferOptions.Report {
    /// A transport's network measurements for a request and its response.
    ///
    /// A value is nil if the transport does not measure it or if the event did not happen: a reused connection, for
    /// example, is not opened again. Times start when the request is passed to the network.
    ///
    /// `CurlTransport` measures everything. `URLSessionTransport` does so on Apple platforms, once the body has been
    /// read to its end, and measures nothing on Linux.
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
