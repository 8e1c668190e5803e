import WaybillSystem

/// A response as a transport delivers it: the head at once, the body as it arrives.
public struct HTTPResponse: Sendable {
    /// The status.
    public var status: Status

    /// The header fields as they arrived, with their order, duplicates and spelling if the transport knows them.
    ///
    /// Their texts leave out secrets, including those of the request, which a server may repeat in any field.
    public var headerFields: HTTPFields {
        get { storedFields.adopting(redaction) }
        _modify { yield &storedFields }
        set { storedFields = newValue.leaving(redaction) }
    }

    /// The body; empty if the response has none.
    public var body: HTTPBody {
        get { storedBody.adopting(redaction) }
        set { storedBody = newValue }
    }

    /// The URL of the response, which after redirects is not that of the request; nil stands for the latter.
    ///
    /// Its texts leave secrets out; ``HTTPURL/value`` is the URL itself.
    public var url: HTTPURL? {
        get { storedURL.map { HTTPURL($0, redaction: redaction) } }
        set { storedURL = newValue?.value }
    }

    // Secrets are added to the parts when these are read: a response is copied at each of its steps.
    private var storedFields: HTTPFields
    private var storedBody: HTTPBody
    private var storedURL: URL?

    /// The metrics so far, if the transport measures them; complete when the body has been read to its end.
    ///
    /// See ``HTTPRequest/isMeasured``.
    public var metrics: TransferMetrics? { measure?() }

    private let measure: (@Sendable () -> TransferMetrics?)?

    /// Whether the transport undid a content coding: ranges and digests of the server are then about other bytes.
    package var isDecoded = false

    /// Returns the file and the line of the response; nil if it was not recorded.
    package var recordingPlace: (@Sendable () -> String)?

    /// The secrets that texts leave out; nil for a response outside a call, whose texts leave out the usual secrets.
    package var redaction: (any TextRedaction)?

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - status: the status.
    ///   - headerFields: the header fields.
    ///   - body: the body.
    ///   - url: the URL of the response; nil stands for that of the request.
    ///   - metrics: returns the metrics so far; called each time that they are read.
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
    /// The status and a line for each header field, with secrets redacted and without the body.
    public var description: String { headerFields.isEmpty ? "\(status)" : "\(status)\n\(headerFields)" }

    /// The parts of the response with secrets redacted, and the length of the body.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "status": status, "headerFields": headerFields, "body": body, "url": url as Any,
                "metrics": metrics as Any,
            ],
            displayStyle: .struct
        )
    }
}
