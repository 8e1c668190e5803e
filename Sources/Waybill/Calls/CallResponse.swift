import WaybillSystem

/// A response of a call on its way back through the steps: the message, and what the steps hand on to each other.
package struct CallResponse: Sendable {
    private struct Content: Sendable {
        var message: HTTPResponse
        var request: CallRequest?
        var report: TransferReport?
        var attempt: Int
        var earlierFailures: [APIError] = []
        var retryRejection: APIError.RetryRejection?
        var isRead = false
        var isBodyTruncated = false
        var droppedBytes = 0
        var isCheckedForProblem = false
        var secretsOfLast: CallSecrets?
    }

    private var storage: CopyOnWrite<Content>

    private var content: Content {
        _read { yield storage.value }
        _modify { yield &storage.value }
    }

    /// The message.
    package var message: HTTPResponse {
        _read { yield content.message }
        _modify { yield &content.message }
    }

    /// The request that was sent, with its credential: for taking its secrets out of texts; nil if none was.
    package var request: CallRequest? {
        get { content.request }
        set { content.request = newValue }
    }

    /// The report of the transport; nil if nothing was sent.
    package var report: TransferReport? { content.report }

    /// The attempt of the call that got the response, counted from 1.
    package var attempt: Int {
        get { content.attempt }
        set { content.attempt = newValue }
    }

    /// The errors of the attempts before this one.
    package var earlierFailures: [APIError] {
        get { content.earlierFailures }
        set { content.earlierFailures = newValue }
    }

    /// The reason for which a failed status was not retried, though it is worth a retry.
    package var retryRejection: APIError.RetryRejection? {
        get { content.retryRejection }
        set { content.retryRejection = newValue }
    }

    /// The number of bytes of a body that was dropped while it arrived; 0 for one that is kept.
    package var droppedBytes: Int {
        get { content.droppedBytes }
        set { content.droppedBytes = newValue }
    }

    /// Whether the body has been read to its end, or as far as it is wanted.
    package var isRead: Bool {
        get { content.isRead }
        set { content.isRead = newValue }
    }

    /// Whether more of the body came than was kept.
    package var isBodyTruncated: Bool {
        get { content.isBodyTruncated }
        set { content.isBodyTruncated = newValue }
    }

    /// Whether a body that is not read yet is known to be no declared problem.
    var isCheckedForProblem: Bool {
        get { content.isCheckedForProblem }
        set { content.isCheckedForProblem = newValue }
    }

    /// Creates the response to a request.
    // Not inlined: its values need no room for as long as the transport works.
    @inline(never)
    package init(_ message: HTTPResponse, to request: CallRequest, _ report: TransferReport? = nil) {
        storage = CopyOnWrite(
            Content(message: message, request: request.withoutLargeBody, report: report, attempt: request.attempt)
        )
    }

    /// Creates a response for which nothing was sent.
    ///
    /// - Parameters:
    ///   - message: the message.
    ///   - attempt: the attempt of the call, counted from 1.
    ///   - secrets: the secrets that it may repeat; nil for those of the declaration.
    package init(unsent message: HTTPResponse, attempt: Int, secrets: CallSecrets? = nil) {
        storage = CopyOnWrite(Content(message: message, attempt: attempt, secretsOfLast: secrets))
    }

    /// Returns the header fields, of which those that repeat a secret of the call are sensitive.
    package func markedFields(of plan: Plan) -> HTTPFields { secrets(of: plan).marking(headerFields) }

    /// Returns the URL of the response without secrets.
    package func shownURL(of plan: Plan) -> String {
        Redaction.url(
            text: (url ?? plan.url).absoluteString,
            secretNames: secrets(of: plan).collected,
            isRedirect: url != nil && url != plan.url
        )
    }

    /// Whether the transport undid a content coding.
    package var isDecoded: Bool { report?.isDecoded ?? false }

    /// Returns the secrets that the response may repeat.
    package func secrets(of plan: Plan) -> CallSecrets { request?.secrets ?? content.secretsOfLast ?? plan.secrets }
}

extension CallResponse {
    /// The status.
    package var status: HTTPResponse.Status { message.status }

    /// The header fields as they came.
    package var headerFields: HTTPFields { message.headerFields }

    /// The body.
    package var body: HTTPBody {
        get { message.body }
        set { message.body = newValue }
    }

    /// The URL that sent the response; nil for the URL of the request.
    package var url: URL? {
        get { message.url }
        set { message.url = newValue }
    }
}

/// A step between a call and the transport, with all that the steps of a call know of its request and response.
package protocol CallStep: Sendable {
    /// The following steps, and the transport.
    typealias Next = @Sendable (CallRequest) async throws(APIError) -> CallResponse

    /// Handles a request: calls `next` with it, or with another one, or not at all.
    func handle(_ request: CallRequest, of call: Call, next: @escaping Next) async throws(APIError) -> CallResponse
}
