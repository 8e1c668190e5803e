#if os(Linux)
    import Foundation

    extension CurlTransfer {
        /// What has arrived of a response, and who waits for more of it.
        struct State {
            typealias HeadWaiter = CheckedContinuation<Result<[UInt8], TransportError>, Never>
            typealias ChunksWaiter = CheckedContinuation<Result<[Data], TransportError>, Never>

            /// Continuations with what they wait for, to be resumed without the lock.
            struct Deliveries {
                var head: (HeadWaiter, Result<[UInt8], TransportError>)?
                var chunks: (ChunksWaiter, Result<[Data], TransportError>)?

                func perform() {
                    if let head { head.0.resume(returning: head.1) }
                    if let chunks { chunks.0.resume(returning: chunks.1) }
                }
            }

            /// Pieces are put together up to this size.
            private static let chunkBytes = 64 * 1024

            var head: [UInt8]?
            var trailer: [UInt8] = []
            private(set) var end: Result<Void, TransportError>?
            private(set) var isReadToItsEnd = false

            private let highWater: Int
            private var unread: [Data] = []
            private var unreadBytes = 0
            private var wasFull = false
            private var headWaiter: HeadWaiter?
            private var chunksWaiter: ChunksWaiter?

            init(highWater: Int) { self.highWater = max(1, highWater) }

            /// Whether another piece would be taken.
            var hasRoom: Bool { unreadBytes < highWater }

            /// Whether a piece of the body can be taken, which it cannot if enough is unread.
            mutating func mayReceive() -> Bool {
                guard end == nil, hasRoom else {
                    wasFull = true
                    return false
                }
                return true
            }

            /// Takes a piece of the body.
            mutating func receive(_ bytes: UnsafeRawBufferPointer) {
                guard end == nil, !bytes.isEmpty else { return }
                unreadBytes += bytes.count
                if let last = unread.indices.last, unread[last].count + bytes.count <= Self.chunkBytes {
                    unread[last].append(contentsOf: bytes)
                } else {
                    unread.append(Data(bytes))
                }
            }

            /// Ends it; false where it had ended before.
            mutating func end(_ outcome: Result<Void, TransportError>) -> Bool {
                guard end == nil else { return false }
                end = outcome
                // Whoever gives a body up does not want what there is of it.
                if case .failure(let error) = outcome, error.kind == .cancelled { unread = [] }
                return true
            }

            /// Whether something was refused for want of room since this was last asked, and there is room now.
            mutating func takeFullness() -> Bool {
                guard wasFull, unreadBytes == 0 else { return false }
                wasFull = false
                return true
            }

            /// The continuations for which there is something.
            mutating func deliveries() -> Deliveries {
                var deliveries = Deliveries()
                if headWaiter != nil, let result = headResult, let waiter = headWaiter.take() {
                    deliveries.head = (waiter, result)
                }
                if chunksWaiter != nil, let result = readChunks(), let waiter = chunksWaiter.take() {
                    deliveries.chunks = (waiter, result)
                }
                return deliveries
            }

            /// The head or the error, where there is one; else the continuation waits for it.
            mutating func readHead(_ waiter: HeadWaiter) -> Result<[UInt8], TransportError>? {
                if let headResult { return headResult }
                headWaiter = waiter
                return nil
            }

            private var headResult: Result<[UInt8], TransportError>? {
                if case .failure(let error) = end, head == nil || error.kind == .cancelled { return .failure(error) }
                // What befell the body is told where the body is read.
                if let head { return .success(head) }
                return end == nil ? nil : .failure(TransportError(.invalidResponse))
            }

            /// All pieces as one, where the whole body has arrived and none has been read.
            mutating func takeWholeBody() -> Data? {
                guard case .success = end else { return nil }
                guard case .success(let chunks) = readChunks() else { return nil }
                isReadToItsEnd = true
                if chunks.count < 2 { return chunks.first ?? Data() }
                var bytes = Data(capacity: chunks.reduce(0) { $0 + $1.count })
                for chunk in chunks { bytes.append(chunk) }
                return bytes
            }

            /// The unread pieces, the end or the error; nil where there is nothing to read yet.
            mutating func readChunks() -> Result<[Data], TransportError>? {
                if !unread.isEmpty {
                    defer { (unread, unreadBytes) = ([], 0) }
                    return .success(unread)
                }
                guard let end else { return nil }
                if case .success = end { isReadToItsEnd = true }
                return end.map { [] }
            }

            /// The same, but where there is nothing to read yet, the continuation waits for it.
            mutating func readChunks(_ waiter: ChunksWaiter) -> Result<[Data], TransportError>? {
                if let chunks = readChunks() { return chunks }
                guard chunksWaiter == nil else {
                    return .failure(TransportError(.other, "two tasks read one body at the same time"))
                }
                chunksWaiter = waiter
                return nil
            }
        }
    }
#endif
