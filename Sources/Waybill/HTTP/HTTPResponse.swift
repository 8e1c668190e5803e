import Foundation

/// A response as a transport delivers it: the head at once, the body as it arrives.
public struct HTTPResponse: Sendable {
    /// The status.
    public var status: Status

    /// The header fields as they came: order, duplicates and spelling kept where the transport knows them.
    ///
    /// Their texts leave secrets out, those of the request too, which a server may repeat in any field.
    public var headerFields: HTTPFields {
        get { storedFields.adopting(secrets) }
        _modify { yield &storedFields }
        set { storedFields = newValue.leaving(secrets) }
    }

    /// The body; an empty one where the response has none.
    public var body: HTTPBody {
        get { storedBody.adopting(secrets) }
        set { storedBody = newValue }
    }

    /// The URL that answered, which after redirects is not the one that was asked; nil stands for the latter.
    ///
    /// Its texts leave secrets out; ``HTTPURL/value`` is the URL itself.
    public var url: HTTPURL? {
        get { storedURL.map { HTTPURL($0, secrets: secrets) } }
        set { storedURL = newValue?.value }
    }

    // What the parts know of secrets is added when they are read: a response is copied at each of its steps.
    private var storedFields: HTTPFields
    private var storedBody: HTTPBody
    private var storedURL: URL?

    /// What the transport has measured so far, where it does: all of it when the body has come to its end.
    ///
    /// See ``HTTPRequest/isMeasured``.
    public var metrics: TransferMetrics? { measure?() }

    private let measure: (@Sendable () -> TransferMetrics?)?

    /// The request that was answered, with its credential: for taking its secrets out of texts.
    package var request: HTTPRequest? {
        didSet { secrets = request?.sentSecrets }
    }

    /// The secrets of the request.
    package private(set) var secrets: (any CallSecrets)?

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
        storedFields = headerFields
        storedBody = body
        storedURL = url
        measure = metrics
    }
}

extension HTTPResponse: CustomStringConvertible, CustomReflectable {
    /// The status and a line for each header field, secrets redacted; the body is not shown.
    public var description: String { headerFields.isEmpty ? "\(status)" : "\(status)\n\(headerFields)" }

    /// The parts of the response, secrets redacted, and the length of the body.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "status": status, "headerFields": headerFields, "body": body, "url": url as Any,
                "metrics": metrics as Any, "attempt": attempt,
            ],
            displayStyle: .struct
        )
    }
}
