#if os(Linux)
    internal import CWaybill
    import Foundation

    /// Waits for events of sockets, with epoll: what is not ready costs nothing, however many sockets there are.
    final class SocketPoll {
        /// Something that a socket is ready for.
        struct Event {
            var socket: Int32
            var isReadable: Bool
            var isWritable: Bool
            var isBroken: Bool
        }

        private let queue: Int32
        private let waker: SocketWaker
        private var buffer = [epoll_event](repeating: epoll_event(), count: 256)

        /// Creates a queue that a waker can interrupt.
        ///
        /// - Throws: ``TransportError`` of kind ``TransportError/Kind/unavailable`` where the system gives none.
        init(waker: SocketWaker) throws(TransportError) {
            queue = epoll_create1(Int32(EPOLL_CLOEXEC))
            self.waker = waker
            guard queue >= 0 else {
                throw TransportError(.unavailable, "epoll_create1 failed: \(String(cString: strerror(errno)))")
            }
            watch(waker.descriptor, reads: true, writes: false)
        }

        deinit { if queue >= 0 { close(queue) } }

        /// Waits for a socket from now on; for nothing of it where neither is asked for.
        func watch(_ socket: Int32, reads: Bool, writes: Bool) {
            guard reads || writes else {
                epoll_ctl(queue, EPOLL_CTL_DEL, socket, nil)
                return
            }
            var mask: UInt32 = 0
            if reads { mask |= EPOLLIN.rawValue }
            if writes { mask |= EPOLLOUT.rawValue }
            var event = epoll_event(events: mask, data: epoll_data_t(fd: socket))
            if epoll_ctl(queue, EPOLL_CTL_ADD, socket, &event) != 0, errno == EEXIST {
                epoll_ctl(queue, EPOLL_CTL_MOD, socket, &event)
            }
        }

        /// Waits until a socket is ready, the waker is used, or the time is up (-1: never).
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
                        isBroken: event.events & EPOLLERR.rawValue != 0
                    )
                )
            }
        }
    }

    /// Interrupts a ``SocketPoll`` from any thread.
    final class SocketWaker: Sendable {
        let descriptor: Int32

        init() throws(TransportError) {
            descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
            guard descriptor >= 0 else {
                throw TransportError(.unavailable, "eventfd failed: \(String(cString: strerror(errno)))")
            }
        }

        deinit { if descriptor >= 0 { close(descriptor) } }

        /// Interrupts.
        func wake() {
            var one: UInt64 = 1
            _ = write(descriptor, &one, 8)
        }

        /// Takes note of it.
        func clear() {
            var count: UInt64 = 0
            _ = read(descriptor, &count, 8)
        }
    }
#endif
