/// A response of a call on its way back through the steps: the message, and what the steps hand on to each other.
package struct CallResponse: Sendable {
    private struct Content: Sendable {
        var http: HTTPResponse
        var request: CallRequest?
        var attempt: Int
        var earlierFailures: [APIError] = []
        var retryRejection: APIError.RetryRejection?
        var isRead = false
        var isBodyTruncated = false
    }

    private var shared: CopyOnWrite<Content>

    /// The message, whose texts leave out the secrets of the request.
    package var http: HTTPResponse {
        get { shared.content.http }
        _modify { yield &shared.content.http }
    }

    /// The request that was sent, with its credential: for taking its secrets out of texts; nil if none was.
    package var request: CallRequest? {
        get { shared.content.request }
        set {
            shared.content.request = newValue
            shared.content.http.redaction = newValue?.sentSecrets
        }
    }

    /// The attempt of the call that got the response, counted from 1.
    package var attempt: Int {
        get { shared.content.attempt }
        set { shared.content.attempt = newValue }
    }

    /// The errors of the attempts before this one.
    package var earlierFailures: [APIError] {
        get { shared.content.earlierFailures }
        set { shared.content.earlierFailures = newValue }
    }

    /// The reason for which a failed status was not retried, though it is worth a retry.
    package var retryRejection: APIError.RetryRejection? {
        get { shared.content.retryRejection }
        set { shared.content.retryRejection = newValue }
    }

    /// Whether the body has been read to its end, or as far as it is wanted.
    package var isRead: Bool {
        get { shared.content.isRead }
        set { shared.content.isRead = newValue }
    }

    /// Whether more of the body came than was kept.
    package var isBodyTruncated: Bool {
        get { shared.content.isBodyTruncated }
        set { shared.content.isBodyTruncated = newValue }
    }

    /// Creates the response to a request.
    // Not inlined: its values need no room for as long as the transport works.
    @inline(never)
    package init(_ http: HTTPResponse, to request: CallRequest) {
        var http = http
        http.redaction = request.sentSecrets
        shared = CopyOnWrite(Content(http: http, request: request, attempt: request.attempt))
    }

    /// Creates a response for which nothing was sent.
    package init(unsent http: HTTPResponse, attempt: Int, redaction: (any TextRedaction)?) {
        var http = http
        http.redaction = redaction
        shared = CopyOnWrite(Content(http: http, attempt: attempt))
    }
}

extension CallResponse {
    /// The status.
    package var status: HTTPResponse.Status { http.status }

    /// The header fields as they came.
    package var headerFields: HTTPFields { http.headerFields }

    /// The body.
    package var body: HTTPBody {
        get { http.body }
        set { http.body = newValue }
    }

    /// The URL that sent the response; nil for the URL of the request.
    package var url: HTTPURL? {
        get { http.url }
        set { http.url = newValue }
    }
}
