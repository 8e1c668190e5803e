import WaybillSystem

extension Call {
    /// Reads a response's body into memory, for a middleware.
    ///
    /// The body can be read from the response again.
    ///
    /// - Parameters:
    ///   - response: the response; its body is in memory afterwards.
    ///   - limit: the maximum number of bytes; nil for the limit that ``BodyLimits`` sets for successful responses.
    /// - Returns: the bytes of the body.
    /// - Throws: ``APIError/transport(_:)`` if the body ends early or exceeds the limit.
    public func bytes(of response: inout HTTPResponse, upTo limit: Int? = nil) async throws(APIError) -> Data {
        do throws(TransportError) {
            let bytes: Data
            if let limit {
                bytes = try await response.body.collect(upTo: limit)
            } else {
                bytes = try await Self.whole(response.body, plan.successLimit)
            }
            response.body = HTTPBody(bytes)
            return bytes
        } catch {
            throw transportFailure(error)
        }
    }

    /// Reads a response's body to its end and stores it in the response, unless it has already been read.
    ///
    /// A failed response's body is truncated to its limit. Observers receive the body's size. The body of a successful
    /// response to a streaming call is left unread, unless it is a declared problem.
    ///
    /// - Throws: ``APIError/transport(_:)`` if the body ends early or exceeds the ``BodyLimits``.
    package func readBody(of response: inout CallResponse) async throws(APIError) {
        guard !response.isRead else { return }
        guard context.bodyUse.isWhole || !plan.isSuccess(response.status) else {
            if context.bodyUse.isCheckedForProblem { try await readProblem(in: &response) }
            return
        }
        try await limitBody(of: &response)
        response.isRead = true
        if isObserved { report(.body(bytes: response.droppedBytes + (response.body.length ?? 0)), of: response) }
    }

    /// Applies the call's limits to a body, even if it has already been read, possibly by another call.
    ///
    /// - Throws: ``APIError/transport(_:)`` if the body ends early or exceeds the ``BodyLimits``.
    package func limitBody(of response: inout CallResponse) async throws(APIError) {
        // Most bodies are already in memory and within the limit.
        if plan.isSuccess(response.status), let bytes = response.body.bytes, bytes.count <= plan.successLimit { return }
        try await readWithinLimit(&response)
    }

    @inline(never)  // keeps frames small: see Architecture.md
    private func readWithinLimit(_ response: inout CallResponse) async throws(APIError) {
        if context.bodyUse.isLeft, !plan.isSuccess(response.status), response.body.length == nil {
            try await readFailure(ofStream: &response)
            return
        }
        do {
            let bytes: Data
            if plan.isSuccess(response.status) {
                if dropsLongBody {
                    (bytes, response.droppedBytes) = try await Self.short(response.body, plan)
                } else {
                    bytes = try await Self.whole(response.body, plan.successLimit)
                }
            } else {
                (bytes, response.isBodyTruncated) = try await Self.beginning(of: response.body, plan.failureLimit)
            }
            response.body = HTTPBody(bytes, trailerFields: response.body.trailerFields)
        } catch {
            throw transportFailure(TransportError(wrapping: error))
        }
    }

    /// Reads a whole body into memory.
    ///
    /// - Throws: `TransportError` of kind `TransportError.Kind.bodyTooLarge` if the body exceeds the limit; otherwise
    ///   the error that ended the body early.
    private static func whole(_ body: HTTPBody, _ limit: Int) async throws(TransportError) -> Data {
        let tooLarge = tooLarge(limit)
        if let length = body.length, length > limit { throw tooLarge }
        if let bytes = body.bytes { return bytes }
        var collected = Data()
        var chunks = body.makeAsyncIterator()
        while let chunk = try await chunks.next() {
            guard chunk.count <= limit - collected.count else { throw tooLarge }
            if collected.isEmpty { collected = chunk } else { collected.append(chunk) }
        }
        return collected
    }

