import WaybillJSON
import WaybillSystem

/// One call of an endpoint with ``LongRunning``: its request, the requests for its status, and that for its result.
struct OperationRun<Value: Sendable>: Sendable {
    /// The meaning of a response of the status resource.
    private enum State {
        case running, done, failed
    }

    private struct Read {
        let state: State
        let text: String?
        let document: JSONValue?
    }

    private let endpoint: Endpoint<Value>
    private let plan: Plan
    private let clause: LongRunning
    private let continuation: OperationContinuation?
    private let deadline: Deadline?

    /// Creates the run of a plan; nil if the plan has no operation.
    init?(_ endpoint: Endpoint<Value>, _ plan: Plan) {
        guard let clause = plan.settings[LongRunning.self] else { return nil }
        self.endpoint = endpoint
        self.plan = plan
        self.clause = clause
        continuation = plan.settings[OperationContinuation.self]
        deadline = clause.limit.map { Deadline($0, on: endpoint.client.context.time) }
    }

    /// Begins or continues the operation, and returns its result.
    func response() async throws(APIError) -> Response<Value> {
        guard let deadline else { return try await unlimitedResponse() }
        return try await TaskContext.run(changing: { $0.deadline = Deadline.earlier(deadline, $0.deadline) }) {
            () async throws(APIError) in
            try await unlimitedResponse()
        }
    }

    private func unlimitedResponse() async throws(APIError) -> Response<Value> {
        if let token = continuation?.token {
            guard token.endpoint == plan.identity else {
                throw rejection("continuing: \(token)", "the token is of another endpoint; give it to that one")
            }
            return try await follow(token, attempt: 0, after: nil)
        }
        let reply = try await endpoint.client.run(plan) { $0 }
        guard let token = try token(in: reply) else { return try endpoint.reader.read(reply, plan, []).response }
        // The response to the request may have the state, and even the result.
        if case .statusCode = clause.state.form { return try await follow(token, attempt: 1, after: reply) }
        guard let document = reply.json, document.value(at: clause.state.path) != nil else {
            return try await follow(token, attempt: 1, after: reply)
        }
        return try await next(after: try read(reply, plan), reply, plan, token, attempt: 1)
    }

    // MARK: Status

    private func follow(
        _ token: LongRunning.Token,
        attempt: Int,
        after reply: Reply?
    ) async throws(APIError) -> Response<Value> {
        var (attempt, reply) = (attempt, reply)
        while true {
            let (plan, status, read): (Plan, Reply, Read)
            do throws(APIError) {
                if let reply { try await wait(after: reply, attempt: attempt) }
                plan = try statusEndpoint(at: token.url, of: .get).planForCall()
                status = try await endpoint.client.run(plan) { $0 }
                read = try self.read(status, plan)
            } catch {
                if case .cancelled = error { await cancel(token) }
                throw error
            }
            guard read.state == .running else {
                return try await next(after: read, status, plan, token, attempt: attempt)
            }
            await report(read, token)
            attempt += 1
            reply = status
        }
    }

    /// Continues after a status: with the result, or with the next request.
    private func next(
        after read: Read,
        _ reply: Reply,
        _ plan: Plan,
        _ token: LongRunning.Token,
        attempt: Int
    ) async throws(APIError) -> Response<Value> {
        await report(read, token)
        switch read.state {
        case .running: return try await follow(token, attempt: attempt, after: reply)
        case .done: return try await result(reply, plan, token)
        case .failed: throw .status(reply.operationFailure(of: plan))
        }
    }

    private func report(_ read: Read, _ token: LongRunning.Token) async {
        guard let continuation else { return }
        await continuation.follow(
            LongRunning.Status(
                token: token,
                state: read.text,
                fractionDone: clause.progress?.fraction(in: read.document),
                document: read.document
            )
        )
    }

