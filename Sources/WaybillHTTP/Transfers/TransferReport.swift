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
    private var measuring: (@Sendable () -> TransferMetrics?)?
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
    public var metrics: TransferMetrics? { lock.withLock { measuring }?() }

    /// Sets the function that returns the metrics so far; it is called each time that they are read.
    public func measure(_ metrics: @escaping @Sendable () -> TransferMetrics?) {
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
