import WaybillSystem

extension Client {
    /// Sends a call and returns its response when the head has arrived; the caller reads the body.
    ///
    /// A deadline, limits and the events for observers last until the body has been read to its end.
    ///
    /// - Parameters:
    ///   - plan: the plan of the call.
    ///   - bodyUse: the use of the body, which is left to the caller.
    /// - Returns: the body to read.
    /// - Throws: ``APIError``; a failed status with its body and its declared problem.
    func open(_ plan: Plan, _ bodyUse: CallContext.BodyUse = .left) async throws(APIError) -> BodyReader {
        try await run(plan, bodyUse) { (response, call) in BodyReader(response, of: call) }
    }
}

/// The body of a response while it is read: chunk by chunk, within the call's deadline.
///
/// One task at a time reads it. When the last reference is released, the rest of the body is dropped, and the
/// connection is closed.
package final class BodyReader: Sendable {
    /// The iterator over the chunks.
    ///
    /// `@unchecked Sendable`: the reader lends it to one task at a time.
    private final class Chunks: @unchecked Sendable {
        var iterator: HTTPBody.Iterator

        init(_ body: HTTPBody) { iterator = body.makeAsyncIterator() }
    }

    private struct State: Sendable {
        /// The chunks; nil while a task reads one.
        var chunks: Chunks?
        var isOver = false
        var bytes = 0
    }

    /// The call at the attempt that got the response.
    package let call: Call

    /// The response.
    package let response: CallResponse

    private let timer: DeadlineTimer?
    private let state: Locked<State>

    init(_ response: CallResponse, of call: Call) {
        self.response = response
        self.call = call
        timer = call.context.deadline.map { DeadlineTimer($0, of: call) }
        state = Locked(State(chunks: Chunks(response.body)))
    }

    deinit {
        guard !state.withLock({ $0.isOver }) else { return }
        call.reportAbandoned(.failed(call.failure(CancellationError())))
    }

    /// Reads the next chunk.
    ///
    /// - Parameter reportsEnd: whether the call is over at the end of the body; otherwise by ``finish()``.
    /// - Returns: the chunk; nil at the end of the body.
    /// - Throws: ``APIError`` if the body breaks off, the deadline has passed, or the task is cancelled; the body has
    ///   then ended.
    package func next(reportsEnd: Bool = true) async throws(APIError) -> Data? {
        let (chunks, isOver) = state.withLock { state in (state.chunks.take(), state.isOver) }
        guard !isOver else { return nil }
        guard let chunks else {
            throw call.transportFailure(TransportError(.other, "another task reads the body at the same time"))
        }
        do throws(APIError) {
            let chunk = try await next(of: chunks)
            if let chunk {
                state.withLock { state in
                    state.bytes += chunk.count
                    state.chunks = chunks
                }
            } else {
                let bytes = state.withLock { state in
                    state.isOver = reportsEnd
                    return state.bytes
                }
                timer?.stop()
                call.report(.body(bytes: bytes), of: response)
                if reportsEnd { await call.reportEnd(.finished(response.status)) }
            }
            return chunk
        } catch {
            await fail(error)
            throw error
        }
    }

    /// Ends the call, whose body has been read and understood.
    package func finish() async {
        if end() { await call.reportEnd(.finished(response.status)) }
    }

    /// Ends the call with an error of the code that reads the body.
    package func fail(_ error: APIError) async {
        if end() { await call.reportEnd(.failed(error)) }
    }

    /// Ends the reading, and returns whether it had not ended before.
    private func end() -> Bool {
        timer?.stop()
        return state.withLock { state in
            defer { (state.isOver, state.chunks) = (true, nil) }
            return !state.isOver
        }
    }

    private func next(of chunks: Chunks) async throws(APIError) -> Data? {
        guard let timer else { return try await nextWithoutDeadline(of: chunks) }
        return try await timer.perform { () async throws(APIError) in
            try await self.nextWithoutDeadline(of: chunks)
        }
    }

    private func nextWithoutDeadline(of chunks: Chunks) async throws(APIError) -> Data? {
        let chunk: Data?
        do throws(TransportError) {
            chunk = try await chunks.iterator.next()
        } catch {
            throw call.transportFailure(error, sent: response.request)
        }
        // Some sequences end early and without an error when their task is cancelled.
        guard chunk != nil || !Task.isCancelled else { throw call.failure(CancellationError()) }
        return chunk
    }
}
