/// A request of a call on its way through the steps: the message, and what the steps hand on to each other.
package struct CallRequest: Sendable {
    private struct Content: Sendable {
        var http: HTTPRequest
        var secrets: any CallSecrets
        var attempt = 1
        var credentials: [RequestCredential] = []
        var hasLeftOrigin = false
    }

    private var shared: CopyOnWrite<Content>

    /// The message, whose texts leave out the secrets of the call.
    package private(set) var http: HTTPRequest {
        get { shared.content.http }
        _modify { yield &shared.content.http }
    }

    /// The secrets of the call.
    package private(set) var secrets: any CallSecrets {
        get { shared.content.secrets }
        set { shared.content.secrets = newValue }
    }

    /// The number of this attempt of the call, counted from 1.
    package var attempt: Int {
        get { shared.content.attempt }
        set { shared.content.attempt = newValue }
    }

    /// The credentials that are put into each request to their origin, below redirects.
    package var credentials: [RequestCredential] {
        get { shared.content.credentials }
        set { shared.content.credentials = newValue }
    }

    /// Whether a redirect has led it to another origin, which chooses the request's further targets.
    package var hasLeftOrigin: Bool {
        get { shared.content.hasLeftOrigin }
        set { shared.content.hasLeftOrigin = newValue }
    }

    /// Creates the request of a call.
    package init(_ http: HTTPRequest, secrets: any CallSecrets) {
        var http = http
        http.redaction = secrets
        shared = CopyOnWrite(Content(http: http, secrets: secrets))
    }

    /// The names whose values texts leave out.
    package var secretNames: SecretNameSet {
        get { secrets.names }
        set {
            secrets = ExtendedSecrets(newValue, base: secrets)
            http.redaction = secrets
        }
    }

    /// The secrets that a response to this request may repeat.
    package var sentSecrets: any CallSecrets { secrets.sent(with: self) }

    /// The message as a transport gets it: the progress of a call has the number of the attempt.
    package var message: HTTPRequest {
        // Not inlined: its values need no room for as long as the transport works.
        @inline(never) get {
            guard http.control != nil else { return http }
            var message = http
            message.attempt = attempt
            return message
        }
    }

    /// Replaces the message by one that a middleware or a signer has made.
    package mutating func replace(_ message: HTTPRequest) {
        http = message
        http.redaction = secrets
    }
}

extension CallRequest {
    /// The method.
    package var method: HTTPRequest.Method {
        get { http.method }
        set { http.method = newValue }
    }

    /// The absolute URL, percent-encoded.
    package var url: HTTPURL {
        get { http.url }
        set { http.url = newValue }
    }

    /// The header fields, in the order in which they go out.
    package var headerFields: HTTPFields {
        get { http.headerFields }
        _modify { yield &http.headerFields }
    }

    /// The body, or nil if the request has none.
    package var body: HTTPBody? {
        get { http.body }
        set { http.body = newValue }
    }

    /// The part of a resumable upload that the request sends; nil for any other request.
    package var uploadPart: UploadPart? {
        get { http.uploadPart }
        set { http.uploadPart = newValue }
    }

    /// The time limit that the call declares; nil if it declares none.
    package var timeLimit: HTTPRequest.TimeLimit? {
        get { http.timeLimit }
        set { http.timeLimit = newValue }
    }

    /// Whether an observer wants to know how the request goes over the network.
    package var isMeasured: Bool {
        get { http.isMeasured }
        set { http.isMeasured = newValue }
    }
}
