#if os(Linux)
    import Foundation

    /// The body of a response while it arrives; it can be read once.
    struct CurlBody: AsyncSequence, Sendable {
        /// Stops the transfer when neither the body nor an iterator over it is there any more.
        fileprivate final class Reader: Sendable {
            let transfer: CurlTransfer

            init(_ transfer: CurlTransfer) { self.transfer = transfer }

            deinit { transfer.abandon() }
        }

        struct AsyncIterator: AsyncIteratorProtocol {
            private let reader: Reader
            private var chunks: ArraySlice<Data> = []

            fileprivate init(_ reader: Reader) { self.reader = reader }

            mutating func next() async throws -> Data? {
                if Task.isCancelled {
                    reader.transfer.stop(TransportError(.cancelled))
                    throw TransportError(.cancelled)
                }
                if chunks.isEmpty { chunks = try await reader.transfer.chunks()[...] }
                return chunks.popFirst()
            }
        }

        private let reader: Reader

        init(_ transfer: CurlTransfer) { reader = Reader(transfer) }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader) }
    }
#endif
