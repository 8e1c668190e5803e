import Waybill
import WaybillFiles
import WaybillJSON
import WaybillSystem

/// A run of a long-running operation: its first request, and the requests for its status and result.
struct OperationRun<Value: Sendable>: Sendable {
    /// The state of the operation, as reported by a response.
    private enum State {
        case running, done, failed
    }

    private struct Read {
        let state: State
        let text: String?
        let document: JSONValue?
    }

    let endpoint: Endpoint<Value>
    let plan: Call.Plan
    let clause: LongRunning
    private let continuation: OperationContinuation?
    private let deadline: Deadline?

    /// Creates a run for a plan.
    init(_ clause: LongRunning, _ endpoint: Endpoint<Value>, _ plan: Call.Plan) {
        self.endpoint = endpoint
        self.plan = plan
        self.clause = clause
        continuation = plan.settings[OperationContinuation.self]
        deadline = clause.timeout.map { Deadline($0, on: endpoint.client.context.time) }
    }

    /// Starts or continues the operation, and returns its result.
    func response() async throws(APIError) -> Response<Value> {
        guard let deadline else { return try await unlimitedResponse() }
        return try await TaskContext.run(changing: { $0.deadline = Deadline.earlier(deadline, $0.deadline) }) {
            () async throws(APIError) in
            try await unlimitedResponse()
        }
    }

    private func unlimitedResponse() async throws(APIError) -> Response<Value> {
        if let token = continuation?.token {
            guard token.endpoint == plan.endpointIdentity(hash: SHA256.hexadecimal(of:)) else {
                throw rejection("continuing: \(token)", "the token belongs to another endpoint; pass it to that one")
            }
            return try await follow(token, attempt: 0, after: nil)
        }
        let reply = try await endpoint.client.run(plan) { $0 }
        guard let token = try token(in: reply) else { return try endpoint.reader.read(reply, of: plan).response }
        // The first response may contain the state, and even the result.
        let document = reply.json
        let hasState = !clause.state.path.isEmpty && document?.value(at: clause.state.path) != nil
        let first = hasState ? try read(reply, plan) : Read(state: .running, text: nil, document: document)
        // Report it before the first wait, so the token can be saved.
        return try await next(after: first, reply, plan, token, attempt: 1)
    }

    // MARK: Status

