import WaybillSystem

/// One call, declared and not yet made: a value that can be inspected, stored, and sent any number of times.
///
/// ```swift
/// let search = shop.search("lamp")
/// try print(search.curl())              // what would be sent
/// let hits = try await search.send()    // sends it
/// ```
public struct Endpoint<Value: Sendable>: Sendable {
    package let client: Client

    /// The scopes within the client's, outermost first.
    package let scopes: [Scope]

    package let target: RequestBuilder.Target
    package let reader: ValueReader<Value>
    private let nextKey: NextIdempotencyKey?

    /// Makes the call that fetches the entity after this one, from the response to this one; see ``WriteResult``.
    package let reread: (@Sendable (Reply, Plan) throws(APIError) -> Endpoint)?

    package init(
        client: Client,
        scopes: [Scope],
        target: RequestBuilder.Target,
        reader: ValueReader<Value>,
        reread: (@Sendable (Reply, Plan) throws(APIError) -> Endpoint)? = nil
    ) {
        self.client = client
        self.scopes = scopes
        self.target = target
        self.reader = reader
        self.reread = reread
        nextKey = .make(for: client.scopes.configuration.settings, scopes)
    }

    init(client: Client, declaration: consuming Scope, reader: ValueReader<Value>) {
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
    /// - Throws: ``APIError``.
    @discardableResult
    public func send() async throws(APIError) -> Value {
        try await response().value
    }

    /// Sends the call and returns the whole response: the value, the head, metadata, and the body's bytes.
    ///
    /// - Throws: ``APIError``.
    public func response() async throws(APIError) -> Response<Value> {
        try await response(of: try planForCall())
    }

    /// Makes the call of a plan.
    package func response(of plan: Plan) async throws(APIError) -> Response<Value> {
        if plan.settings[LongRunning.self] != nil { return try await operationResponse(of: plan) }
        if let reread, plan.settings[WriteResult.self]?.source == .reread {
            return try await client.run(plan) { (reply) throws(APIError) in try reread(reply, plan) }.response()
        }
        return try await client.run(plan, ignoresBody: reader.ignoresBody) { (reply) throws(APIError) in
            try reader.read(reply, plan, []).response
        }
    }
}

extension Endpoint {
    // Not inlined: other calls need no room for it while they wait.
    @inline(never)
    private func operationResponse(of plan: Plan) async throws(APIError) -> Response<Value> {
        guard let operation = OperationRun(self, plan) else { return try await response(of: plan) }
        return try await operation.response()
    }

    /// Returns the plan of a call that is about to be made, which takes the next idempotency key.
    ///
    /// - Parameter call: the scopes of the call within those of the endpoint.
    /// - Returns: the plan.
    /// - Throws: ``APIError/request(_:)`` with every declaration error.
    package func planForCall(_ call: [Scope] = []) throws(APIError) -> Plan {
        do throws(APIError) {
            return try plan(call) { $0.taken(client.context.randomSource) }
        } catch {
            // A loop over the progress of the call waits for its end.
            let inner = (scopes + call).lazy.compactMap { $0.settings[Control.self] }.last
            let controlled = inner ?? client.scopes.configuration.settings[Control.self]
            controlled?.control.begin()
            controlled?.control.end()
            throw error
        }
    }
}

// The parts of an endpoint that need no request.
extension Endpoint {
    /// Returns the plan of the call.
    ///
    /// If ``IdempotencyKey`` is declared, the key is the one of the next call that is made with the endpoint.
    ///
    /// - Throws: ``APIError/request(_:)`` with every declaration error.
    public func plan() throws(APIError) -> Plan { try plan { $0.shown(client.context.randomSource) } }

    /// Returns the parts of the request, for descriptions.
    ///
    /// - Throws: ``APIError/request(_:)`` with every declaration error.
    package func outline() throws(APIError) -> RequestOutline {
        try RequestBuilder(client: client.scopes, scopes: scopes, target: target).outline()
    }

    /// Returns the plan of a call with an idempotency key of its own, if one is declared.
    func addingKey(to plan: Plan) -> Plan {
        nextKey == nil ? plan : plan.adding(key: IdempotencyKey.random(client.context.randomSource))
    }

    private func plan(
        _ call: [Scope] = [],
        _ key: (NextIdempotencyKey) -> String
    ) throws(APIError) -> Plan {
        let scopes = call.isEmpty ? scopes : scopes + call
        let plan = try RequestBuilder(client: client.scopes, scopes: scopes, target: target).plan()
        return nextKey.map { plan.adding(key: key($0)) } ?? plan
    }

    /// The method.
    public var method: HTTPRequest.Method {
        scopes.last { $0.route?.method != nil }?.route?.method ?? .get
    }

    /// The path as it was declared, each value replaced by `{}`.
    public var template: String {
        get throws(APIError) { try plan().template }
    }

    /// The URL, percent-encoded; a `URL` prints all that is in it.
    public var url: URL {
        get throws(APIError) { try plan().url }
    }

    /// The header fields in the order in which they go out, without the credential; their texts leave secrets out.
    public var headerFields: HTTPFields {
        get throws(APIError) { try plan().headerFields }
    }

    /// The bytes of the body; nil if the request has none, or if they are produced while they are sent.
    public var body: Data? {
        get throws(APIError) { try plan().body?.bytes }
    }

    /// Returns the call as a `curl` command; see ``Plan/curl(revealingSecrets:)``.
    public func curl(revealingSecrets: Bool = false) throws(APIError) -> String {
        try plan().curl(revealingSecrets: revealingSecrets)
    }

    /// The parts of the call with the scopes that declare them; see ``Plan/explanation``.
    public var explanation: String {
        get throws(APIError) { try plan().explanation }
    }
}

extension Endpoint: CustomStringConvertible, CustomReflectable {
    /// The request line and the header fields, secrets redacted; for a declaration with an error, the error.
    public var description: String {
        do throws(APIError) {
            return try plan().description
        } catch {
            return error.description
        }
    }

    /// The plan of the call, secrets redacted; for a declaration with an error, the error.
    public var customMirror: Mirror {
        do throws(APIError) {
            return Mirror(self, children: ["plan": try plan()], displayStyle: .struct)
        } catch {
            return Mirror(self, children: ["error": error], displayStyle: .struct)
        }
    }
}
