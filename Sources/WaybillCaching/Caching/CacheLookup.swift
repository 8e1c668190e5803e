import Waybill
import WaybillSystem

/// The handling of one request by a cache: lookup, revalidation and storage.
struct CacheLookup: Sendable {
    let step: CacheStep
    let request: CallRequest
    let call: Call
    let owner: CallerIdentity
    let control: CacheControl
    let key: CacheKey

    init(_ request: CallRequest, of call: Call, at step: CacheStep, owner: CallerIdentity) {
        self.step = step
        self.request = request
        self.call = call
        self.owner = owner
        control = CacheControl(request.headerFields)
        key = step.cache.key(of: request, owner: owner)
    }

    var cache: HTTPCache { step.cache }
    private var allowsHeuristicFreshness: Bool { step.settings.allowsHeuristicFreshness }
    var now: Date { call.context.dates.now }

    func response(_ next: @escaping CallStep.Next) async throws(APIError) -> CallResponse {
        let onlyIfCached = step.mode == .onlyIfCached || control.contains("only-if-cached")
        // Begin before the lookup: a change after this point prevents the response from being stored.
        let reading = cache.beginReading(key)
        let stored = step.mode == .reload ? nil : await find()
        let decision = stored.map { decide(about: $0) } ?? .validate
        switch (decision, stored) {
        case (.validate, _), (_, nil):
            guard onlyIfCached else { return try await ask(about: stored, reading, next) }
            cache.giveUpReading(reading, key)
            throw call.failure(Cached.Policy.NotCached())
        case (.staleWhileRevalidating, let stored?) where !onlyIfCached:
            revalidate(stored, reading: reading, next: next)
            return try await use(stored, .stale)
        case (let decision, let stored?):
            cache.giveUpReading(reading, key)
            return try await use(stored, decision == .fresh ? .fresh : .stale)
        }
    }

    /// Returns the response to a request with a condition or range set by the caller.
    ///
    /// The response comes from the cache if a usable stored response satisfies the request, and otherwise from the
    /// server. Nothing is stored.
    func response(to condition: CallerCondition, _ next: CallStep.Next) async throws(APIError) -> CallResponse {
        let onlyIfCached = step.mode == .onlyIfCached || control.contains("only-if-cached")
        if step.mode == .default || onlyIfCached, let stored = await find(), let result = condition.result(from: stored)
        {
            let decision = decide(about: stored)
            if decision == .fresh || decision == .stale {
                return try await use(result, decision == .fresh ? .fresh : .stale)
            }
        }
        guard !onlyIfCached else { throw call.failure(Cached.Policy.NotCached()) }
        return try await next(request)
    }

    private func decide(about stored: StoredResponse) -> CacheDecision {
        CacheDecision(
            about: stored,
            request: control,
            mode: step.mode,
            now: now,
            allowsHeuristicFreshness: allowsHeuristicFreshness
        )
    }

    /// Returns the most recent stored response that matches the request.
    private func find() async -> StoredResponse? {
        await cache.store.responses(for: key)
            .filter { $0.variant.matches(request.message, digest: cache.digest) }
            .max { $0.precedes($1) }
    }

    private func use(
        _ stored: StoredResponse,
        _ kind: CallEvent.CacheUse,
        confirmedBy confirmation: CallResponse? = nil
    ) async throws(APIError) -> CallResponse {
        await cache.store.touch(cache.id(of: stored, key))
        call.report(.cached(kind))
        var response = stored.response(to: request, now: now, isValidated: confirmation != nil)
        if let confirmation {
            response.attempt = confirmation.attempt
            response.earlierFailures = confirmation.earlierFailures
        }
        // The stored body was read under another call's limits.
        try await call.at(attempt: response.attempt).limitBody(of: &response)
        return response
    }

