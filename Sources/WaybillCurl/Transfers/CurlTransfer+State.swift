#if os(Linux)
    import WaybillHTTP
    import WaybillSystem
    import WaybillTransports

    extension CurlTransfer {
        /// The received parts of a response and the continuations that wait for more of it.
        struct State {
            typealias HeadWaiter = CheckedContinuation<Result<[UInt8], TransportError>, Never>
            typealias ChunksWaiter = CheckedContinuation<Result<[Data], TransportError>, Never>

            /// Continuations with their results, to be resumed without the lock.
            struct Deliveries {
                var head: (HeadWaiter, Result<[UInt8], TransportError>)?
                var chunks: (ChunksWaiter, Result<[Data], TransportError>)?

                func perform() {
                    if let head { head.0.resume(returning: head.1) }
                    if let chunks { chunks.0.resume(returning: chunks.1) }
                }
            }

            /// The size up to which pieces are joined.
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

            /// Whether another piece would be accepted.
            var hasRoom: Bool { unreadBytes < highWater }

            /// Returns whether a piece of the body is accepted, and remembers that one was not.
            mutating func mayReceive() -> Bool {
                guard end == nil, hasRoom else {
                    wasFull = true
                    return false
                }
                return true
            }

            /// Stores a piece of the body.
            mutating func receive(_ bytes: UnsafeRawBufferPointer) {
                guard end == nil, !bytes.isEmpty else { return }
                unreadBytes += bytes.count
                if let last = unread.indices.last, unread[last].count + bytes.count <= Self.chunkBytes {
                    unread[last].append(contentsOf: bytes)
                } else {
                    unread.append(Data(bytes))
                }
            }

            /// Stores the outcome; false if the transfer had already ended.
            mutating func end(_ outcome: Result<Void, TransportError>) -> Bool {
                guard end == nil else { return false }
                end = outcome
                // After a cancellation the rest of the body is not read.
                if case .failure(let error) = outcome, error.kind == .cancelled { unread = [] }
                return true
            }

            /// Returns whether a piece was not accepted since the last call, and there is room for it now.
            mutating func takeFullness() -> Bool {
                guard wasFull, unreadBytes == 0 else { return false }
                wasFull = false
                return true
            }

            /// Returns the continuations that have a result.
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

            /// Returns the head or the error if there is one; otherwise stores the continuation.
            mutating func readHead(_ waiter: HeadWaiter) -> Result<[UInt8], TransportError>? {
                if let headResult { return headResult }
                headWaiter = waiter
                return nil
            }

            private var headResult: Result<[UInt8], TransportError>? {
                if case .failure(let error) = end, head == nil || error.kind == .cancelled { return .failure(error) }
                // Reading the body throws the error of the body.
                if let head { return .success(head) }
                return end == nil ? nil : .failure(TransportError(.invalidResponse))
            }

            /// Returns all pieces as one if the whole body has arrived and none was read; otherwise nil.
            mutating func takeWholeBody() -> Data? {
                guard case .success = end else { return nil }
                guard case .success(let chunks) = readChunks() else { return nil }
                isReadToItsEnd = true
                return Data(joining: chunks)
            }

            /// Returns the unread pieces, the end or the error; nil if there is nothing to read yet.
            mutating func readChunks() -> Result<[Data], TransportError>? {
                if !unread.isEmpty {
                    defer { (unread, unreadBytes) = ([], 0) }
                    return .success(unread)
                }
                guard let end else { return nil }
                if case .success = end { isReadToItsEnd = true }
                return end.map { [] }
            }

            /// Returns the unread pieces, the end or the error; stores the continuation if there is nothing to read
            /// yet.
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