    /// Whether to discard a long body of a successful response because nothing is decoded from it.
    package var dropsLongBody: Bool {
        guard context.bodyUse.isIgnored, plan.metadataRules.isEmpty else { return false }
        return !(plan.settings[ProblemRules.self]?.mayApply(toAnyOf: plan.successStatuses) ?? false)
    }

    /// Reads a body to its end, keeping it only if it is within the limit for a failed response's body.
    ///
    /// - Returns: the bytes (empty for a longer body) and the number of discarded bytes.
    /// - Throws: `TransportError` of kind `TransportError.Kind.bodyTooLarge` if the body exceeds the limit for
    ///   successful responses; otherwise the error that ended the body early.
    private static func short(_ body: HTTPBody, _ plan: Call.Plan) async throws(TransportError) -> (Data, dropped: Int)
    {
        if let length = body.length, length > plan.successLimit { throw tooLarge(plan.successLimit) }
        if let bytes = body.bytes { return (bytes, 0) }
        var kept = Data()
        var count = 0
        var chunks = body.makeAsyncIterator()
        while let chunk = try await chunks.next() {
            guard chunk.count <= plan.successLimit - count else { throw tooLarge(plan.successLimit) }
            count += chunk.count
            if count <= plan.failureLimit { kept.append(chunk) } else { kept = Data() }
        }
        return count <= plan.failureLimit ? (kept, 0) : (Data(), count)
    }

    private static func tooLarge(_ limit: Int) -> TransportError {
        TransportError(.bodyTooLarge, "it has more than \(limit) bytes; declare BodyLimits(successBytes:) to read more")
    }

    private static func beginning(
        of body: HTTPBody,
        _ limit: Int
    ) async throws -> (bytes: Data, isTruncated: Bool) {
        if let bytes = body.bytes, bytes.count <= limit { return (bytes, false) }
        var collected = Data()
        for try await chunk in body {
            let room = limit - collected.count
            collected.append(chunk.prefix(room))
            if chunk.count > room { return (collected, true) }
        }
        return (collected, false)
    }
}

extension Call {
    /// Returns the failure that a response represents; nil for a success.
    ///
    /// The verdict is cached in the response, so the steps of a call decode a problem in the body only once. The body
    /// must have been read, unless the status counts as success.
    func failure(of response: inout CallResponse) -> APIError.StatusFailure? {
        // A response with a success status is a failure only if its body has been read and is a declared problem.
        if plan.isSuccess(response.status),
            !response.isRead || !(plan.settings[ProblemRules.self]?.mayApply(to: response.status) ?? false)
        {
            return nil
        }
        let reply = Reply(response, of: plan)
        if let verdict = response.verdict, verdict.planID == plan.id {
            guard var failure = verdict.failure else { return nil }
            // Steps may have recorded more failures since the verdict.
            failure.call = reply.call(of: plan)
            return failure
        }
        let failure = reply.failure(of: plan, request: response.request ?? plan.request)
        response.verdict = CallResponse.Verdict(planID: plan.id, failure: failure)
        return failure
    }
}

extension Call.Plan {
    /// The maximum number of bytes read from a successful response's body.
    package var successLimit: Int { settings[BodyLimits.self]?.successBytes ?? BodyLimits.defaultSuccess }

    /// The number of bytes kept from a failed response's body.
    package var failureLimit: Int { settings[BodyLimits.self]?.failureBytes ?? BodyLimits.defaultFailure }

    /// The metadata declared in the body.
    package var metadataRules: [Extraction.SideValue] { settings[MetadataRules.self]?.bodyValues ?? [] }

    /// The statuses that count as success.
    var successStatuses: HTTPResponse.StatusSet { settings[Success.self]?.statuses ?? .success }

    /// Whether a status counts as success.
    package func isSuccess(_ status: HTTPResponse.Status) -> Bool { successStatuses.contains(status) }
}
