import WaybillHTTP
import WaybillSystem

/// The body of a response while it arrives, which can be read once.
package struct ArrivingBody<Transfer: BodyTransfer>: AsyncSequence, Sendable {
    /// A reference to the transfer that stops it when neither the body nor an iterator over it exists any more.
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

    /// Starts to read the body.
    package func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader) }
}
