import Waybill
import WaybillSystem

extension Client {
    /// Sends a call and returns when the head of the response has arrived; the caller reads the body.
    ///
    /// The call's deadline and limits apply, and observers receive its events, until the end of the body has been read.
    ///
    /// - Parameters:
    ///   - plan: the plan of the call.
    ///   - bodyUse: how the caller uses the body.
    /// - Returns: the reader of the body.
    /// - Throws: `APIError`; for a failed status, with the response's body and declared problem.
    func open(_ plan: Call.Plan, _ bodyUse: CallContext.BodyUse = .left) async throws(APIError) -> BodyReader {
        try await run(plan, bodyUse) { (response, call) in BodyReader(response, of: call) }
    }
}

/// A reader that returns a response's body in chunks, within the call's deadline.
///
/// Only one task can read at a time. Releasing the last reference discards the rest of the body and closes the
/// connection.
package final class BodyReader: Sendable {
    /// The iterator over the chunks.
    ///
    /// `@unchecked Sendable`: the reader lends it to one task at a time.
    private final class Chunks: @unchecked Sendable {
        var iterator: HTTPBody.Iterator

        init(_ body: HTTPBody) { iterator = body.makeAsyncIterator() }
    }

    private struct State: Sendable {
        /// The chunks; nil while a task is reading one.
        var chunks: Chunks?
        var isOver = false
        var bytes = 0
    }

    /// The call, in the attempt that received the response.
    package let call: Call

    /// The response whose body is read.
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
    /// - Parameter reportsEnd: whether the end of the body ends the call; if false, the call continues until
    ///   ``finish()``.
    /// - Returns: the chunk; nil at the end of the body.
    /// - Throws: `APIError` if the body ends early, the deadline passes, or the task is cancelled. Afterward, the
    ///   reader returns no more chunks.
    package func next(reportsEnd: Bool = true) async throws(APIError) -> Data? {
        let (chunks, isOver) = state.withLock { state in (state.chunks.take(), state.isOver) }
        guard !isOver else { return nil }
        guard let chunks else {
            throw call.transportFailure(TransportError(.other, "another task is reading the body"))
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

    /// Ends the call after its body has been read and processed.
    package func finish() async {
        if end() { await call.reportEnd(.finished(response.status)) }
    }

    /// Ends the call with an error from processing the body.
    package func fail(_ error: APIError) async {
        if end() { await call.reportEnd(.failed(error)) }
    }

    /// Ends reading; returns false if it has already ended.
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
        // Some sequences end early without an error when their task is cancelled.
        guard chunk != nil || !Task.isCancelled else { throw call.failure(CancellationError()) }
        return chunk
    }
}
