import WaybillSystem

/// A request of a call on its way through the steps: the message, and what the steps hand on to each other.
package struct CallRequest: Sendable {
    private struct Content: Sendable {
        var message: HTTPRequest
        var attempt = 1
        var credentials: [RequestCredential] = []
        var hasLeftOrigin = false
        var uploadPart: UploadPart?
        let declaredSecrets: @Sendable () -> [String]
    }

    private var storage: CopyOnWrite<Content>

    private var content: Content {
        _read { yield storage.value }
        _modify { yield &storage.value }
    }

    /// The message, whose secret names are those of the call.
    package private(set) var message: HTTPRequest {
        _read { yield content.message }
        _modify { yield &content.message }
    }

    /// The number of this attempt of the call, counted from 1.
    package var attempt: Int {
        get { content.attempt }
        set { content.attempt = newValue }
    }

    /// The credentials that are put into each request to their origin, below redirects.
    package var credentials: [RequestCredential] {
        _read { yield content.credentials }
        _modify { yield &content.credentials }
    }

    /// Whether a redirect has led it to another origin, which chooses the request's further targets.
    package var hasLeftOrigin: Bool {
        get { content.hasLeftOrigin }
        set { content.hasLeftOrigin = newValue }
    }

    /// The part of a resumable upload that the request sends; nil for any other request.
    package var uploadPart: UploadPart? {
        get { content.uploadPart }
        set { content.uploadPart = newValue }
    }

    /// Returns the values that the declaration of the call makes secret.
    package var declaredSecrets: @Sendable () -> [String] { content.declaredSecrets }

    /// Creates the request of a call.
    ///
    /// - Parameters:
    ///   - message: the message.
    ///   - names: the names whose values are secret.
    ///   - declaredSecrets: returns the values that are secret by the declaration.
    package init(
        _ message: HTTPRequest,
        secretNames names: SecretNameSet,
        declaredSecrets: @escaping @Sendable () -> [String]
    ) {
        var message = message
        message.secretNames = names
        storage = CopyOnWrite(Content(message: message, declaredSecrets: declaredSecrets))
    }

    /// The names whose values texts leave out, and values that became secret on the way.
    package var secretNames: SecretNameSet {
        get { message.secretNames }
        set { message.secretNames = newValue }
    }

    /// The secrets that a response to this request may repeat.
    package var secrets: CallSecrets {
        CallSecrets(names: secretNames, declared: declaredSecrets, sent: withoutLargeBody)
    }

    /// The request as a response keeps it: a large body, or one that is still produced, is not kept in memory.
    package var withoutLargeBody: CallRequest {
        guard let body = message.body, body.bytes?.count ?? .max > SentSecrets.longestBody else { return self }
        var request = self
        request.message.body = nil
        return request
    }

    /// Replaces the message by one that a middleware or a signer has made.
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

/// The secrets of a call, for the texts that leave it: errors, events, commands, recordings.
///
/// Collected when a text is made: most calls are never printed.
package struct CallSecrets: Sendable {
    /// The names whose values are secret.
    package let names: SecretNameSet

    private let declared: @Sendable () -> [String]
    private let sent: CallRequest?

    /// Creates the secrets of a call.
    ///
    /// - Parameters:
    ///   - names: the names whose values are secret.
    ///   - declared: returns the values that are secret by the declaration.
    ///   - sent: the request that was sent, with its credential; nil if none was.
    package init(names: SecretNameSet, declared: @escaping @Sendable () -> [String], sent: CallRequest? = nil) {
        self.names = names
        self.declared = declared
        self.sent = sent
    }

    /// Returns the secrets of two requests, for a text about both.
    func joined(with other: CallSecrets) -> CallSecrets {
        var names = names
        names.formUnion(other.names)
        return CallSecrets(names: names, declared: { values + other.values })
    }

    /// The values that are secret anywhere.
    package var values: [String] { (sent.map { SentSecrets.values(of: $0) } ?? []) + declared() }

    /// The names, and the values in the forms in which texts write them.
    package var collected: SecretNameSet { names.hiding(values) }

    /// Returns a text without the secret values.
    ///
    /// - Parameters:
    ///   - text: the text.
    ///   - isExcerpt: whether `…` stands for omitted text; a piece of a value next to it is then removed too.
    /// - Returns: the text without the values.
    package func removed(from text: String, isExcerpt: Bool = false) -> String {
        collected.removed(from: text, isExcerpt: isExcerpt)
    }

    /// Returns fields of which those that have a secret value in them are sensitive.
    package func marking(_ fields: HTTPFields) -> HTTPFields {
        let secrets = collected
        return HTTPFields(
            fields.map { field in
                var field = field
                let isSecret = secrets.contains(field.name) || secrets.removed(from: field.value) != field.value
                field.isSensitive = field.isSensitive || isSecret
                return field
            }
        )
    }
}

/// A credential that goes into a request below redirects, because it belongs to the URL that is asked.
///
/// It is kept apart from the request's URL and header fields, so that no text and no redirect has it.
package enum RequestCredential: Sendable, Hashable {
    /// An item of the query.
    case query(name: String, value: String)
    /// A user and a password, with another response to each challenge.
    case digest(user: String, password: String)

    /// The part of it that texts leave out.
    package var secrets: [String] {
        switch self {
        case .query(_, let value): [value, PercentEncoding.encode(value)]
        case .digest(_, let password): [password]
        }
    }
}

extension RequestCredential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { Redaction.mark }

    package var debugDescription: String { description }

    package var customMirror: Mirror { Mirror(self, children: []) }
}

extension URL {
    /// Returns the URL with a query item in place of all of that name; nil if the result is not a URL.
    package func settingQuery(_ name: String, _ value: String) -> URL? {
        let text = textWithoutFragment
        let start = text.firstIndex(of: "?") ?? text.endIndex
        let kept = text[start...].dropFirst().split(separator: "&", omittingEmptySubsequences: false).filter { item in
            let itemName = item.prefix { $0 != "=" }
            return !item.isEmpty && !(PercentEncoding.decode(itemName) ?? String(itemName)).hasSameBytes(as: name)
        }
        let item = "\(PercentEncoding.encode(name))=\(PercentEncoding.encode(value))"
        return URL(string: text[..<start] + "?" + (kept + [Substring(item)]).joined(separator: "&"))
    }
}