    private func follow(
        _ token: LongRunning.Token,
        attempt: Int,
        after reply: Reply?
    ) async throws(APIError) -> Response<Value> {
        var (attempt, reply) = (attempt, reply)
        var shortWaitCount = 0
        while true {
            let (plan, status, read): (Call.Plan, Reply, Read)
            do throws(APIError) {
                if let reply { try await wait(after: reply, attempt: attempt, &shortWaitCount) }
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

    /// Reports a status, and continues with the result or the next request.
    private func next(
        after read: Read,
        _ reply: Reply,
        _ plan: Call.Plan,
        _ token: LongRunning.Token,
        attempt: Int
    ) async throws(APIError) -> Response<Value> {
        await report(read, token)
        switch read.state {
        case .running: return try await follow(token, attempt: attempt, after: reply)
        case .done: return try await result(reply, plan, token)
        case .failed: throw .status(failure(reply, plan, token))
        }
    }

    /// Returns the error of a failed operation, attributed to the first request.
    ///
    /// If a problem is declared for the response's status or for failures, the error contains it.
    private func failure(_ reply: Reply, _ plan: Call.Plan, _ token: LongRunning.Token) -> APIError.StatusFailure {
        var failure =
            reply.failure(of: plan, request: reply.request ?? plan.request, countsAsFailed: true)
            ?? APIError.StatusFailure(
                call: reply.call(of: plan),
                status: reply.status,
                headerFields: reply.headerFields,
                body: reply.body
            )
        // If the first response reports the failure, the error already belongs to the first request.
        guard plan.method != self.plan.method || plan.url != self.plan.url else { return failure }
        var call = self.plan.failedCall()
        call.operationURL = token.url
        call.recordingLocation = failure.call.recordingLocation
        call.secrets = call.secrets.map { $0.joined(with: reply.secrets(of: plan)) }
        failure.call = call
        return failure
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

    private func read(_ reply: Reply, _ plan: Call.Plan) throws(APIError) -> Read {
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
    ///
    /// - Parameters:
    ///   - reply: the latest response, which may specify the wait.
    ///   - attempt: the number of responses received so far, including the first one.
    ///   - shortWaitCount: the number of consecutive waits below one second requested by the server.
    /// - Throws: `APIError.timeout` if the wait would exceed the operation's time limit, `APIError.cancelled` if the
    ///   task is cancelled.
    private func wait(after reply: Reply, attempt: Int, _ shortWaitCount: inout Int) async throws(APIError) {
        let context = endpoint.client.context
        let date = reply.headerFields[.date].flatMap { HTTPDate.date(from: $0, now: context.dates.now) }
        let now = date ?? context.dates.now
        let value = reply.headerFields[.retryAfter].flatMap { RetryAfter($0, now: now) }
        // Ignore a date in the past: the clocks may differ.
        let isNow = if case .delay = value { true } else { false }
        let asked = value?.wait(from: now) ?? (isNow ? .zero : nil)
        let bounded = asked.map { min(max($0, Self.shortestWait(after: shortWaitCount)), clause.maximumWait) }
        shortWaitCount = asked.map { $0 < .seconds(1) } ?? false ? min(shortWaitCount, 10) + 1 : 0
        let wait =
            bounded ?? clause.polling.wait(afterAttempt: max(1, attempt), fraction: context.randomSource.fraction)
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

    /// Returns the minimum wait after a number of short waits requested by the server.
    ///
    /// Without this minimum, a server that requests no wait would receive the credential as often as the network
    /// permits.
    private static func shortestWait(after shortWaitCount: Int) -> Duration {
        shortWaitCount == 0 ? .zero : min(.milliseconds(100 << min(shortWaitCount - 1, 4)), .seconds(1))
    }

    /// Sends the declared request to cancel the operation, in a new task because the current one is cancelled.
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
        _ plan: Call.Plan,
        _ token: LongRunning.Token
    ) async throws(APIError) -> Response<Value> {
        switch clause.result.form {
        case .status: return try endpoint.reader.read(reply, of: plan).response
        case .member(let path):
            let enveloped = statusEndpoint(at: token.url, of: .get, Envelope(itemPath: path, listPath: path))
            return try endpoint.reader.read(reply, of: try enveloped.planForCall()).response
        case .request: return try await statusEndpoint(at: self.plan.url, of: .get).response()
        case .link(let location):
            guard let url = try url(at: location, in: reply, plan) ?? token.resultURL else {
                throw undecodable(
                    reply,
                    plan,
                    location.keys,
                    "LongRunning expects the URL of the result at \(location)"
                )
            }
            return try await statusEndpoint(at: url, of: .get).response()
        }
    }
}

extension LongRunning.State {
    /// The path to the member with the state; empty if the status code indicates the state.
    fileprivate var path: ArraySlice<EnvelopeKey> {
        switch form {
        case .statusCode: []
        case .member(let path, _, _, _), .flag(let path, _): path[...]
        }
    }
}

extension Reply {
    /// The body decoded as JSON; nil if it is invalid.
    var json: JSONValue? { try? JSONDefaults.lenientDecoder.decode(JSONValue.self, from: body) }
}

extension LongRunning: CallDriver {
    /// The clause itself; nil for ``none``.
    public var _option: (any AnyObject & Sendable)? { defersResult ? CallPart(self) : nil }

    package static var isOfFirstRequest: Bool { true }

    package static var drivesCalls: Bool { true }
    package func response<Value>(
        to endpoint: Endpoint<Value>,
        _ plan: Call.Plan
    ) async throws(APIError) -> Response<Value> {
        try await OperationRun(self, endpoint, plan).response()
    }

    package func rejectionOfStreaming(_ plan: Call.Plan) -> APIError {
        .request(
            APIError.RequestFailure(
                plan.failedCall(),
                clause: "LongRunning",
                value: summary,
                because: "its result cannot be streamed or downloaded by the same call; send() waits for the "
                    + "operation, and the endpoint of its result is downloaded then"
            )
        )
    }
}
