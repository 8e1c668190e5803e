#if os(Linux)
    internal import CWaybill
    import WaybillHTTP
    import WaybillSystem

    extension CurlLoop {
        /// Starts the loop's thread, which keeps the loop until it ends.
        ///
        /// If the system has no thread left, the requests that wait for it fail; the next one tries again.
        func start() {
            let context = Unmanaged.passRetained(self)
            let code = waybill_thread_start(
                "Waybill.Curl",
                { context in
                    guard let context else { return }
                    Unmanaged<CurlLoop>.fromOpaque(context).takeRetainedValue().run()
                },
                context.toOpaque()
            )
            guard code != 0 else { return }
            context.release()
            let commands = inbox.withLock { inbox in
                defer { inbox.commands = [] }
                inbox.isRunning = false
                return inbox.commands
            }
            for case .start(let transfer) in commands {
                transfer.end(
                    .failure(TransportError(.other, "no thread could be started: \(String(cString: strerror(code)))"))
                )
                transfer.deliver()
            }
        }
    }
#endif
