#if os(Linux)
    import Foundation

    /// The signal of a thread that writes to a connection which the peer has closed; by default it ends the process.
    enum BrokenPipe {
        /// Does something during which this thread gets no such signal.
        static func ignored(_ body: () -> Void) {
            var pipe = sigset_t()
            sigemptyset(&pipe)
            sigaddset(&pipe, SIGPIPE)
            var pending = sigset_t()
            sigpending(&pending)
            // One that was there before is not ours to take.
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