    private func read(_ reply: Reply, _ plan: Plan) throws(APIError) -> Read {
        let document = reply.json
        switch clause.state.form {
        case .statusCode: return Read(state: reply.status == 202 ? .running : .done, text: nil, document: document)
        case .flag(let path, let failure):
            let isOver = document?.value(at: path)
            guard document?.objectValue != nil, isOver == nil || isOver?.boolValue != nil else {
                throw undecodable(reply, plan, path, "it is not true or false, as LongRunning declares")
            }
            guard isOver?.boolValue ?? false else { return Read(state: .running, text: nil, document: document) }
            let hasFailed = document?.value(at: failure).map { !$0.isNull } ?? false
            return Read(state: hasFailed ? .failed : .done, text: nil, document: document)
        case .member(let path, let running, let done, let failed):
            guard let text = document?.value(at: path)?.stringValue else {
                throw undecodable(reply, plan, path, "there is no text, which LongRunning declares as the state")
            }
            let isAmong = { (states: [String]) in states.contains { $0.asciiLowercased == text.asciiLowercased } }
            if isAmong(done) { return Read(state: .done, text: text, document: document) }
            if isAmong(failed) { return Read(state: .failed, text: text, document: document) }
            if running.map(isAmong) ?? true { return Read(state: .running, text: text, document: document) }
            let known = ((running ?? []) + done + failed).joined(separator: ", ")
            throw undecodable(reply, plan, path, "it is not one of the states that LongRunning declares: \(known)")
        }
    }

    /// Waits before the next request for the status.
    private func wait(after reply: Reply, attempt: Int) async throws(APIError) {
        let context = endpoint.client.context
        let date = reply.headerFields[.date].flatMap { HTTPDate.date(from: $0, now: context.dates.now) }
        let now = date ?? context.dates.now
        let value = reply.headerFields[.retryAfter].flatMap { RetryAfter($0, now: now) }
        // A date that has passed says nothing: the clocks may differ.
        let isNow = if case .delay = value { true } else { false }
        let asked = value?.wait(from: now) ?? (isNow ? .zero : nil)
        let wait =
            asked ?? clause.polling.wait(afterAttempt: max(1, attempt), fraction: context.randomSource.fraction)
        if let deadline, wait >= deadline.remaining() {
            throw .timeout(APIError.TimeoutFailure(call: reply.call(of: plan), limit: deadline.limit))
        }
        do {
            if wait > .zero { try await context.time.sleep(for: wait) }
            try Task.checkCancellation()
        } catch {
            throw .cancelled(APIError.CancelledFailure(call: reply.call(of: plan)))
        }
    }

    /// Sends the declared request that cancels the operation, although the task is cancelled.
    private func cancel(_ token: LongRunning.Token) async {
        guard let cancellation = clause.cancellation, let url = token.url.appending(pathSuffix: cancellation.suffix),
            let plan = try? statusEndpoint(at: url, of: cancellation.method).planForCall()
        else { return }
        let client = endpoint.client
        await Task { _ = try? await client.run(plan) { $0 } }.value
    }

    // MARK: Result

    private func result(
        _ reply: Reply,
        _ plan: Plan,
        _ token: LongRunning.Token
    ) async throws(APIError) -> Response<Value> {
        switch clause.result.form {
        case .status: return try endpoint.reader.read(reply, plan, []).response
        case .member(let path):
            let enveloped = try statusEndpoint(at: token.url, of: .get, Envelope(itemPath: path, listPath: path))
            return try endpoint.reader.read(reply, try enveloped.planForCall(), []).response
        case .request: return try await statusEndpoint(at: self.plan.url, of: .get).response()
        case .link(let place):
            guard let url = try url(at: place, in: reply, plan) ?? token.resultURL else {
                throw undecodable(reply, plan, place.keys, "LongRunning expects the URL of the result at \(place)")
            }
            return try await statusEndpoint(at: url, of: .get).response()
        }
    }

    // MARK: Requests

    /// Returns the token in the response to the request; nil if the response is the result.
    private func token(in reply: Reply) throws(APIError) -> LongRunning.Token? {
        let isAccepted = reply.status == 202
        if case .statusCode = clause.state.form, !isAccepted { return nil }
        guard let url = try url(at: clause.place, in: reply, plan) else {
            guard isAccepted else { return nil }
            let reason = "LongRunning expects the URL of the status at \(clause.place), and the response has none"
            throw undecodable(reply, plan, clause.place.keys, reason)
        }
        var resultURL: URL?
        if case .link(let place) = clause.result.form { resultURL = try self.url(at: place, in: reply, plan) }
        return LongRunning.Token(url: url, resultURL: resultURL, endpoint: plan.identity)
    }

