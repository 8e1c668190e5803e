import WaybillHTTP
import WaybillSystem

/// A buffer between the producer of a request body and the transport that sends it.
///
/// Bytes in memory are copied in pieces. A separate task fetches the chunks of a sequence, and waits while enough bytes
/// are buffered.
///
/// `@unchecked Sendable`: `state` is only accessed while `lock` is held; all other properties are constants.
package final class Upload: @unchecked Sendable {
    /// The result of a read: a number of bytes, or the reason why no bytes are available.
    package enum Piece {
        case bytes(Int)
        case end
        /// No bytes are available yet; `wake` is called once there are.
        case later
        case failed(TransportError)
    }

    private struct State {
        var chunks: [Data] = []
        var offset = 0
        var buffered = 0
        /// The number of bytes read by the transport.
        var readCount = 0
        /// The number of restarts; bytes from the task of an earlier attempt are ignored.
        var attempt = 0
        var end: Result<Void, TransportError>?
        /// Whether the transport is waiting for bytes.
        var isAwaited = false
        /// The continuation of the fetching task while enough bytes are buffered.
        var producer: CheckedContinuation<Void, Never>?
        var task: Task<Void, Never>?
        var wake: (@Sendable () -> Void)?
    }

    /// The number of buffered bytes at which fetching pauses.
    private static let bufferedBytes = 256 * 1024

    /// The length of the body, in bytes; nil if unknown.
    package let length: Int?

    private let source: HTTPBody
    private let lock = Lock()
    private var state = State()

    package init(bytes: Data) {
        source = HTTPBody(bytes)
        length = bytes.count
        state.chunks = [bytes]
        state.end = .success(())
    }

    package init(stream: HTTPBody) {
        source = stream
        length = stream.length
    }

    /// Starts fetching bytes.
    ///
    /// - Parameter wake: called when bytes become available after a read returned `later`.
    package func start(wake: @escaping @Sendable () -> Void) {
        lock.withLock { state.wake = wake }
        guard source.bytes == nil else { return }
        fetch()
    }

    /// Copies the next bytes into memory.
    ///
    /// - Parameter memory: the memory to fill.
    /// - Returns: the number of bytes, or the reason why no bytes are available.
    package func read(into memory: UnsafeMutableRawBufferPointer) -> Piece {
        let (piece, producer) = lock.withLock { () -> (Piece, CheckedContinuation<Void, Never>?) in
            guard let chunk = state.chunks.first else {
                switch state.end {
                case .success: return (.end, nil)
                case .failure(let error): return (.failed(error), nil)
                case nil:
                    state.isAwaited = true
                    return (.later, nil)
                }
            }
            let rest = chunk.dropFirst(state.offset)
            let count = min(rest.count, memory.count)
            rest.prefix(count).copyBytes(to: memory)
            state.offset += count
            state.readCount += count
            state.buffered -= count
            if state.offset == chunk.count {
                state.chunks.removeFirst()
                state.offset = 0
            }
            return (.bytes(count), state.buffered < Self.bufferedBytes / 2 ? state.producer.take() : nil)
        }
        producer?.resume()
        return piece
    }

    /// Whether all bytes have been read; false if the length is unknown.
    package var isExhausted: Bool { length != nil && lock.withLock { state.readCount } == length }

    /// Whether the transport is waiting for bytes.
    package var isAwaited: Bool { lock.withLock { state.isAwaited } }

    /// Restarts from the first byte.
    ///
    /// - Returns: true if the body can be read again; otherwise, nothing changes.
    package func rewind() -> Bool {
        if let bytes = source.bytes {
            lock.withLock {
                state.chunks = [bytes]
                (state.offset, state.readCount) = (0, 0)
            }
            return true
        }
        if lock.withLock({ state.readCount == 0 }) { return true }
        guard source.isReplayable else { return false }
        let wake = lock.withLock { state.wake }
        stop()
        lock.withLock {
            let attempt = state.attempt
            state = State()
            state.wake = wake
            state.attempt = attempt + 1
        }
        fetch()
        return true
    }

    /// Stops fetching bytes.
    package func stop() {
        let (task, producer) = lock.withLock {
            state.wake = nil
            return (state.task.take(), state.producer.take())
        }
        task?.cancel()
        producer?.resume()
    }
}

extension Upload {
    private func fetch() {
        let attempt = lock.withLock { state.attempt }
        let task = Task<Void, Never> { [source, length] in
            var count = 0
            let end: Result<Void, TransportError>
            do throws(TransportError) {
                var chunks = source.makeAsyncIterator()
                var next = try await chunks.next()
                while let chunk = next {
                    count += chunk.count
                    if let length, count > length { throw Self.lengthError(count, length) }
                    if count == length {
                        // The last bytes complete the request, so the sequence must end before they are sent.
                        next = try await chunks.next()
                        if let next { throw Self.lengthError(count + next.count, count) }
                        await offer(chunk, attempt)
                    } else {
                        await offer(chunk, attempt)
                        guard !Task.isCancelled else { return }
                        next = try await chunks.next()
                    }
                }
                if let length, count < length { throw Self.lengthError(count, length) }
                end = .success(())
            } catch {
                end = .failure(error)
            }
            update(attempt) { $0.end = end }?()
        }
        let isLate = lock.withLock {
            guard state.attempt == attempt, state.wake != nil else { return true }
            state.task = task
            return false
        }
        if isLate { task.cancel() }
    }

    private static func lengthError(_ count: Int, _ length: Int) -> TransportError {
        let amount = count > length ? "more than the" : "\(count) bytes, not the"
        return TransportError(.unsupportedRequest, "its body has \(amount) declared \(length) bytes")
    }

    /// Adds a chunk, then waits until there is room for another.
    private func offer(_ chunk: Data, _ attempt: Int) async {
        update(attempt) { state in
            state.chunks.append(chunk)
            state.buffered += chunk.count
        }?()
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let mayContinue = lock.withLock {
                    guard state.attempt == attempt, state.wake != nil, state.buffered >= Self.bufferedBytes,
                        !Task.isCancelled
                    else { return true }
                    state.producer = continuation
                    return false
                }
                if mayContinue { continuation.resume() }
            }
        } onCancel: {
            lock.withLock { state.producer.take() }?.resume()
        }
    }

    /// Changes the state, unless a later attempt has started.
    ///
    /// - Returns: the function to call; nil if the transport is not waiting for bytes.
    private func update(_ attempt: Int, _ change: (inout State) -> Void) -> (@Sendable () -> Void)? {
        lock.withLock {
            guard state.attempt == attempt else { return nil }
            change(&state)
            defer { state.isAwaited = false }
            return state.isAwaited ? state.wake : nil
        }
    }
}
