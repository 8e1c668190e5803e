/// A response of a call on its way back through the steps: the message, and what the steps hand on to each other.
package struct CallResponse: Sendable {
    /// The message, whose texts leave out the secrets of the request.
    package var http: HTTPResponse

    /// The request that was sent, with its credential: for taking its secrets out of texts; nil if none was.
    package var request: CallRequest? {
        didSet { http.redaction = request?.sentSecrets }
    }

    /// The attempt of the call that got the response, counted from 1.
    package var attempt: Int

    /// The errors of the attempts before this one.
    package var earlierFailures: [APIError] = []

    /// The reason for which a failed status was not retried, though it is worth a retry.
    package var retryRejection: APIError.RetryRejection?

    /// Whether the body has been read to its end, or as far as it is wanted.
    package var isRead = false

    /// Whether more of the body came than was kept.
    package var isBodyTruncated = false

    /// Creates the response to a request.
    package init(_ http: HTTPResponse, to request: CallRequest) {
        self.http = http
        self.request = request
        attempt = request.attempt
        self.http.redaction = request.sentSecrets
    }

    /// Creates a response for which nothing was sent.
    package init(unsent http: HTTPResponse, attempt: Int, redaction: (any TextRedaction)?) {
        self.http = http
        self.attempt = attempt
        self.http.redaction = redaction
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
