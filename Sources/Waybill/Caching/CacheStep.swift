import Foundation

/// Answers from a cache, or asks the rest of the way and keeps what it answers.
package struct CacheStep: Middleware {
    let cache: HTTPCache
    let settings: Cached
    let mode: CachePolicy.Mode

    /// The step that is declared for a call; nil where none is.
    package static func step(of call: Call) -> (any Middleware)? {
        let mode = call.settings[CachePolicy.self]?.mode
        guard let settings = call.settings[Cached.self], let cache = settings.cache else {
            return mode == .onlyIfCached ? EmptyCache() : nil
        }
        return CacheStep(cache: cache, settings: settings, mode: mode ?? .default)
    }

    /// Answers a request from the cache, or by the rest of the way.
    ///
    /// - Throws: what the rest of the way throws; ``NotCached`` in a ``APIError/middleware(_:)``.
    package func handle(
        _ request: HTTPRequest,
        of call: Call,
        next: @escaping Next
    ) async throws(APIError) -> HTTPResponse {
        guard request.method.isSafe || mode == .onlyIfCached else { return try await changing(request, of: call, next) }
        guard isCacheable(request), let owner = try await owner(of: request, call) else {
            if mode == .onlyIfCached { throw call.failure(NotCached()) }
            return try await next(request)
        }
        let visit = CacheVisit(request, of: call, at: self, owner: owner)
        guard mode != .noStore, !visit.control.contains("no-store") else { return try await next(request) }
        return try await visit.response(next)
    }

    /// Whether a request can have anything to do with the cache.
    ///
    /// One with conditions of its own, or for a part, is the
    /// caller's own business.
    private func isCacheable(_ request: HTTPRequest) -> Bool {
        (request.method == .get || request.method == .head) && request.body == nil
            && !request.headerFields.contains { Self.conditions.contains($0.name.canonicalName) }
    }

    private static let conditions: Set<String> = [
        "range", "if-range", "if-match", "if-none-match", "if-modified-since", "if-unmodified-since",
    ]

    private func owner(of request: HTTPRequest, _ call: Call) async throws(APIError) -> CallerIdentity? {
        if let user = settings.user { return CallerIdentity(user: user) }
        // Where nothing may be sent, nothing is renewed either; and who has no credential finds nothing.
        guard mode == .onlyIfCached else { return try await CallerIdentity(of: request, call) }
        do throws(APIError) {
            return try await CallerIdentity(of: request, call, mayRenew: false)
        } catch {
            guard !Task.isCancelled else { throw error }
            return nil
        }
    }

    /// Passes a request on that may change something, and forgets what it may have changed (RFC 9111, section 4.4).
    private func changing(
        _ request: HTTPRequest,
        of call: Call,
        _ next: Next
    ) async throws(APIError) -> HTTPResponse {
        // What others asked for before it is not to be stored after it.
        let flights = Flights.shared(by: call)
        flights.close(request.url.value)
        defer { flights.close(request.url.value) }
        do throws(APIError) {
            let response = try await next(request)
            // What the change was meant for is not there any more, whoever has changed it.
            if response.status == 412 { await forget(request, nil) }
            if response.status.kind != .clientError { await forget(request, response) }
            return response
        } catch {
            // Whether the server acted on it is not known.
            await forget(request, nil)
            throw error
        }
    }

    private func forget(_ request: HTTPRequest, _ response: HTTPResponse?) async {
        await cache.remove(request.url.value)
        guard let response, let origin = Origin(request.url) else { return }
        let base = (response.url ?? request.url).value
        let named = [HTTPField.Name.location, .contentLocation].flatMap { response.headerFields[values: $0] }
        let urls = named.compactMap { URL.resolved($0, against: base) } + [base]
        // A server may not make others forget.
        for url in urls where url != request.url.value && Origin(url) == origin { await cache.remove(url) }
    }
}
