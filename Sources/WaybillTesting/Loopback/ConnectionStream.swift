import Foundation

/// The blocking I/O of a connection's thread; every read, write and wait ends when the server stops.
struct ConnectionStream {
    /// The error for a connection that has ended: the server stopped, the client disconnected, or the network failed.
    struct ConnectionClosed: Error {}

    let socket: Socket
    let stop: Waker

    private var buffer: [UInt8] = Array(repeating: 0, count: 64 << 10)

    init(socket: Socket, stop: Waker) {
        self.socket = socket
        self.stop = stop
    }

    /// Waits for bytes and reads them.
    mutating func receive() throws(ConnectionClosed) -> ArraySlice<UInt8> {
        while true {
            switch socket.receive(into: &buffer) {
            case .bytes(let count): return buffer[..<count]
            case .end, .failed: throw ConnectionClosed()
            case .wouldBlock: try wait(for: .reading)
            }
        }
    }

    /// Writes all of the bytes.
    func send(_ bytes: Data) throws(ConnectionClosed) {
        let isSent = bytes.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                switch socket.transmit(UnsafeRawBufferPointer(rebasing: rest)) {
                case .bytes(let count): rest = rest.dropFirst(count)
                case .wouldBlock: guard (try? wait(for: .writing)) != nil else { return false }
                case .end, .failed: return false
                }
            }
            return true
        }
        guard isSent else { throw ConnectionClosed() }
    }

    /// Closes the connection without losing bytes that were already sent.
    ///
    /// Closing a socket with unread bytes resets the connection, so incoming bytes are read and discarded for up to a
    /// second.
    mutating func closeGently() throws(ConnectionClosed) {
        socket.finishSending()
        let end = ContinuousClock.now + .seconds(1)
        while ContinuousClock.now < end {
            switch socket.receive(into: &buffer) {
            case .bytes: break
            case .end, .failed: return
            case .wouldBlock: try wait(for: .reading, milliseconds: 1000)
            }
        }
    }

    /// Waits for a duration, or until a condition holds.
    ///
    /// - Parameters:
    ///   - duration: the maximum time to wait; nil for no limit.
    ///   - waker: the waker that is signaled when the condition may have changed.
    ///   - isDone: the condition.
    /// - Throws: ``ConnectionClosed`` if the server stops or the client closes its side.
    func pause(
        for duration: Duration? = nil,
        waker: Waker? = nil,
        isDone: () -> Bool = { false }
    ) throws(ConnectionClosed) {
        let deadline = duration.map { ContinuousClock.now + $0 }
        var watchesClient = true
        while !isDone() {
            let rest = deadline.map { ContinuousClock.now.duration(to: $0) }
            if let rest, rest <= .zero { return }
            var descriptors = [(descriptor: stop.signal, interest: Descriptor.Interest.reading)]
            if let waker { descriptors.append((waker.signal, .reading)) }
            if watchesClient { descriptors.append((socket.descriptor, .reading)) }
            let ready = Descriptor.wait(descriptors, milliseconds: rest.map(Self.milliseconds))
            if ready[0] { throw ConnectionClosed() }
            guard watchesClient, ready[descriptors.count - 1] else { continue }
            switch socket.peek() {
            case .end, .failed: throw ConnectionClosed()
            // The next request has already arrived; its unread bytes now hide the end of the connection.
            case .bytes: watchesClient = false
            case .wouldBlock: break
            }
        }
    }

    private func wait(for interest: Descriptor.Interest, milliseconds: Int32? = nil) throws(ConnectionClosed) {
        let ready = Descriptor.wait(
            [(stop.signal, .reading), (socket.descriptor, interest)],
            milliseconds: milliseconds
        )
        if ready[0] { throw ConnectionClosed() }
    }

    /// Converts a duration to whole milliseconds, rounded up.
    private static func milliseconds(_ duration: Duration) -> Int32 {
        Int32(min((duration / .milliseconds(1)).rounded(.up), 1_000_000_000))
    }
}
