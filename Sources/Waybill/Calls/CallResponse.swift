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

    /// The content, copied before it is changed if another response has it too.
    ///
    /// A class, because each step of a call copies the response, and has room for each copy as long as it waits.
    /// `@unchecked Sendable`: it is changed by its only owner.
    private final class Storage: @unchecked Sendable {
        var content: Content

        init(_ content: Content) { self.content = content }
    }

    private var storage: Storage

    private var content: Content {
        get { storage.content }
        _modify {
            if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.content) }
            yield &storage.content
        }
    }

    /// The message, whose texts leave out the secrets of the request.
    package var http: HTTPResponse {
        get { storage.content.http }
        _modify { yield &content.http }
    }

    /// The request that was sent, with its credential: for taking its secrets out of texts; nil if none was.
    package var request: CallRequest? {
        get { storage.content.request }
        set {
            content.request = newValue
            content.http.redaction = newValue?.sentSecrets
        }
    }

    /// The attempt of the call that got the response, counted from 1.
    package var attempt: Int {
        get { storage.content.attempt }
        set { content.attempt = newValue }
    }

    /// The errors of the attempts before this one.
    package var earlierFailures: [APIError] {
        get { storage.content.earlierFailures }
        set { content.earlierFailures = newValue }
    }

    /// The reason for which a failed status was not retried, though it is worth a retry.
    package var retryRejection: APIError.RetryRejection? {
        get { storage.content.retryRejection }
        set { content.retryRejection = newValue }
    }

    /// Whether the body has been read to its end, or as far as it is wanted.
    package var isRead: Bool {
        get { storage.content.isRead }
        set { content.isRead = newValue }
    }

    /// Whether more of the body came than was kept.
    package var isBodyTruncated: Bool {
        get { storage.content.isBodyTruncated }
        set { content.isBodyTruncated = newValue }
    }

    /// Creates the response to a request.
    package init(_ http: HTTPResponse, to request: CallRequest) {
        var http = http
        http.redaction = request.sentSecrets
        storage = Storage(Content(http: http, request: request, attempt: request.attempt))
    }

    /// Creates a response for which nothing was sent.
    package init(unsent http: HTTPResponse, attempt: Int, redaction: (any TextRedaction)?) {
        var http = http
        http.redaction = redaction
        storage = Storage(Content(http: http, attempt: attempt))
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
