import WaybillHTTP
import WaybillSystem

/// A response body that is still arriving and can be read once.
package struct ArrivingBody<Transfer: BodyTransfer>: AsyncSequence, Sendable {
    /// A reference to the transfer, shared by the body and its iterators; releasing it stops the transfer.
    fileprivate final class Reader: Sendable {
        let transfer: Transfer

        init(_ transfer: Transfer) { self.transfer = transfer }

        deinit { transfer.abandon() }
    }

    /// An iterator over the chunks.
    package struct AsyncIterator: AsyncIteratorProtocol {
        private let reader: Reader
        private var chunks: ArraySlice<Data> = []

        fileprivate init(_ reader: Reader) { self.reader = reader }

        /// Returns the next chunk; nil at the end.
        package mutating func next() async throws -> Data? {
            if Task.isCancelled {
                reader.transfer.stop(TransportError(.cancelled))
                throw TransportError(.cancelled)
            }
            if chunks.isEmpty { chunks = try await reader.transfer.chunks()[...] }
            return chunks.popFirst()
        }
    }

    private let reader: Reader

    /// Creates the body of a transfer.
    package init(_ transfer: Transfer) { reader = Reader(transfer) }

    /// Creates an iterator over the chunks.
    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader) }
}

/// A transfer whose body can be read as it arrives.
package protocol BodyTransfer: AnyObject, Sendable {
    /// Waits for the next part of the body.
    ///
    /// - Returns: all unread chunks that have arrived; empty at the end.
    /// - Throws: `TransportError` if the transfer has failed.
    func chunks() async throws(TransportError) -> [Data]

    /// Ends the transfer with an error, unless it has already ended.
    func stop(_ error: TransportError)

    /// Stops the transfer because its body can no longer be read, unless the whole body has arrived.
    func abandon()
}

extension BodyTransfer {
    /// Waits for a result of the transfer; cancelling the task stops the transfer.
    ///
    /// - Parameter read: returns the result if it is available; otherwise stores the continuation to resume with the
    ///   result later.
    /// - Returns: the value of the result.
    /// - Throws: the error of the result.
    package func result<Value: Sendable>(
        _ read: (CheckedContinuation<Result<Value, TransportError>, Never>) -> Result<Value, TransportError>?
    ) async throws(TransportError) -> Value {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                if let result = read(continuation) { continuation.resume(returning: result) }
            }
        } onCancel: {
            stop(TransportError(.cancelled))
        }
        return try result.get()
    }
}
