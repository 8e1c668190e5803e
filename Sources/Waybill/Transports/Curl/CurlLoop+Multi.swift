#if os(Linux)
    internal import CWaybill
    import Foundation

    extension CurlLoop {
        func makeMulti() -> waybill_curl_multi? {
            let observer = UnsafeMutablePointer<waybill_curl_observer>.allocate(capacity: 1)
            observer.initialize(
                to: waybill_curl_observer(
                    context: Unmanaged.passUnretained(self).toOpaque(),
                    socket: { context, socket, events in
                        guard let context else { return }
                        let loop = Unmanaged<CurlLoop>.fromOpaque(context).takeUnretainedValue()
                        let isOver = events & Int32(WAYBILL_CURL_POLL_REMOVE) != 0
                        loop.poll.watch(
                            socket,
                            reads: !isOver && events & Int32(WAYBILL_CURL_POLL_IN) != 0,
                            writes: !isOver && events & Int32(WAYBILL_CURL_POLL_OUT) != 0
                        )
                    },
                    timer: { context, milliseconds in
                        guard let context else { return }
                        let loop = Unmanaged<CurlLoop>.fromOpaque(context).takeUnretainedValue()
                        loop.action =
                            milliseconds < 0 ? .never : loop.now.after(.milliseconds(Int64(milliseconds)))
                    }
                )
            )
            self.observer = observer
            // libcurl takes 0 for a number of its own; where none is to be kept, the handles say so.
            multi = waybill_curl_multi_init(observer, max(1, configuration.connections.idle))
            return multi
        }

        /// Closes the connections when none was used for a while.
        func closeUnused() {
            guard closing <= now, transfers.isEmpty else { return }
            closeAll()
        }

        func closeAll() {
            closing = .never
            handles = []
            if let multi { waybill_curl_multi_cleanup(multi) }
            multi = nil
            action = .never
            observer?.deallocate()
            observer = nil
        }
    }
#endif
