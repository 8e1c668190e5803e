import WaybillSystem

/// A request passed between the steps of a call, with their shared state.
package struct CallRequest: Sendable {
    private struct Content: Sendable {
        var message: HTTPRequest
        var attempt = 1
        var credentials: [RequestCredential] = []
        var hasLeftOrigin = false
        var uploadPart: UploadPart?
        let declared: CallSecrets
    }

    private var storage: CopyOnWrite<Content>

    private var content: Content {
        _read { yield storage.value }
        _modify { yield &storage.value }
    }

    /// The message, with the call's secret names.
    package private(set) var message: HTTPRequest {
        _read { yield content.message }
        _modify { yield &content.message }
    }

    /// The attempt number, starting at 1.
    package var attempt: Int {
        get { content.attempt }
        set { content.attempt = newValue }
    }

    /// The credentials added to each request to the client's origin, including redirected ones.
    package var credentials: [RequestCredential] {
        _read { yield content.credentials }
        _modify { yield &content.credentials }
    }

    /// Whether a redirect has led to a different origin, which then controls where the request is sent.
    package var hasLeftOrigin: Bool {
        get { content.hasLeftOrigin }
        set { content.hasLeftOrigin = newValue }
    }

    /// The part of a resumable upload sent by this request; nil for any other request.
    package var uploadPart: UploadPart? {
        get { content.uploadPart }
        set { content.uploadPart = newValue }
    }

    /// The secrets declared by the call, whether or not this request contains them.
    package var declaredSecrets: CallSecrets { content.declared }

    /// Creates a call's request.
    ///
    /// - Parameters:
    ///   - message: the message.
    ///   - secrets: the secrets declared by the call.
    package init(_ message: HTTPRequest, secrets: CallSecrets) {
        var message = message
        message.secretNames = secrets.names
        storage = CopyOnWrite(Content(message: message, declared: secrets))
    }

    /// The names whose values are redacted, and the values that have become secret during the call.
    package var secretNames: SecretNameSet {
        get { message.secretNames }
        set { message.secretNames = newValue }
    }

    /// The secrets that a response to this request may repeat.
    package var secrets: CallSecrets { declaredSecrets.adding(of: self) }

    /// The request as stored in a response, without a body that is large or produced on demand.
    package var withoutLargeBody: CallRequest {
        guard let body = message.body, body.bytes?.count ?? .max > SentSecrets.longestBody else { return self }
        var request = self
        request.message.body = nil
        return request
    }

    /// Replaces the message with one from a middleware or a signer, keeping the secret names.
    package mutating func replace(_ message: HTTPRequest) {
        let names = secretNames
        self.message = message
        secretNames = names
    }
}

extension CallRequest {
    /// The method.
    package var method: HTTPRequest.Method {
        get { message.method }
        set { message.method = newValue }
    }

    /// The absolute URL, percent-encoded.
    package var url: URL {
        get { message.url }
        set { message.url = newValue }
    }

    /// The header fields, in the order in which they are sent.
    package var headerFields: HTTPFields {
        get { message.headerFields }
        _modify { yield &message.headerFields }
    }

    /// The body; nil if the request has none.
    package var body: HTTPBody? {
        get { message.body }
        set { message.body = newValue }
    }
}

/// A credential added to each request, including redirected ones, because it depends on the requested URL.
///
/// It is stored separately from the request's URL and header fields, so that it never leaks into text or redirects.
package enum RequestCredential: Sendable {
    /// A query item.
    case query(name: String, value: String)
    /// A secret for responding to challenges.
    case challenged(any ChallengedSecret)

    /// The values to redact.
    package var secrets: [String] {
        switch self {
        case .query(_, let value): [value, PercentEncoding.encode(value)]
        case .challenged(let secret): [secret.password]
        }
    }
}

extension RequestCredential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { Redaction.mark }

    package var debugDescription: String { description }

    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension URL {
    /// Returns the URL with all query items of a name replaced by a single one; nil if the result is not a URL.
    package func settingQuery(_ name: String, _ value: String) -> URL? {
        changingQuery { items in
            items.removeAll { $0.text.isEmpty || $0.name.hasSameBytes(as: name) }
            items.append(EncodedItem(name: name, value: value))
        }
    }
}
