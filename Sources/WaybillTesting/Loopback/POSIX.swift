import WaybillSystem

/// The error of a failed system call.
struct SystemCallError: Error, Sendable, CustomStringConvertible {
    let call: String
    let code: Int32

    init(_ call: String, code: Int32 = errno) {
        self.call = call
        self.code = code
    }

    var description: String { "\(call) failed: \(String(cString: strerror(code))) (errno \(code))" }

    /// Returns the result of a system call; throws if it is negative.
    static func check(_ call: String, _ result: Int32) throws(SystemCallError) -> Int32 {
        guard result >= 0 else { throw SystemCallError(call) }
        return result
    }
}

/// A nonblocking file descriptor that is closed when its last reference is released, so its number is not reused while
/// in use.
final class Descriptor: Sendable {
    let number: Int32

    init(_ number: Int32) {
        self.number = number
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
    }

    deinit { close(number) }

    /// The event to wait for on a descriptor.
    enum Interest {
        case reading, writing
    }

    /// Waits until a descriptor is ready or has failed.
    ///
    /// - Parameters:
    ///   - descriptors: the descriptors, each with the event to wait for.
    ///   - milliseconds: the maximum time to wait; nil for no limit.
    /// - Returns: whether each descriptor is ready or has failed; all false on a timeout or if a signal interrupts the
    ///   wait.
    static func wait(
        _ descriptors: [(descriptor: Descriptor, interest: Interest)],
        milliseconds: Int32? = nil
    ) -> [Bool] {
        var entries = descriptors.map { entry in
            pollfd(
                fd: entry.descriptor.number,
                events: Int16(entry.interest == .reading ? POLLIN : POLLOUT),
                revents: 0
            )
        }
        let count = poll(&entries, nfds_t(entries.count), milliseconds ?? -1)
        return entries.map { count > 0 && $0.revents != 0 }
    }
}

/// A pipe that wakes a thread waiting on descriptors.
struct Waker: Sendable {
    /// The descriptor that becomes readable on ``wake()`` and remains so until ``reset()``.
    let signal: Descriptor
    private let source: Descriptor

    init() throws(SystemCallError) {
        var ends: [Int32] = [-1, -1]
        _ = try SystemCallError.check("pipe", pipe(&ends))
        signal = Descriptor(ends[0])
        source = Descriptor(ends[1])
    }

    func wake() {
        var byte: UInt8 = 1
        // A full pipe is already readable, so a failed write is harmless.
        _ = write(source.number, &byte, 1)
    }

    func reset() {
        var bytes: [UInt8] = Array(repeating: 0, count: 64)
        while read(signal.number, &bytes, bytes.count) > 0 {}
    }
}

/// A thread that can be joined, for work that blocks.
struct JoinableThread: @unchecked Sendable {  // a thread's handle is immutable and may be used by any thread
    private let handle: pthread_t

    private final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    init(_ body: @escaping @Sendable () -> Void) throws(SystemCallError) {
        let work = Unmanaged.passRetained(Work(body))
        #if canImport(Glibc)
            var thread = pthread_t()
        #else
            var thread: pthread_t?
        #endif
        let code = pthread_create(&thread, nil, { JoinableThread.run($0) }, work.toOpaque())
        guard code == 0, let started = Optional(thread).flatMap({ $0 }) else {
            work.release()
            throw SystemCallError("pthread_create", code: code)
        }
        handle = started
    }

    /// Waits until the thread ends; must be called at most once.
    func join() { pthread_join(handle, nil) }

    private static func run(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let work else { return nil }
        Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body()
        return nil
    }
}

/// A TCP socket on the loopback interface.
struct Socket: Sendable {
    let descriptor: Descriptor

    /// The result of a read or write.
    enum Outcome: Sendable, Hashable {
        case bytes(Int)
        case wouldBlock
        /// The peer has closed its sending side.
        case end
        case failed
    }

    init(_ number: Int32) { descriptor = Descriptor(number) }

    /// Creates a socket that listens on 127.0.0.1, on a port chosen by the system.
    static func listening() throws(SystemCallError) -> (socket: Socket, port: UInt16) {
        let (socket, port) = try bound()
        _ = try SystemCallError.check("listen", listen(socket.descriptor.number, 1024))
        return (socket, port)
    }

    /// Creates a socket that is bound to 127.0.0.1 but does not listen, on a port chosen by the system.
    ///
    /// No other socket is assigned the port while this one exists.
    static func bound() throws(SystemCallError) -> (socket: Socket, port: UInt16) {
        #if canImport(Glibc)
            let stream = Int32(SOCK_STREAM.rawValue)
        #else
            let stream = SOCK_STREAM
        #endif
        let listener = Socket(try SystemCallError.check("socket", socket(AF_INET, stream, 0)))
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let number = listener.descriptor.number
        try withUnsafeMutablePointer(to: &address) { pointer throws(SystemCallError) in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer throws(SystemCallError) in
                _ = try SystemCallError.check("bind", bind(number, pointer, size))
                _ = try SystemCallError.check("getsockname", getsockname(number, pointer, &size))
            }
        }
        return (listener, UInt16(bigEndian: address.sin_port))
    }

    /// Accepts a connection.
    ///
    /// - Returns: the number of its descriptor, which the caller must close; nil if no connection is pending.
    func acceptConnection() throws(SystemCallError) -> Int32? {
        let number = accept(descriptor.number, nil, nil)
        if number >= 0 {
            var on: Int32 = 1
            setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
            #if canImport(Darwin)
                setsockopt(number, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
            #endif
            return number
        }
        // A client that disconnects before its connection is accepted does not affect the listener.
        let passing = [EAGAIN, EWOULDBLOCK, EINTR, ECONNABORTED]
        guard passing.contains(errno) else { throw SystemCallError("accept") }
        return nil
    }

    /// Closes a descriptor that no ``Socket`` owns.
    static func discard(_ number: Int32) { close(number) }

    /// Reads the available bytes, up to the size of the buffer.
    func receive(into buffer: inout [UInt8]) -> Outcome {
        outcome(recv(descriptor.number, &buffer, buffer.count, 0))
    }

    /// Checks whether bytes are available, without consuming them.
    func peek() -> Outcome {
        var byte: UInt8 = 0
        return outcome(recv(descriptor.number, &byte, 1, Int32(MSG_PEEK)))
    }

    /// Writes as many bytes as the system accepts without blocking.
    func transmit(_ bytes: UnsafeRawBufferPointer) -> Outcome {
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            // Writing to a closed connection must not end the process with SIGPIPE.
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        return outcome(send(descriptor.number, bytes.baseAddress, bytes.count, flags))
    }

    /// Closes the sending side of the connection; the peer can continue to send.
    func finishSending() { shutdown(descriptor.number, Int32(SHUT_WR)) }

    /// Configures the socket to reset the connection when it is closed.
    func resetOnClose() {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor.number, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    private func outcome(_ count: Int) -> Outcome {
        if count > 0 { return .bytes(count) }
        if count == 0 { return .end }
        return [EAGAIN, EWOULDBLOCK, EINTR].contains(errno) ? .wouldBlock : .failed
    }
}
