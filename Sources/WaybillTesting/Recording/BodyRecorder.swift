import Foundation
import Waybill

/// A recorder of a body's chunks while they are read.
///
/// The recording is complete at the end of the body, at its error, or when its last reader has left it.
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
    ///   - limit: the largest number of bytes that are kept; of a longer body, the completion gets one byte more.
    ///   - completion: receives the bytes and the fault of the body.
    init(upTo limit: Int = .max - 1, _ completion: @escaping Completion) {
        self.limit = limit
        self.completion = completion
    }

    deinit { try? complete(RecordedFault()) }

    /// Returns the body, of which every chunk that is read is recorded.
    func recording(_ body: HTTPBody) -> HTTPBody {
        HTTPBody(RecordedChunks(body: body, recorder: self), length: body.length) { body.trailerFields }
    }

    fileprivate func add(_ chunk: Data) {
        state.withLock { state in state.bytes += chunk.prefix(limit + 1 - state.bytes.count) }
    }

    fileprivate func complete(_ fault: RecordedFault?) throws(TransportError) {
        let bytes = state.withLock { state -> Data? in
            defer { state.isComplete = true }
            return state.isComplete ? nil : state.bytes
        }
        if let bytes { try completion(bytes, fault) }
    }
}

private struct RecordedChunks: AsyncSequence, Sendable {
    typealias Element = Data

    let body: HTTPBody
    let recorder: BodyRecorder

    func makeAsyncIterator() -> Iterator { Iterator(chunks: body.makeAsyncIterator(), recorder: recorder) }

    struct Iterator: AsyncIteratorProtocol {
        var chunks: HTTPBody.Iterator
        let recorder: BodyRecorder

        mutating func next() async throws -> Data? {
            let chunk: Data?
            do {
                chunk = try await chunks.next()
            } catch {
                try recorder.complete(
                    RecordedFault(kind: error.kind, phase: error.phase, timeout: error.timeout, message: error.message)
                )
                throw error
            }
            guard let chunk else {
                try recorder.complete(nil)
                return nil
            }
            recorder.add(chunk)
            return chunk
        }
    }
}
