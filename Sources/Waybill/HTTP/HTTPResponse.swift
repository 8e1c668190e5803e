import Foundation

/// A response as a transport delivers it: the head at once, the body as it arrives.
public struct HTTPResponse: Sendable {
    /// The status.
    public var status: Status

    /// The header fields as they came: order, duplicates and spelling kept where the transport knows them.
    public var headerFields: HTTPFields

    /// The body; an empty one where the response has none.
    public var body: HTTPBody

    /// The URL that answered, which after redirects is not the one that was asked; nil stands for the latter.
    public var url: URL?

    /// What the transport has measured so far, where it does: all of it when the body has come to its end.
    ///
    /// See ``HTTPRequest/isMeasured``.
    public var metrics: TransferMetrics? { measure?() }

    private let measure: (@Sendable () -> TransferMetrics?)?

    /// The request that was answered, with its credential: for taking its secrets out of texts.
    package var request: HTTPRequest?

    /// Which attempt of its call was answered, and why those before it failed.
    package var attempt = 1
    package var earlierFailures: [any Error] = []

    /// Why a failed status was not repeated, though it is worth it.
    package var retryRefusal: (any Error)?

    /// Whether the body has been read to its end, or as far as it is wanted, and whether more than that was left out.
    package var isRead = false
    package var isBodyTruncated = false

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - status: the status.
    ///   - headerFields: the header fields.
    ///   - body: the body.
    ///   - url: the URL that answered; nil stands for the one that was asked.
    ///   - metrics: is asked for what was measured, each time that somebody wants to know.
    public init(
        status: Status,
        headerFields: HTTPFields = [],
        body: HTTPBody = HTTPBody(),
        url: URL? = nil,
        metrics: (@Sendable () -> TransferMetrics?)? = nil
    ) {
        self.status = status
        self.headerFields = headerFields
        self.body = body
        self.url = url
        measure = metrics
    }
}

extension HTTPResponse: CustomStringConvertible {
    /// The status and a line for each header field, secrets redacted; the body is not shown.
    public var description: String {
        let names = request?.secretNames ?? .usual
        let fields = headerFields.map { "\n\($0.name): \(Redaction.value(of: $0, secretNames: names))" }
        return "\(status)" + fields.joined()
    }
}