    /// Sends the request, with conditions that validate the stored response, if any.
    private func ask(
        about stored: StoredResponse?,
        _ reading: Int,
        _ next: CallStep.Next
    ) async throws(APIError) -> CallResponse {
        let asked = conditional(on: stored)
        let requestDate = now
        let fetched: (response: CallResponse, date: Date)
        do throws(APIError) {
            fetched = try await fetch(asked, next)
        } catch {
            cache.giveUpReading(reading, key)
            if let stored, error.isFailureOfServer, mayUseAfterFailure(stored) { return try await use(stored, .stale) }
            throw error
        }
        let (response, responseDate) = fetched
        if let stored, response.status == 304, asked.message.isConditional {
            if stored.isConfirmed(by: response.message), isOwn(response) {
                let updated = stored.updated(by: response.message, requestDate: requestDate, responseDate: responseDate)
                await keep(kept(updated, by: response), sent: response, reading, replacing: stored)
                return try await use(updated, .revalidated, confirmedBy: response)
            }
            // The 304 confirms a different version, or is for a different caller.
            cache.giveUpReading(reading, key)
            await cache.store.remove(cache.id(of: stored, key))
            return try await ask(about: nil, cache.beginReading(key), next)
        }
        if let stored, Self.failures.contains(response.status.code), mayUseAfterFailure(stored) {
            cache.giveUpReading(reading, key)
            return try await use(stored, .stale)
        }
        let new = StoredResponse(
            response,
            to: request.message,
            requestDate: requestDate,
            responseDate: responseDate,
            allowsHeuristicFreshness: allowsHeuristicFreshness,
            digest: cache.digest
        )
        await keep(new, sent: response, reading, replacing: stored)
        return response
    }

    /// Sends a request, and returns the response with the arrival date of its head.
    ///
    /// The body is read if the response may be stored.
    private func fetch(
        _ request: CallRequest,
        _ next: CallStep.Next
    ) async throws(APIError) -> (response: CallResponse, date: Date) {
        var response = try await next(request)
        let date = now
        // Do not read other bodies: they may be too large for memory, and only the caller's limits apply to them.
        if isWorthReading(response) { try await call.at(attempt: response.attempt).readBody(of: &response) }
        return (response, date)
    }

    private static let failures: Set<Int> = [500, 502, 503, 504]

    private func mayUseAfterFailure(_ stored: StoredResponse) -> Bool {
        CacheDecision.ifError(
            stored,
            request: control,
            now: now,
            allowsHeuristicFreshness: allowsHeuristicFreshness
        )
    }

    private func isWorthReading(_ response: CallResponse) -> Bool {
        request.method.isStorable
            && StoredResponse.mayBeStored(response.status, CacheControl(response.headerFields))
            && response.body.length.map { $0 <= cache.maximumEntryBytes } ?? true
    }

    private func conditional(on stored: StoredResponse?) -> CallRequest {
        var asked = request
        if step.mode == .reload, !asked.headerFields.contains(.cacheControl) {
            asked.headerFields[.cacheControl] = "no-cache"
        }
        if step.mode == .revalidate, !asked.headerFields.contains(.cacheControl) {
            asked.headerFields[.cacheControl] = "max-age=0"
        }
        // The response to a HEAD request has no body to store.
        guard let stored, request.method.isStorable else { return asked }
        if let tag = stored.headerFields.entityTag { asked.headerFields[.ifNoneMatch] = "\(tag)" }
        if let date = stored.lastModifiedText { asked.headerFields[.ifModifiedSince] = date }
        return asked
    }

    /// Revalidates a response in the background while it is being used.
    ///
    /// This runs in a separate task, since the call may end first.
    private func revalidate(_ stored: StoredResponse, reading: Int, next: @escaping CallStep.Next) {
        let limit = call.context.deadline?.limit ?? Self.patience
        let isBegun = cache.revalidateOnce(cache.id(of: stored, key)) {
            await TaskContext.run(changing: { $0.deadline = nil }) {
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

    /// The time limit of a background revalidation for a call without a deadline.
    private static let patience = Duration.seconds(60)
}
