#if os(Linux)
    internal import CWaybill
    import WaybillHTTP
    import WaybillSystem
    import WaybillTransports

    /// A socket whose peer is closed: a read returns its end.
    ///
    /// It replaces a connection that must not be used again. Every version of libcurl detects such a connection as
    /// closed, while 7.87 to 8.0 consider one with unread bytes usable, and would read them as the next response.
    final class ClosedSocket {
        private let descriptor: Int32

        /// Creates a socket.
        ///
        /// - Throws: `TransportError` of kind `TransportError.Kind.unavailable` if the system has none left.
        init() throws(TransportError) {
            var pair: [Int32] = [-1, -1]
            guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pair) == 0 else {
                throw TransportError(.unavailable, "socketpair failed: \(String(cString: strerror(errno)))")
            }
            close(pair[1])
            descriptor = pair[0]
        }

        deinit { close(descriptor) }

        /// Closes a socket and replaces it under the same number.
        func replace(_ socket: Int32) {
            _ = dup2(descriptor, socket)
            _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        }
    }
#endif
