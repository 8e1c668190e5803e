import WaybillSystem

/// A response on its way back through the steps of a call, with the state that they share.
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

    /// The request as sent, including its credential, for redacting its secrets; nil if nothing was sent.
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

    /// The reason that a retryable status was not retried.
    package var retryRejection: APIError.RetryRejection? {
        get { content.retryRejection }
        set { content.retryRejection = newValue }
    }

    /// The number of bytes in a body discarded during reading; 0 for a kept body.
    package var droppedBytes: Int {
        get { content.droppedBytes }
        set { content.droppedBytes = newValue }
    }

    /// Whether the response is a failure, once determined; reset to nil when the message changes.
    var verdict: Verdict? {
        get { content.verdict }
        set { content.verdict = newValue }
    }

    /// Whether the body has been read to its end or its limit.
    package var isRead: Bool {
        get { content.isRead }
        set { content.isRead = newValue }
    }

    /// Whether the body is longer than the kept part.
    package var isBodyTruncated: Bool {
        get { content.isBodyTruncated }
        set { content.isBodyTruncated = newValue }
    }

    /// Whether the body has been checked for a declared problem, so that it is not checked again.
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

    /// Creates a response that was not transferred.
    ///
    /// - Parameters:
    ///   - message: the message.
    ///   - attempt: the attempt number, starting at 1.
    ///   - secrets: the secrets that the response may repeat; nil for the declaration's secrets.
    package init(unsent message: HTTPResponse, attempt: Int, secrets: CallSecrets? = nil) {
        storage = CopyOnWrite(Content(message: message, attempt: attempt, secretsOfLast: secrets))
    }

    /// Returns the header fields; any field that repeats a secret of the call is marked as sensitive.
    package func markedFields(of plan: Call.Plan) -> HTTPFields { secrets(of: plan).marking(headerFields) }

    /// Returns the response's URL with secrets redacted.
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

    /// The response's URL; nil if it is the request's URL.
    package var url: URL? {
        get { message.url }
        set { message.url = newValue }
    }
}

extension CallResponse {
    /// A decision on whether a response is a failure of a call.
    struct Verdict: Sendable {
        /// The plan that it applies to; another call that shares the response may declare other problems.
        let planID: ObjectIdentifier
        /// The failure; nil for a success.
        let failure: APIError.StatusFailure?
    }
}
