import WaybillSystem

/// A declared call: a value that can be inspected, stored, and sent any number of times.
///
/// ```swift
/// let search = shop.search("lamp")
/// try print(search.curl())              // what would be sent
/// let hits = try await search.send()    // sends it
/// ```
public struct Endpoint<Value: Sendable>: Sendable {
    package let client: Client

    /// The scopes inside those of the client, outermost first.
    package let scopes: [Scope]

    package let target: RequestBuilder.Target
    package let reader: ValueReader<Value>
    private let nextKey: NextIdempotencyKey?

    /// Creates the call that fetches the written entity, given the response to this call; see ``WriteResult``.
    package let reread: (@Sendable (Reply, Call.Plan) throws(APIError) -> Endpoint)?

    package init(
        client: Client,
        scopes: [Scope],
        target: RequestBuilder.Target,
        reader: ValueReader<Value>,
        reread: (@Sendable (Reply, Call.Plan) throws(APIError) -> Endpoint)? = nil
    ) {
        self.client = client
        self.scopes = scopes
        self.target = target
        self.reader = reader
        self.reread = reread
        nextKey = .make(for: client.scopes.configuration.settings, scopes)
    }

    package init(client: Client, declaration: consuming Scope, reader: ValueReader<Value>) {
        declaration.name = "endpoint"
        declaration.isForOneCall = true
        declaration.rejectOperations()
        self.init(
            client: client,
            scopes: declaration.flattened,
            target: RequestBuilder.Target(),
            reader: reader
        )
    }

    /// Sends the call and returns its value.
    ///
    /// - Returns: the response value.
    /// - Throws: ``APIError``.
    @discardableResult
    public func send() async throws(APIError) -> Value {
        try await response().value
    }

    /// Sends the call and returns the whole response: the value, the head, the metadata, and the bytes of the body.
    ///
    /// - Returns: the response.
    /// - Throws: ``APIError``.
    public func response() async throws(APIError) -> Response<Value> {
        try await response(of: try planForCall())
    }

    /// Performs a planned call.
    package func response(of plan: Call.Plan) async throws(APIError) -> Response<Value> {
        if let driver = plan.settings.driver { return try await driver.response(to: self, plan) }
        if let reread, plan.settings[WriteResult.self]?.source == .reread {
            return try await client.run(plan) { (reply) throws(APIError) in try reread(reply, plan) }.response()
        }
        return try await client.run(plan, ignoresBody: reader.ignoresBody) { (reply) throws(APIError) in
            try reader.read(reply, of: plan).response
        }
    }
}

extension Endpoint {
    /// Returns the plan of a call that is about to be made, with the next idempotency key if one is declared.
    ///
    /// - Parameter call: the scopes of the call, inside those of the endpoint.
    /// - Returns: the plan.
    /// - Throws: ``APIError/request(_:)`` with every declaration error.
    package func planForCall(_ call: [Scope] = []) throws(APIError) -> Call.Plan {
        do throws(APIError) {
            return try plan(call) { $0.taken(client.context.randomSource) }
        } catch {
            // End the control, because a loop over the call's progress may be waiting for it.
            let inner = (scopes + call).lazy.compactMap { $0.settings[Control.self] }.last
            let control = (inner ?? client.scopes.configuration.settings[Control.self])?.control
            control?.begin()
            control?.end()
            throw error
        }
    }
}

// Inspection of an endpoint without sending a request.
extension Endpoint {
    /// Returns the plan of the call.
    ///
    /// If ``IdempotencyKey`` is declared, the plan contains the key of the endpoint's next call.
    ///
    /// - Returns: the plan.
    /// - Throws: ``APIError/request(_:)`` with every declaration error.
    public func plan() throws(APIError) -> Call.Plan { try plan { $0.shown(client.context.randomSource) } }

    /// Returns the parts of the request, for descriptions.
    ///
    /// - Throws: ``APIError/request(_:)`` with every declaration error.
    package func outline() throws(APIError) -> RequestOutline {
        try RequestBuilder(client: client.scopes, scopes: scopes, target: target).outline()
    }

    /// Returns the plan with a new idempotency key, if one is declared.
    func addingKey(to plan: Call.Plan) -> Call.Plan {
        nextKey == nil ? plan : plan.adding(key: IdempotencyKey.random(client.context.randomSource))
    }

    private func plan(
        _ call: [Scope] = [],
        _ key: (NextIdempotencyKey) -> String
    ) throws(APIError) -> Call.Plan {
        let scopes = call.isEmpty ? scopes : scopes + call
        let plan = try RequestBuilder(client: client.scopes, scopes: scopes, target: target).plan()
        return nextKey.map { plan.adding(key: key($0)) } ?? plan
    }

    /// The request method.
    public var method: HTTPRequest.Method {
        scopes.last { $0.route?.method != nil }?.route?.method ?? .get
    }

    /// The declared path, with each value replaced by `{}`.
    public var template: String {
        get throws(APIError) { try plan().template }
    }

    /// The percent-encoded URL; its description does not redact secrets.
    public var url: URL {
        get throws(APIError) { try plan().url }
    }

    /// The header fields in the order they are sent, without the credential.
    ///
    /// Their descriptions redact secrets.
    public var headerFields: HTTPFields {
        get throws(APIError) { try plan().headerFields }
    }

    /// The bytes of the body; nil if the call has no body or streams it.
    public var body: Data? {
        get throws(APIError) { try plan().body?.bytes }
    }

    /// Returns the call as a `curl` command; see ``Call/Plan/curl(revealingSecrets:)``.
    ///
    /// - Parameter revealingSecrets: whether the command contains secrets instead of placeholders.
    /// - Returns: the command.
    /// - Throws: ``APIError/request(_:)`` with every declaration error.
    public func curl(revealingSecrets: Bool = false) throws(APIError) -> String {
        try plan().curl(revealingSecrets: revealingSecrets)
    }

    /// The parts of the call, with their declaring scopes; see ``Call/Plan/explanation``.
    public var explanation: String {
        get throws(APIError) { try plan().explanation }
    }
}

extension Endpoint: CustomStringConvertible, CustomReflectable {
    /// The request line and the header fields, with secrets redacted; the error if the declaration is invalid.
    public var description: String {
        do throws(APIError) {
            return try plan().description
        } catch {
            return error.description
        }
    }

    /// The plan of the call, with secrets redacted; the error if the declaration is invalid.
    public var customMirror: Mirror {
        do throws(APIError) {
            return Mirror(self, children: ["plan": try plan()], displayStyle: .struct)
        } catch {
            return Mirror(self, children: ["error": error], displayStyle: .struct)
        }
    }
}
