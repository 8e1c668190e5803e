import Waybill
import WaybillSystem

/// A step that returns responses from a cache, or sends the request and stores the response.
package struct CacheStep: CallStep {
    let cache: HTTPCache
    let settings: Cached
    let mode: Cached.Policy.Mode

    /// Creates the step for a call; nil if the clause has no cache, or if another step reads the body, which then
    /// cannot be stored.
    init?(_ clause: Cached, of call: Call) {
        guard let cache = clause.cache else { return nil }
        mode = call.cacheMode
        settings = clause
        self.cache = cache
        if call.bypassesCache { return nil }
    }

    /// Returns a response from the cache or from the inner steps.
    ///
    /// - Throws: the errors of the inner steps, and ``Cached/Policy/NotCached`` in an `APIError.middleware`.
    package func handle(
        _ request: CallRequest,
        of call: Call,
        next: @escaping Next
    ) async throws(APIError) -> CallResponse {
        guard request.method.isSafe || mode == .onlyIfCached else { return try await changing(request, of: call, next) }
        let condition = CallerCondition(of: request)
        guard condition != nil || isCacheable(request), let owner = try await owner(of: request, call) else {
            if mode == .onlyIfCached { throw call.failure(Cached.Policy.NotCached()) }
            return try await next(request)
        }
        let visit = CacheLookup(request, of: call, at: self, owner: owner)
        guard mode != .noStore, !visit.control.contains("no-store") else { return try await next(request) }
        if let condition { return try await visit.response(to: condition, next) }
        return try await visit.response(next)
    }

    /// Whether the cache may be used to answer a request and to store the response.
    ///
    /// A request with a condition or range set by the caller may be answered from a stored response
    /// (``CallerCondition``), but its response is not stored.
    private func isCacheable(_ request: CallRequest) -> Bool {
        (request.method.isStorable || request.method == .head) && request.hasCacheableContent
            && !request.headerFields.contains { Self.conditions.contains($0.name.canonicalName) }
    }

    private static let conditions: Set<String> = [
        "range", "if-range", "if-match", "if-none-match", "if-modified-since", "if-unmodified-since",
    ]

    private func owner(of request: CallRequest, _ call: Call) async throws(APIError) -> CallerIdentity? {
        if let user = settings.user { return CallerIdentity(user: user) }
        // A cache-only call does not renew its credential; if the credential is unavailable, it finds nothing.
        guard mode == .onlyIfCached else { return try await CallerIdentity(of: request, call) }
        do throws(APIError) {
            return try await CallerIdentity(of: request, call, mayRenew: false)
        } catch {
            guard !Task.isCancelled else { throw error }
            return nil
        }
    }

    /// Sends an unsafe request, and removes the entries that it may have invalidated (RFC 9111, section 4.4).
    private func changing(
        _ request: CallRequest,
        of call: Call,
        _ next: Next
    ) async throws(APIError) -> CallResponse {
        // A request that starts during or after the change must not join a transfer that began before it.
        let inFlight = InFlightRequests.shared(by: call)
        inFlight.close(request.url)
        defer { inFlight.close(request.url) }
        do throws(APIError) {
            let response = try await next(request)
            if response.status.kind == .successful || response.status.kind == .redirection {
                await forget(request, response, of: call)
            } else if Self.staleOrUnknown.contains(response.status.code) {
                await forget(request, nil, of: call)
            }
            return response
        } catch {
            // The server may have processed the request.
            await forget(request, nil, of: call)
            throw error
        }
    }

    /// The error statuses that invalidate entries: 412, because the failed precondition indicates an outdated entry,
    /// and the gateway errors, because the server behind the gateway may have processed the request.
    private static let staleOrUnknown: Set<Int> = [412, 502, 504]

    private func forget(_ request: CallRequest, _ response: CallResponse?, of call: Call) async {
        await cache.remove(request.url)
        guard let response, let origin = HTTPRequest.Origin(request.url) else { return }
        let base = response.url ?? request.url
        let named = [HTTPField.Name.location, .contentLocation].flatMap { response.headerFields[values: $0] }
        let links = named.compactMap { URL.resolved($0, against: base) }
        let urls = links.map { call.plan.target(of: $0, from: base) } + [base]
        // A server cannot invalidate another origin's entries.
        for url in urls where url != request.url && HTTPRequest.Origin(url) == origin { await cache.remove(url) }
    }
}

extension Call {
    /// The call's cache mode.
    fileprivate var cacheMode: Cached.Policy.Mode {
        settings[NeedsNewResponse.self] == nil ? settings[Cached.Policy.self]?.mode ?? .default : .reload
    }

    /// Whether the call bypasses the cache: a response whose body is read by a step cannot be stored.
    fileprivate var bypassesCache: Bool {
        context.bodyUse.step != nil && plan.method.isSafe && cacheMode != .onlyIfCached
    }
}

extension Cached: CallOption {
    /// The clause itself.
    public var _option: (any AnyObject & Sendable)? { CallPart(self) }

    package var declaredUser: String? { user }

    package func addSteps(to steps: inout CallSteps, of call: Call) {
        steps.add(CacheStep(self, of: call), at: .stored)
    }
}

extension Cached.Policy: CallOption {
    /// The clause itself.
    public var _option: (any AnyObject & Sendable)? { CallPart(self) }

    package func addSteps(to steps: inout CallSteps, of call: Call) {
        // A cache-only call fails without a cache.
        guard call.cacheMode == .onlyIfCached, call.settings[Cached.self]?.cache == nil else { return }
        steps.add(EmptyCache(), at: .stored)
    }
}
