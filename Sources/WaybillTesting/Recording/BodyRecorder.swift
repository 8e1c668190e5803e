import Foundation
import Waybill

/// A recorder of the chunks of a body as they are read.
///
/// The recording is complete when the body ends or fails, or when its last reader is released.
final class BodyRecorder: Sendable {
    typealias Completion = @Sendable (Data, RecordedFault?) throws(TransportError) -> Void

    private struct State {
        var bytes = Data()
        var isComplete = false
    }

    private let state = Locked(State())
    private let limit: Int
    private let completion: Completion

    /// Creates a recorder.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of bytes to keep. If the body is longer, the completion receives one byte more.
    ///   - completion: the closure that receives the bytes, and the fault that ended the body, if any.
    init(upTo limit: Int = .max - 1, _ completion: @escaping Completion) {
        self.limit = limit
        self.completion = completion
    }

    deinit { try? complete(RecordedFault()) }

    /// Returns a body that records each chunk as it is read.
    func recording(_ body: HTTPBody) -> HTTPBody {
        let chunks = ProducedChunks(start: body.makeAsyncIterator) { iterator in
            let chunk: Data?
            do throws(TransportError) {
                chunk = try await iterator.next()
            } catch {
                try self.complete(RecordedFault(error, message: error.message))
                throw error
            }
            if let chunk { self.add(chunk) } else { try self.complete(nil) }
            return chunk
        }
        return HTTPBody(chunks, length: body.length) { body.trailerFields }
    }

    private func add(_ chunk: Data) {
        state.withLock { state in state.bytes += chunk.prefix(limit + 1 - state.bytes.count) }
    }

    private func complete(_ fault: RecordedFault?) throws(TransportError) {
        let bytes = state.withLock { state -> Data? in
            defer { state.isComplete = true }
            return state.isComplete ? nil : state.bytes
        }
        if let bytes { try completion(bytes, fault) }
    }
}

/// A recorder of a request body as it is sent, possibly several times, as for a redirect.
final class RequestBodyRecorder: Sendable {
    private struct State {
        var bytes = Data()
        var isComplete = false
        /// Whether some bytes were skipped, or the body is too long.
        var isPartial = false
    }

    private let state = Locked(State())
    private let limit: Int

    /// Creates a recorder.
    ///
    /// - Parameter limit: the maximum number of bytes to keep.
    init(upTo limit: Int) { self.limit = limit }

    /// The body; nil if it is too long or was not read to its end.
    var bytes: Data? { state.withLock { $0.isComplete && !$0.isPartial ? $0.bytes : nil } }

    /// Adds a chunk, or marks the end of the body if the chunk is nil.
    func add(_ chunk: Data?, at offset: Int) {
        state.withLock { state in
            if offset == 0 { state = State() }
            guard let chunk else {
                state.isComplete = true
                return
            }
            state.isPartial = state.isPartial || offset != state.bytes.count || chunk.count > limit - state.bytes.count
            if state.isPartial { state.bytes = Data() } else { state.bytes += chunk }
        }
    }
}

/// A sequence of body chunks, produced from mutable state.
struct ProducedChunks<State>: AsyncSequence, Sendable {
    let start: @Sendable () -> State
    let next: @Sendable (inout State) async throws -> Data?

    struct Iterator: AsyncIteratorProtocol {
        var state: State
        let produce: @Sendable (inout State) async throws -> Data?

        mutating func next() async throws -> Data? { try await produce(&state) }
    }

    func makeAsyncIterator() -> Iterator { Iterator(state: start(), produce: next) }
}