    /// Returns the URL at a place of a response; nil without one.
    private func url(at place: LongRunning.Place, in reply: Reply, _ plan: Plan) throws(APIError) -> URL? {
        let text: String?
        switch place.form {
        case .fields(let names):
            text = names.lazy.compactMap { HTTPField.Name($0).flatMap { reply.headerFields[$0] } }.first
        case .member(let path): text = reply.json?.value(at: path)?.stringValue
        case .path(let keys, let path):
            guard let value = reply.json?.value(at: keys), !value.isNull, value.objectValue == nil,
                value.arrayValue == nil
            else { return nil }
            let id = value.stringValue ?? value.description
            let endpoint: Endpoint<Void> = self.endpoint.client.endpoint { GET(path(id)) }
            // The values of secret items do not belong in a token; each request adds them again.
            let url = try endpoint.plan().url
            return url.removingQuery { self.plan.secretNames.contains($0) }
        }
        guard let text, !text.isEmpty else { return nil }
        guard let url = URL.resolved(text, against: reply.url) else {
            throw undecodable(reply, plan, place.keys, "it is not an HTTP URL")
        }
        guard HTTPRequest.Origin(url) == HTTPRequest.Origin(self.plan.url) else {
            let reason = "the URL is on another origin than the client, whose credentials must not go there"
            throw undecodable(reply, plan, place.keys, reason)
        }
        return url
    }

    /// Returns a request of the operation after the first: its settings and header fields, without what is sent.
    private func statusEndpoint(
        at url: URL,
        of method: HTTPRequest.Method,
        _ envelope: Envelope? = nil
    ) throws(APIError) -> Endpoint<Value> {
        var scope = Scope("operation")
        Route(method, .url(url.absoluteString)).declare(in: &scope)
        // A stored response would be an earlier state.
        Cached.Policy(.reload).declare(in: &scope)
        envelope?.declare(in: &scope)
        scope.isForOneCall = true
        scope.declare(changesOfQuery(at: url))
        return Endpoint(
            client: endpoint.client,
            scopes: endpoint.scopes.map(Self.further) + [scope],
            target: RequestBuilder.Target(),
            reader: endpoint.reader
        )
    }

    /// Returns what keeps the declared query items from a URL of the server, but for secrets that it lacks.
    private func changesOfQuery(at url: URL) -> [QueryChange] {
        let present = (url.query ?? "").split(separator: "&").map { PercentEncoding.decode($0.prefix { $0 != "=" }) }
        let names =
            endpoint.client.scopes.configuration.query.map(\.name) + endpoint.scopes.flatMap(\.query).map(\.name)
        return names.filter { !plan.secretNames.contains($0) || present.contains($0) }.map { .remove(name: $0) }
    }

    private static func further(_ scope: Scope) -> Scope {
        scope.ofFurtherRequests(
            without: [
                LongRunning.self, OperationContinuation.self, IdempotencyKey.self, Resumable.self,
                UploadResumption.self, Success.self, WriteResult.self, BodyMembers.self,
            ],
            removing: { name in
                name.canonicalName.hasPrefix("content-") || name.canonicalName.hasPrefix("if-") || name == .prefer
            }
        )
    }

    // MARK: Errors

    private func undecodable(
        _ reply: Reply,
        _ plan: Plan,
        _ path: [EnvelopeKey],
        _ reason: String
    ) -> APIError {
        let codingPath = path.map(EnvelopeCodingKey.init(step:))
        let error = DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: reason))
        return .decoding(
            APIError.DecodingFailure(
                call: reply.call(of: plan),
                status: reply.status,
                headerFields: reply.headerFields,
                typeName: "LongRunning",
                underlying: path.isEmpty ? UnusableOperation(description: reason) : error,
                body: reply.body
            )
        )
    }

    private func rejection(_ value: String, _ reason: String) -> APIError {
        .request(
            APIError.RequestFailure(
                call: plan.failedCall(),
                declarationErrors: [DeclarationError(clause: "LongRunning", value: value, reason: reason)]
            )
        )
    }
}

