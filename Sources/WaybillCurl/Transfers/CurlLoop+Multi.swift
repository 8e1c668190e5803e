#if os(Linux)
    internal import CWaybill
    import WaybillHTTP
    import WaybillSystem
    import WaybillTransports

    extension CurlLoop {
        /// Creates the multi handle; returns nil if memory cannot be allocated.
        func makeMulti() -> waybill_curl_multi? {
            let observer = UnsafeMutablePointer<waybill_curl_observer>.allocate(capacity: 1)
            observer.initialize(
                to: waybill_curl_observer(
                    context: Unmanaged.passUnretained(self).toOpaque(),
                    opened: { CurlLoop.loop($0)?.poll.add($1) },
                    socket: { context, easy, socket, events in
                        guard let loop = CurlLoop.loop(context) else { return }
                        let transfer = easy.flatMap(waybill_curl_context)
                        if events & Int32(WAYBILL_CURL_POLL_REMOVE) != 0 { return loop.poll.release(socket) }
                        loop.poll.watch(
                            socket,
                            reads: events & Int32(WAYBILL_CURL_POLL_IN) != 0,
                            writes: events & Int32(WAYBILL_CURL_POLL_OUT) != 0,
                            owner: transfer
                        )
                        guard let transfer else { return }
                        loop.connect(Unmanaged<CurlTransfer>.fromOpaque(transfer).takeUnretainedValue(), socket)
                    },
                    timer: { context, milliseconds in
                        guard let loop = CurlLoop.loop(context) else { return }
                        loop.nextAction =
                            milliseconds < 0 ? .never : loop.now.after(.milliseconds(Int64(milliseconds)))
                    },
                    closing: { CurlLoop.loop($0)?.willClose($1) }
                )
            )
            self.observer = observer
            // libcurl replaces 0 with a default; if no connections may be kept, the easy handles forbid reuse.
            multi = waybill_curl_multi_init(observer, max(1, idleConnections))
            if sessions == nil { sessions = waybill_curl_share_init() }
            return multi
        }

        /// Reads the remaining bytes of a socket that libcurl is about to close, then removes the socket.
        private func willClose(_ socket: Int32) {
            if let owner = poll.owner(of: socket) {
                let transfer = transfers.first { Unmanaged.passUnretained($0).toOpaque() == owner }
                transfer?.readUnread(from: socket)
            }
            poll.remove(socket)
            forget(socket)
            forgetLastStream(of: socket)
        }

        /// Records that a transfer uses a socket's connection.
        private func connect(_ transfer: CurlTransfer, _ socket: Int32) {
            guard transfer.loopState.socket != socket else { return }
            transfer.loopState.socket = socket
            guard let slot = transfer.loopState.slot, poll.isConnection(socket) else { return }
            let former = origins.updateValue(slot.origin, forKey: socket)
            // A new connection may have the port of an earlier one whose closing libcurl did not report.
            if former == nil { forgetLastStream(of: socket) }
            transfer.session.connect(transfer, former: former)
        }

        /// Records that a socket's connection can no longer be used.
        func forget(_ socket: Int32) {
            sharedSockets.remove(socket)
            if let origin = origins.removeValue(forKey: socket) { session?.close(origin, on: self) }
        }

        private static func loop(_ context: UnsafeMutableRawPointer?) -> CurlLoop? {
            context.map { Unmanaged<CurlLoop>.fromOpaque($0).takeUnretainedValue() }
        }

        /// Closes all connections.
        func closeAll() {
            closeTime = .never
            if let multi { waybill_curl_multi_cleanup(multi) }
            multi = nil
            nextAction = .never
            observer?.deallocate()
            observer = nil
        }
    }
#endif
