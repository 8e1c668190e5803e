import Foundation

/// Everything that is decided about a call before it is made: one for each call, made in one place.
///
/// An endpoint gives its plan without being sent:
///
/// ```swift
/// let plan = try shop.search("lamp").plan()
/// plan.method          // GET
/// plan.template        // products/search
/// plan.url             // https://shop.example/products/search?q=lamp
/// print(plan.curl())
/// print(plan.explanation)
/// ```
public struct Plan: Sendable {
    // A class, because each step of a call has its plan.
    private final class Storage: CallSecrets {
        let decided: Decided

        init(_ decided: Decided) { self.decided = decided }

        var names: SecretNameSet { decided.secretNames }

        var values: [String] {
            let credential = decided.settings[Authorization.self]?.credential
            let known = SentSecrets.values(of: Plan(self).request)
            // What another origin is not sent is as secret as before.
            let declared = decided.isForeign ? SentSecrets.values(in: decided.fartherScopes, names) : []
            let nearer = decided.isForeign ? SentSecrets.values(in: decided.nearerScopes, names) : []
            return known + declared + nearer + (credential.map { SentSecrets.values(of: $0) } ?? [])
        }

        func sent(with request: HTTPRequest) -> any CallSecrets { request.sentSecrets(knowing: self) }
    }

    private let storage: Storage

    init(_ decided: Decided) { storage = Storage(decided) }

    private init(_ storage: Storage) { self.storage = storage }

    /// The secrets of the call, as far as they are known before it is made.
    package var secrets: any CallSecrets { storage }

    /// The method.
    public var method: HTTPRequest.Method { storage.decided.method }

    /// The path as it was declared, each value replaced by `{}`: what logs, metrics and stubs key on.
    public var template: String { storage.decided.template }

    /// The route's path, percent-encoded, without a slash in front.
    package var path: String { storage.decided.path }

    /// The URL, percent-encoded; its texts leave secrets out, and ``HTTPURL/value`` is the URL itself.
    public var url: HTTPURL { HTTPURL(storage.decided.url, secrets: storage) }

    /// The header fields, in the order in which they go out.
    ///
    /// The credential is not among them: it is asked for when the request is sent. Their texts leave secrets out.
    public var headerFields: HTTPFields { HTTPFields(storage.decided.headerFields, secrets: storage) }

    /// The body, or nil where the request has none.
    public var body: HTTPBody? { storage.decided.body }

    /// The settings that hold for the call.
    public var settings: CallSettings { storage.decided.settings }

    /// The names whose values texts leave out.
    package var secretNames: SecretNameSet { storage.decided.secretNames }

    /// The secret values in the route's path, percent-encoded, in their order.
    package var pathSecrets: [String] { storage.decided.pathSecrets }

    /// The route's path as a cursor keeps it: with marks in place of secrets.
    var cursorPath: String { PathSecrets.removing(pathSecrets, from: path) }

    /// The keys around the value in the JSON body.
    package var bodyKeys: [String] { storage.decided.bodyKeys }

    /// The client's scopes, farthest first.
    package var fartherScopes: [Scope] { storage.decided.fartherScopes }

    /// The scopes that are nearer, farthest first.
    package var nearerScopes: [Scope] { storage.decided.nearerScopes }

    /// The cursor of the page that the call asks for.
    package var cursor: Cursor? { storage.decided.cursor }

    /// Whether the URL is on another origin than the client's.
    package var isForeign: Bool { storage.decided.isForeign }

    /// The credential of the call; none where the URL is on another origin.
    package var credential: Credential? {
        isForeign ? nil : settings[Authorization.self]?.credential
    }

    /// The scopes that were laid over each other, farthest first.
    package var scopes: [Scope] { fartherScopes + nearerScopes }

    /// The value of the query item of a name, as the URL has it; nil where it has none.
    package func queryValue(_ name: String?) -> String? {
        guard let name else { return nil }
        return URLComponents(url: url.value, resolvingAgainstBaseURL: false)?.queryItems?
            .first { $0.name.hasSameBytes(as: name) }?.value
    }

    /// The call as an error describes it.
    package func failedCall(attempt: Int = 1) -> FailedCall {
        var call = FailedCall(
            method: method,
            template: template,
            attempt: attempt,
            cursor: cursor
        )
        call.target = url
        call.secrets = storage
        return call
    }

    /// The request, without its credential.
    package var request: HTTPRequest {
        var request = HTTPRequest(
            method: method,
            url: url,
            template: template,
            headerFields: headerFields,
            body: body,
            secrets: storage
        )
        request.control = settings[Controlled.self]?.control
        return request
    }
}

extension Plan: CustomStringConvertible, CustomReflectable {
    /// The request line and the header fields, secrets redacted.
    ///
    /// ``explanation`` says more.
    public var description: String { request.description }

    /// What is decided about the call, secrets redacted.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "method": method, "template": template, "url": url, "headerFields": headerFields,
                "body": body as Any, "settings": settings, "cursor": cursor as Any,
            ],
            displayStyle: .struct
        )
    }
}