extension Endpoint {
    /// Sends a call with ``LongRunning``, tells of each status, and returns the result of the operation.
    ///
    /// ```swift
    /// let saved = try? JSONDecoder().decode(LongRunning.Token.self, from: Data(contentsOf: file))
    /// let report = try await shop.makeReport("2026-11").send(continuing: saved) { status in
    ///     try? JSONEncoder().encode(status.token).write(to: file)
    ///     bar.update(status.fractionDone ?? 0)
    /// }
    /// ```
    ///
    /// With a token, nothing is sent but requests for the status and the result, with the credential of this call. If
    /// the call is cancelled, the operation is cancelled only if the clause declares how.
    ///
    /// - Parameters:
    ///   - token: the token of an operation under way; nil for a new one. One of another endpoint is a declaration
    ///     error: nothing is sent.
    ///   - follow: receives each status, the last one included.
    /// - Returns: the result.
    /// - Throws: ``APIError``; for an endpoint without the clause, a declaration error.
    @discardableResult
    public func send(
        continuing token: LongRunning.Token? = nil,
        following follow: @escaping @Sendable (LongRunning.Status) async -> Void
    ) async throws(APIError) -> Value {
        var clauses = Scope()
        clauses.declare(OperationContinuation(token: token, follow: follow))
        let plan = try planForCall(Scope.call(clauses))
        guard plan.settings[LongRunning.self] != nil else {
            throw .request(
                APIError.RequestFailure(
                    call: plan.failedCall(),
                    declarationErrors: [
                        DeclarationError(
                            clause: "LongRunning",
                            value: "",
                            reason:
                                "the endpoint does not declare it, so it has no operation to follow; send() sends it"
                        )
                    ]
                )
            )
        }
        return try await response(of: plan).value
    }
}

/// The token that a caller gives, and the closure that gets each status.
struct OperationContinuation: Setting {
    static var clauseName: String { "LongRunning" }

    let token: LongRunning.Token?
    let follow: @Sendable (LongRunning.Status) async -> Void

    var summary: String { token.map { "\($0)" } ?? "a new operation" }
}

extension LongRunning.State {
    /// The path of the member with the state; empty if the state is that of the status code.
    fileprivate var path: ArraySlice<EnvelopeKey> {
        switch form {
        case .statusCode: []
        case .member(let path, _, _, _), .flag(let path, _): path[...]
        }
    }
}

extension LongRunning.Place {
    /// The path of the member with the URL; empty for a header field.
    fileprivate var keys: [EnvelopeKey] {
        switch form {
        case .fields: []
        case .member(let path), .path(let path, _): path
        }
    }
}

extension Reply {
    /// The body as JSON; nil if it is not.
    fileprivate var json: JSONValue? { try? JSONDefaults.decoder.decode(JSONValue.self, from: body) }

    /// Returns the failure of an operation whose status says that it failed: with the problem of a failed status.
    fileprivate func operationFailure(of plan: Plan) -> APIError.StatusFailure {
        failure(of: plan, request: request ?? plan.request, countsAsFailed: true)
            ?? APIError.StatusFailure(call: call(of: plan), status: status, headerFields: headerFields, body: body)
    }
}

extension Plan {
    /// The method, the template and a digest of the URL without its query, which identify the endpoint in a token.
    fileprivate var identity: String {
        let origin = HTTPRequest.Origin(url)?.description ?? ""
        let hash = SHA256.hexadecimal(SHA256.hash("\(origin)\(url.path(percentEncoded: true))".utf8))
        return "\(method) \(template) \(hash)"
    }
}

extension URL {
    /// Returns the URL without the query items of some names.
    fileprivate func removingQuery(_ isRemoved: (String) -> Bool) -> URL {
        let text = textWithoutFragment
        guard let start = text.firstIndex(of: "?") else { return self }
        let kept = text[start...].dropFirst().split(separator: "&", omittingEmptySubsequences: false).filter { item in
            let name = item.prefix { $0 != "=" }
            return !isRemoved(PercentEncoding.decode(name) ?? String(name))
        }
        let query = kept.isEmpty ? "" : "?" + kept.joined(separator: "&")
        return URL(string: text[..<start] + query) ?? self
    }

    /// Returns the URL with a text behind its path; nil if the result is no URL.
    fileprivate func appending(pathSuffix: String) -> URL? {
        guard !pathSuffix.isEmpty else { return self }
        let text = textWithoutFragment
        let end = text.firstIndex(of: "?") ?? text.endIndex
        return URL(string: text[..<end] + pathSuffix + text[end...])
    }
}
