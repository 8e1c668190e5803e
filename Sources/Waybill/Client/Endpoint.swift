import Foundation

/// One call, declared and not yet made: a value that can be looked at, kept, and sent any number of times.
///
/// ```swift
/// let search = shop.search("lamp")
/// try print(search.curl())              // what would be sent
/// let hits = try await search.send()    // sends it
/// ```
public struct Endpoint<Value: Sendable>: Sendable {
    package let client: Client

    /// What is declared nearer than on the client, farthest first.
    package let scopes: [Scope]

    package let target: Planner.Target
    package let reader: ValueReader<Value>

    package init(client: Client, scopes: [Scope], target: Planner.Target, reader: ValueReader<Value>) {
        self.client = client
        self.scopes = scopes
        self.target = target
        self.reader = reader
    }

    init(client: Client, declaration: Scope, reader: ValueReader<Value>) {
        var declaration = declaration
        declaration.name = "endpoint"
        declaration.refuseOperations()
        self.init(
            client: client,
            scopes: declaration.flattened,
            target: Planner.Target(),
            reader: reader
        )
    }

    /// Sends the call and returns its value.
    ///
    /// - Throws: ``APIError``, whatever goes wrong.
    @discardableResult
    public func send() async throws(APIError) -> Value {
        try await response().value
    }

    /// Sends the call and returns the whole response: the value, the head, metadata, and the body's bytes.
    ///
    /// - Throws: ``APIError``, whatever goes wrong.
    public func response() async throws(APIError) -> Response<Value> {
        let plan = try plan()
        return try await client.exchange(plan) { (reply) throws(APIError) in
            try reader.read(reply, plan, []).response
        }
    }
}

// What an endpoint says without being sent.
extension Endpoint {
    /// Everything that is decided about the call.
    ///
    /// - Throws: ``APIError/request(_:)`` with every mistake in the declaration.
    public func plan() throws(APIError) -> Plan {
        try Planner(client: client.scopes, scopes: scopes, target: target).plan()
    }

    /// The method.
    public var method: HTTPRequest.Method {
        scopes.last { $0.route?.method != nil }?.route?.method ?? .get
    }

    /// The path as it was declared, each value replaced by `{}`.
    public var template: String {
        get throws(APIError) { try plan().template }
    }

    /// The URL, percent-encoded; its texts leave secrets out, and ``HTTPURL/value`` is the URL itself.
    public var url: HTTPURL {
        get throws(APIError) { try plan().url }
    }

    /// The header fields in the order in which they go out, without the credential; their texts leave secrets out.
    public var headerFields: HTTPFields {
        get throws(APIError) { try plan().headerFields }
    }

    /// The bytes of the body; nil where the request has none, or where it is produced as it is sent.
    public var body: Data? {
        get throws(APIError) { try plan().body?.bytes }
    }

    /// The call as a `curl` command; see ``Plan/curl(revealingSecrets:)``.
    public func curl(revealingSecrets: Bool = false) throws(APIError) -> String {
        try plan().curl(revealingSecrets: revealingSecrets)
    }

    /// What the call has, and which scope says so; see ``Plan/explanation``.
    public var explanation: String {
        get throws(APIError) { try plan().explanation }
    }
}

extension Endpoint: CustomStringConvertible, CustomReflectable {
    /// The request line and the header fields, secrets redacted; for a declaration with a mistake, the mistake.
    public var description: String {
        do throws(APIError) {
            return try plan().description
        } catch {
            return error.description
        }
    }

    /// The plan of the call, secrets redacted; for a declaration with a mistake, the mistake.
    public var customMirror: Mirror {
        do throws(APIError) {
            return Mirror(self, children: ["plan": try plan()], displayStyle: .struct)
        } catch {
            return Mirror(self, children: ["error": error], displayStyle: .struct)
        }
    }
}
