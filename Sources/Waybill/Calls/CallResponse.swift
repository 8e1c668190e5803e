import WaybillSystem

/// A response as it passes back through the steps of a call, with the state that the steps share.
package struct CallResponse: Sendable {
    private struct Content: Sendable {
        var message: HTTPResponse
        var request: CallRequest?
        var report: TransferOptions.Report?
        var attempt: Int
        var earlierFailures: [APIError] = []
        var retryRejection: APIError.RetryRejection?
        var isRead = false
        var isBodyTruncated = false
        var droppedBytes = 0
        var isCheckedForProblem = false
        var secretsOfLast: CallSecrets?
        var verdict: Verdict?
    }

    private var storage: CopyOnWrite<Content>

    private var content: Content {
        _read { yield storage.value }
        _modify { yield &storage.value }
    }

    package var message: HTTPResponse {
        _read { yield content.message }
        _modify {
            content.verdict = nil
            yield &content.message
        }
    }

    /// The request as sent, including its credential, used to redact its secrets; nil if nothing was sent.
    package var request: CallRequest? {
        get { content.request }
        set { content.request = newValue }
    }

    /// The transport's report on the transfer; nil if nothing was sent.
    package var report: TransferOptions.Report? { content.report }

    /// The number of the attempt that received the response, starting at 1.
    package var attempt: Int {
        get { content.attempt }
        set { content.attempt = newValue }
    }

    /// The errors of earlier attempts.
    package var earlierFailures: [APIError] {
        get { content.earlierFailures }
        set { content.earlierFailures = newValue }
    }

    /// The reason a retryable status was not retried.
    package var retryRejection: APIError.RetryRejection? {
        get { content.retryRejection }
        set { content.retryRejection = newValue }
    }

    /// The size of a body dropped while it arrived, in bytes; 0 for a kept body.
    package var droppedBytes: Int {
        get { content.droppedBytes }
        set { content.droppedBytes = newValue }
    }

    /// The decision whether the response is a failure; nil before it is made, and after the message has changed.
    var verdict: Verdict? {
        get { content.verdict }
        set { content.verdict = newValue }
    }

    /// Whether the body has been read to its end or to its limit.
    package var isRead: Bool {
        get { content.isRead }
        set { content.isRead = newValue }
    }

    /// Whether the body is longer than the part that was kept.
    package var isBodyTruncated: Bool {
        get { content.isBodyTruncated }
        set { content.isBodyTruncated = newValue }
    }

    /// Whether an unread body was checked and found not to be a declared problem.
    var isCheckedForProblem: Bool {
        get { content.isCheckedForProblem }
        set { content.isCheckedForProblem = newValue }
    }

    /// Creates the response to a request.
    @inline(never)  // keeps frames small: see Architecture.md
    package init(_ message: HTTPResponse, to request: CallRequest, _ report: TransferOptions.Report? = nil) {
        storage = CopyOnWrite(
            Content(message: message, request: request.withoutLargeBody, report: report, attempt: request.attempt)
        )
    }

    /// Creates a response without a transfer.
    ///
    /// - Parameters:
    ///   - message: the message.
    ///   - attempt: the number of the attempt, starting at 1.
    ///   - secrets: the secrets that the response may repeat; nil to use those of the declaration.
    package init(unsent message: HTTPResponse, attempt: Int, secrets: CallSecrets? = nil) {
        storage = CopyOnWrite(Content(message: message, attempt: attempt, secretsOfLast: secrets))
    }

    /// Returns the header fields, with those that repeat a secret of the call marked as sensitive.
    package func markedFields(of plan: Call.Plan) -> HTTPFields { secrets(of: plan).marking(headerFields) }

    /// Returns the URL of the response, with secrets redacted.
    package func shownURL(of plan: Call.Plan) -> String {
        Redaction.url(
            text: (url ?? plan.url).absoluteString,
            secretNames: secrets(of: plan).collected,
            isRedirect: url != nil && url != plan.url
        )
    }

    /// Whether the transport decoded a content coding.
    package var isDecoded: Bool { report?.isDecoded ?? false }

    /// Returns the secrets that the response may repeat.
    package func secrets(of plan: Call.Plan) -> CallSecrets {
        request?.secrets ?? content.secretsOfLast ?? plan.secrets
    }
}

extension CallResponse {
    package var status: HTTPResponse.Status { message.status }

    package var headerFields: HTTPFields { message.headerFields }

    package var body: HTTPBody {
        get { message.body }
        set { message.body = newValue }
    }

    /// The URL of the response; nil if it is the URL of the request.
    package var url: URL? {
        get { message.url }
        set { message.url = newValue }
    }
}

extension CallResponse {
    /// The decision whether a response is a failure of a call.
    struct Verdict: Sendable {
        /// The call for which it was made; another call that shares the response may declare other problems.
        let planID: ObjectIdentifier
        /// The failure; nil for a success.
        let failure: APIError.StatusFailure?
    }
}
