import Foundation

/// One request at a cache: what is found for it, what the server says of that, what is kept.
struct CacheVisit: Sendable {
    let step: CacheStep
    let request: HTTPRequest
    let call: Call
    let owner: CallerIdentity
    let control: CacheControl
    let key: CacheKey

    init(_ request: HTTPRequest, of call: Call, at step: CacheStep, owner: CallerIdentity) {
        self.step = step
        self.request = request
        self.call = call
        self.owner = owner
        control = CacheControl(request.headerFields)
        key = step.cache.key(of: request.url.value, owner: owner)
    }

    var cache: HTTPCache { step.cache }
    private var guesses: Bool { step.settings.guesses }
    var now: Date { call.context.dates.now }

    func response(_ next: @escaping Middleware.Next) async throws(APIError) -> HTTPResponse {
        let onlyIfCached = step.mode == .onlyIfCached || control.contains("only-if-cached")
        // Before anything is looked for: what is changed from here on is not to be put back by what was found.
        let reading = cache.beginReading(key)
        let stored = step.mode == .reload ? nil : await find()
        let reuse = stored.map { Reuse($0, control, step.mode, now: now, guesses: guesses) } ?? .validate
        switch (reuse, stored) {
        case (.validate, _), (_, nil):
            guard onlyIfCached else { return try await ask(about: stored, reading, next) }
            cache.giveUpReading(reading, key)
            throw call.failure(NotCached())
        case (.staleWhileRevalidating, let stored?) where !onlyIfCached:
            revalidate(stored, reading, next)
            return try await use(stored, .stale)
        case (let reuse, let stored?):
            cache.giveUpReading(reading, key)
            return try await use(stored, reuse == .fresh ? .fresh : .stale)
        }
    }

    /// The newest answer that was given to a request like this one.
    private func find() async -> StoredResponse? {
        await cache.store.responses(for: key)
            .filter { $0.variant.matches(request, digest: cache.digest) }
            .max { $0.precedes($1) }
    }

    private func use(
        _ stored: StoredResponse,
        _ kind: CallEvent.CacheUse,
        confirmedBy confirmation: HTTPResponse? = nil
    ) async throws(APIError) -> HTTPResponse {
        await cache.store.touch(cache.id(of: stored, key))
        call.report(.cached(kind))
        var response = stored.response(to: request, now: now, isValidated: confirmation != nil)
        if let confirmation {
            response.attempt = confirmation.attempt
            response.earlierFailures = confirmation.earlierFailures
        }
        // It was read under the limits of another call.
        try await call.at(attempt: response.attempt).limitBody(of: &response)
        return response
    }

    /// Asks the server, with the conditions under which what is stored is still right.
    private func ask(
        about stored: StoredResponse?,
        _ reading: Int,
        _ next: Middleware.Next
    ) async throws(APIError) -> HTTPResponse {
        let asked = conditional(on: stored)
        let requestDate = now
        do throws(APIError) {
            var response = try await next(asked)
            let responseDate = now
            if let stored, response.status == 304, asked.isConditional {
                if stored.isConfirmed(by: response), isOwn(response) {
                    let updated = stored.updated(by: response, requestDate: requestDate, responseDate: responseDate)
                    await keep(kept(updated, by: response), sent: response, reading, replacing: stored)
                    return try await use(updated, .revalidated, confirmedBy: response)
                }
                // It speaks of a version that is not here, or to somebody else.
                cache.giveUpReading(reading, key)
                await cache.store.remove(cache.id(of: stored, key))
                return try await ask(about: nil, cache.beginReading(key), next)
            }
            if let stored, Self.failures.contains(response.status.code), mayUseAfterFailure(stored) {
                cache.giveUpReading(reading, key)
                return try await use(stored, .stale)
            }
            // What is not kept may be longer than anybody wants in memory: the caller's own limits hold for it.
            if isWorthReading(response) { try await call.at(attempt: response.attempt).readBody(of: &response) }
            let new = StoredResponse(
                response,
                to: request,
                requestDate: requestDate,
                responseDate: responseDate,
                guesses: guesses,
                digest: cache.digest
            )
            await keep(new, sent: response, reading, replacing: stored)
            return response
        } catch {
            cache.giveUpReading(reading, key)
            if let stored, error.isFailureOfServer, mayUseAfterFailure(stored) { return try await use(stored, .stale) }
            throw error
        }
    }

    private static let failures: Set<Int> = [500, 502, 503, 504]

    private func mayUseAfterFailure(_ stored: StoredResponse) -> Bool {
        Reuse.ifError(stored, control, now: now, guesses: guesses)
    }

    private func isWorthReading(_ response: HTTPResponse) -> Bool {
        request.method == .get && StoredResponse.understood.contains(response.status.code)
            && !CacheControl(response.headerFields).contains("no-store")
            && response.body.length.map { $0 <= cache.entryLimit } ?? true
    }

    private func conditional(on stored: StoredResponse?) -> HTTPRequest {
        var asked = request
        if step.mode == .reload, !asked.headerFields.contains(.cacheControl) {
            asked.headerFields[.cacheControl] = "no-cache"
        }
        // The answer to a HEAD would have nothing that could be kept.
        guard let stored, request.method == .get else { return asked }
        if let tag = stored.headerFields.entityTag { asked.headerFields[.ifNoneMatch] = "\(tag)" }
        if let date = stored.lastModifiedText { asked.headerFields[.ifModifiedSince] = date }
        return asked
    }

    /// Asks about an answer that is used meanwhile.
    ///
    /// The call may be over before: it runs in a task of its own.
    private func revalidate(_ stored: StoredResponse, _ reading: Int, _ next: @escaping Middleware.Next) {
        let limit = call.context.deadline?.limit ?? Self.patience
        let isBegun = cache.revalidateOnce(cache.id(of: stored, key)) {
            await Deadline.$current.withValue(nil) {
                await withTaskGroup(of: Void.self) { group in
                    group.addTask { _ = try? await ask(about: stored, reading, next) }
                    group.addTask { try? await call.context.time.sleep(for: limit) }
                    await group.next()
                    group.cancelAll()
                }
            }
        }
        if !isBegun { cache.giveUpReading(reading, key) }
    }

    /// How long the server may take for it where the call has no limit.
    private static let patience = Duration.seconds(60)
}
