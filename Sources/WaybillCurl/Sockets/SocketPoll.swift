#if os(Linux)
    internal import CWaybill
    import WaybillHTTP
    import WaybillSystem
    import WaybillTransports

    /// A queue of socket events based on epoll, in which idle sockets cost nothing.
    final class SocketPoll {
        /// An event on a socket.
        struct Event {
            var socket: Int32
            var isReadable: Bool
            var isWritable: Bool
            var hasError: Bool
        }

        /// The socket of an open connection.
        private struct Connection {
            /// The events registered in the queue; 0 if the socket is not registered.
            var events: UInt32 = 0
            /// The transfer that last waited for the socket.
            var owner: UnsafeMutableRawPointer?
            /// Whether a transfer waits for the socket.
            var isAwaited = false
            /// Whether no transfer uses the connection, so that nothing may arrive on it.
            var isIdle = false
        }

        private let queue: Int32
        private let waker: SocketWaker
        private let closedSocket: ClosedSocket
        private var connections: [Int32: Connection] = [:]
        private var idleCount = 0
        private var buffer = [epoll_event](repeating: epoll_event(), count: 256)
        private var idleBuffer = [epoll_event](repeating: epoll_event(), count: 256)

        /// Creates a queue that a waker can interrupt.
        ///
        /// - Parameter waker: the waker.
        /// - Throws: `TransportError` of kind `TransportError.Kind.unavailable` if no file descriptors are available.
        init(waker: SocketWaker) throws(TransportError) {
            closedSocket = try ClosedSocket()
            queue = epoll_create1(Int32(EPOLL_CLOEXEC))
            self.waker = waker
            guard queue >= 0 else {
                throw TransportError(.unavailable, "epoll_create1 failed: \(String(cString: strerror(errno)))")
            }
            control(EPOLL_CTL_ADD, waker.descriptor, EPOLLIN.rawValue)
        }

        deinit { if queue >= 0 { close(queue) } }

        /// Adds the socket of a new connection.
        func add(_ socket: Int32) {
            remove(socket)
            connections[socket] = Connection()
        }

        /// Removes a socket that is about to be closed; closing it also removes it from the queue.
        func remove(_ socket: Int32) {
            if connections.removeValue(forKey: socket)?.isIdle == true { idleCount -= 1 }
        }

        /// Whether a socket belongs to an open connection.
        func isConnection(_ socket: Int32) -> Bool { connections[socket] != nil }

        /// Returns the transfer that last waited for a socket and may be deallocated; nil if the connection is idle.
        func owner(of socket: Int32) -> UnsafeMutableRawPointer? {
            guard let connection = connections[socket], !connection.isIdle else { return nil }
            return connection.owner
        }

        /// Starts waiting for events on a socket.
        ///
        /// - Parameters:
        ///   - socket: the socket.
        ///   - reads: whether to wait until it is readable.
        ///   - writes: whether to wait until it is writable.
        ///   - owner: the transfer that waits.
        func watch(_ socket: Int32, reads: Bool, writes: Bool, owner: UnsafeMutableRawPointer?) {
            let events = (reads ? EPOLLIN.rawValue : 0) | (writes ? EPOLLOUT.rawValue : 0)
            guard var connection = connections[socket] else {
                // libcurl uses this socket internally, and may close it without notice.
                if control(EPOLL_CTL_ADD, socket, events) != 0, errno == EEXIST {
                    control(EPOLL_CTL_MOD, socket, events)
                }
                return
            }
            if connection.isIdle { idleCount -= 1 }
            register(&connection, socket, events)
            (connection.owner, connection.isAwaited, connection.isIdle) = (owner, true, false)
            connections[socket] = connection
        }

        /// Stops waiting for events on a socket.
        ///
        /// A connection's socket stays in the queue, because the next request usually waits for the same events.
        func release(_ socket: Int32) {
            guard connections[socket] != nil else {
                control(EPOLL_CTL_DEL, socket, 0)
                return
            }
            connections[socket]?.isAwaited = false
        }

        /// Marks the connection of a completed transfer as idle, so that nothing may arrive on it.
        ///
        /// - Parameters:
        ///   - socket: the socket of the connection.
        ///   - owner: the transfer.
        func markIdle(_ socket: Int32, owner: UnsafeMutableRawPointer) {
            guard var connection = connections[socket], connection.owner == owner, !connection.isAwaited,
                !connection.isIdle
            else { return }
            register(&connection, socket, EPOLLIN.rawValue)
            connection.isIdle = true
            idleCount += 1
            connections[socket] = connection
        }

        /// Handles an event on a socket for which no transfer waits.
        ///
        /// An event on an idle connection means that the server has closed it or has sent bytes that would be mistaken
        /// for the next response, so the connection is closed.
        ///
        /// - Parameters:
        ///   - socket: the socket.
        ///   - retired: called with the socket if its connection is closed.
        /// - Returns: false if a transfer waits for the socket.
        func handleUnawaited(_ socket: Int32, retired: (Int32) -> Void) -> Bool {
            guard var connection = connections[socket], !connection.isAwaited else { return false }
            if connection.isIdle {
                retire(socket, retired)
            } else {
                register(&connection, socket, 0)
                connections[socket] = connection
            }
            return true
        }

        /// Closes the idle connections with pending data.
        ///
        /// - Parameter retired: called with the socket of each closed connection.
        func retireReadable(_ retired: (Int32) -> Void) {
            guard idleCount > 0 else { return }
            // If more sockets are ready than fit into the buffer, the next call returns the others.
            for _ in 0...connections.count / idleBuffer.count {
                let count = epoll_wait(queue, &idleBuffer, Int32(idleBuffer.count), 0)
                guard count > 0 else { return }
                for event in idleBuffer[..<Int(count)] where connections[event.data.fd]?.isIdle == true {
                    retire(event.data.fd, retired)
                }
                guard count == idleBuffer.count else { return }
            }
        }

        /// Closes an idle connection if data has arrived on it.
        ///
        /// libcurl keeps the descriptor, which then refers to a closed socket, and detects this before reusing the
        /// connection.
        private func retire(_ socket: Int32, _ retired: (Int32) -> Void) {
            var byte: UInt8 = 0
            let count = recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
            // The event may be outdated.
            guard count >= 0 || errno != EAGAIN else { return }
            closedSocket.replace(socket)
            remove(socket)
            retired(socket)
        }

        private func register(_ connection: inout Connection, _ socket: Int32, _ events: UInt32) {
            guard connection.events != events else { return }
            let operation = events == 0 ? EPOLL_CTL_DEL : connection.events == 0 ? EPOLL_CTL_ADD : EPOLL_CTL_MOD
            if control(operation, socket, events) != 0, operation == EPOLL_CTL_ADD, errno == EEXIST {
                control(EPOLL_CTL_MOD, socket, events)
            }
            connection.events = events
        }

        @discardableResult
        private func control(_ operation: Int32, _ socket: Int32, _ events: UInt32) -> Int32 {
            var event = epoll_event(events: events, data: epoll_data_t(fd: socket))
            return epoll_ctl(queue, operation, socket, &event)
        }

        /// Waits until a socket is ready, the waker interrupts the wait, or the time limit expires.
        ///
        /// - Parameters:
        ///   - milliseconds: the time limit in milliseconds; -1 for none.
        ///   - body: called with each event.
        func wait(milliseconds: Int32, _ body: (Event) -> Void) {
            let count = epoll_wait(queue, &buffer, Int32(buffer.count), milliseconds)
            guard count > 0 else { return }
            for event in buffer[..<Int(count)] {
                if event.data.fd == waker.descriptor {
                    waker.clear()
                    continue
                }
                body(
                    Event(
                        socket: event.data.fd,
                        isReadable: event.events & (EPOLLIN.rawValue | EPOLLHUP.rawValue) != 0,
                        isWritable: event.events & EPOLLOUT.rawValue != 0,
                        hasError: event.events & EPOLLERR.rawValue != 0
                    )
                )
            }
        }
    }

    /// A waker that interrupts a ``SocketPoll`` from any thread.
    final class SocketWaker: Sendable {
        let descriptor: Int32

        init() throws(TransportError) {
            descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
            guard descriptor >= 0 else {
                throw TransportError(.unavailable, "eventfd failed: \(String(cString: strerror(errno)))")
            }
        }

        deinit { if descriptor >= 0 { close(descriptor) } }

        /// Interrupts the current or the next wait.
        func wake() {
            var one: UInt64 = 1
            _ = write(descriptor, &one, 8)
        }

        /// Resets the waker.
        func clear() {
            var count: UInt64 = 0
            _ = read(descriptor, &count, 8)
        }
    }

    /// A socket whose peer is closed: reading returns the end of the stream.
    ///
    /// It replaces a connection that must not be reused. Every version of libcurl recognizes it as closed, whereas
    /// versions 7.87 to 8.0 would reuse a connection with unread bytes and mistake them for the next response.
    final class ClosedSocket {
        private let descriptor: Int32

        /// Creates a socket.
        ///
        /// - Throws: `TransportError` of kind `TransportError.Kind.unavailable` if no file descriptors are available.
        init() throws(TransportError) {
            var pair: [Int32] = [-1, -1]
            guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair) == 0 else {
                throw TransportError(.unavailable, "socketpair failed: \(String(cString: strerror(errno)))")
            }
            close(pair[1])
            descriptor = pair[0]
        }

        deinit { close(descriptor) }

        /// Closes a socket and makes its descriptor refer to this socket.
        func replace(_ socket: Int32) {
            _ = dup2(descriptor, socket)
            _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        }
    }
#endif
