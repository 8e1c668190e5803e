import Foundation

/// Reads, writes and waits on a connection for the thread that it belongs to; all of it ends when the server stops.
struct ConnectionStream {
    /// Why nothing more can be done: the server stops, the client has gone, or the connection broke.
    struct Over: Error {}

    let socket: Socket
    let stop: Waker

    private var buffer: [UInt8] = Array(repeating: 0, count: 64 << 10)

    init(socket: Socket, stop: Waker) {
        self.socket = socket
        self.stop = stop
    }

    /// Waits for bytes and reads them.
    mutating func receive() throws(Over) -> ArraySlice<UInt8> {
        while true {
            switch socket.receive(into: &buffer) {
            case .bytes(let count): return buffer[..<count]
            case .end, .failed: throw Over()
            case .wouldBlock: try wait(for: .reading)
            }
        }
    }

    /// Writes all of the bytes.
    func send(_ bytes: Data) throws(Over) {
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
        guard isSent else { throw Over() }
    }

    /// Ends the connection so that the client gets to read what it was sent.
    ///
    /// Closing with bytes unread would reset the connection, so for a second at most they are read and dropped.
    mutating func closeGently() throws(Over) {
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

    /// Waits for a time, or until it is done, of which a waker tells.
    ///
    /// - Throws: ``Over`` when the server stops, or the client ends its side.
    func pause(
        for duration: Duration? = nil,
        waker: Waker? = nil,
        isDone: () -> Bool = { false }
    ) throws(Over) {
        let deadline = duration.map { ContinuousClock.now + $0 }
        var watchesClient = true
        while !isDone() {
            let rest = deadline.map { ContinuousClock.now.duration(to: $0) }
            if let rest, rest <= .zero { return }
            var descriptors = [(descriptor: stop.signal, interest: Descriptor.Interest.reading)]
            if let waker { descriptors.append((waker.signal, .reading)) }
            if watchesClient { descriptors.append((socket.descriptor, .reading)) }
            let ready = Descriptor.wait(descriptors, milliseconds: rest.map(Self.milliseconds))
            if ready[0] { throw Over() }
            guard watchesClient, ready[descriptors.count - 1] else { continue }
            switch socket.peek() {
            case .end, .failed: throw Over()
            // The next request is there already: from now on it hides the end of the connection.
            case .bytes: watchesClient = false
            case .wouldBlock: break
            }
        }
    }

    private func wait(for interest: Descriptor.Interest, milliseconds: Int32? = nil) throws(Over) {
        let ready = Descriptor.wait(
            [(stop.signal, .reading), (socket.descriptor, interest)],
            milliseconds: milliseconds
        )
        if ready[0] { throw Over() }
    }

    /// In whole milliseconds, rounded up.
    private static func milliseconds(_ duration: Duration) -> Int32 {
        let (seconds, attoseconds) = duration.components
        let wholes = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        return Int32(clamping: min(seconds, 1_000_000) * 1000 + wholes)
    }
}
