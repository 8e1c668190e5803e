#if os(Linux)
    import WaybillHTTP
    import WaybillSystem
    import WaybillTransports

    /// The `SIGPIPE` signal, sent to a thread that writes to a connection closed by the peer.
    ///
    /// By default, it terminates the process.
    enum BrokenPipe {
        /// Calls a closure and discards any `SIGPIPE` that it causes on this thread.
        static func ignored(_ body: () -> Void) {
            var pipe = sigset_t()
            sigemptyset(&pipe)
            sigaddset(&pipe, SIGPIPE)
            var pending = sigset_t()
            sigpending(&pending)
            // A signal that was already pending is not consumed here.
            let wasPending = sigismember(&pending, SIGPIPE) == 1
            var mask = sigset_t()
            pthread_sigmask(SIG_BLOCK, &pipe, &mask)
            body()
            if !wasPending {
                var none = timespec()
                _ = sigtimedwait(&pipe, nil, &none)
            }
            pthread_sigmask(SIG_SETMASK, &mask, nil)
        }
    }
#endif
