#if os(Linux)
    internal import CWaybill
    import WaybillHTTP
    import WaybillSystem
    import WaybillTransports

    extension CurlLoop {
        /// Starts a transfer admitted by the session.
        func begin(_ transfer: CurlTransfer) {
            guard case .outside = transfer.loopState.admission else { return }
            var next: CurlTransfer? = transfer
            while let transfer = next {
                next = nil
                if transfer.hasEnded {
                    transfer.loopState.admission = .over
                } else if attach(transfer) {
                    return
                }
                next = leave(transfer)
            }
        }

        /// Adds a transfer to libcurl.
        ///
        /// - Parameter transfer: the transfer.
        /// - Returns: false if libcurl rejects the transfer, which has then ended.
        private func attach(_ transfer: CurlTransfer) -> Bool {
            closeTime = .never
            guard let multi = multi ?? makeMulti(), let handle = makeHandle(configuration) else {
                transfer.loopState.admission = .over
                transfer.end(.failure(TransportError(.unavailable, "libcurl could not allocate memory")))
                touch(transfer)
                return false
            }
            transfer.loopState.admission = .inFlight(handle)
            transfer.loopState.isPausedByControl = transfer.request.options.control?.isPaused ?? false
            transfer.loopState.index = transfers.count
            transfers.append(transfer)
            (transfer.loopState.start, transfer.loopState.activity) = (now, now)
            let context = Unmanaged.passUnretained(transfer).toOpaque()
            var code = waybill_curl_set_observer(handle.easy, observer)
            if let sessions { _ = waybill_curl_set_share(handle.easy, sessions) }
            if code == 0 { code = handle.prepare(transfer.request, transfer.version, context: context) }
            if needsConnection(transfer) {
                transfer.loopState.opensConnection = true
                _ = waybill_curl_set_number(handle.easy, WAYBILL_CURL_FRESH_CONNECT, 1)
                if CurlLibrary.losesSharedConnections {
                    _ = waybill_curl_set_number(handle.easy, WAYBILL_CURL_FORBID_REUSE, 1)
                }
            }
            if code == 0, case .upload(let upload) = transfer.request.body {
                upload.start { [weak self, weak transfer] in
                    if let self, let transfer { post(.update(transfer)) }
                }
            }
            if code == 0 { code = waybill_curl_multi_add(multi, handle.easy) == 0 ? 0 : 27 }
            guard code == 0 else {
                transfer.end(
                    .failure(CurlTransport.CurlError(code: code, text: handle.text(of: code)).rejection(of: transfer))
                )
                removeFromMulti(handle, of: transfer)
                touch(transfer)
                return false
            }
            hasNewTransfers = true
            let timeouts = configuration.timeouts
            nextCheck = min(nextCheck, now.after(timeouts.firstByte), now.after(timeouts.idle))
            if transfer.mayStall { nextCheck = min(nextCheck, now.after(CurlTransfer.stallInterval)) }
            return true
        }

        /// Whether an HTTP/2 transfer without TLS must open a connection.
        ///
        /// It must if no response has started on any open connection, or if another transfer is opening one: libcurl
        /// might assign it to a connection on which HTTP/2 has not started yet, and the transfer would fail.
        private func needsConnection(_ transfer: CurlTransfer) -> Bool {
            guard transfer.version == .http2, !transfer.request.target.isSecure else { return false }
            if CurlLibrary.losesSharedConnections { return true }
            let name = transfer.request.target.origin
            let isShared = sharedSockets.contains { origins[$0]?.name == name }
            return !isShared
                || transfers.contains { other in
                    other.loopState.opensConnection && !other.loopState.isHeadComplete
                        && other.request.target.origin == name
                }
        }

        /// Removes a transfer from libcurl and admits the next one.
        func detach(_ transfer: CurlTransfer) {
            switch transfer.loopState.admission {
            case .outside, .over: return
            case .inFlight(let handle):
                // Older versions of libcurl would block until the lookup ends, so the transfer is removed afterwards.
                if transfer.hasEnded, !CurlLibrary.canStopLookups, CurlLibrary.reportsSending,
                    handle.time(WAYBILL_CURL_NAMELOOKUP_TIME) == nil, !transfer.loopState.isRemovalDeferred
                {
                    transfer.loopState.isRemovalDeferred = true
                    return
                }
                removeFromMulti(handle, of: transfer)
                if let next = leave(transfer) { begin(next) }
            }
        }

        private func removeFromMulti(_ handle: CurlHandle, of transfer: CurlTransfer) {
            // libcurl can still report messages after the transfer is deallocated.
            handle.setVerbose(false)
            if let multi { _ = waybill_curl_multi_remove(multi, handle.easy) }
            transfer.loopState.admission = .over
            let last = transfers.removeLast()
            if last !== transfer {
                transfers[transfer.loopState.index] = last
                last.loopState.index = transfer.loopState.index
            }
            if case .upload(let upload) = transfer.request.body { upload.stop() }
        }

        /// Resends a request that the server did not process and that libcurl does not resend.
        ///
        /// libcurl does not resend a request sent on a new connection, nor after a GOAWAY with an error.
        ///
        /// - Returns: false if the transfer has ended, if libcurl has sent the request more than once, if the transfer
        ///   has been restarted five times, or if the body is an upload.
        func resend(_ transfer: CurlTransfer, _ handle: CurlHandle) -> Bool {
            if case .upload = transfer.request.body { return false }
            let state = transfer.loopState
            guard !transfer.hasEnded, state.sendCount == 1, state.restartCount < 5 else { return false }
            removeFromMulti(handle, of: transfer)
            transfer.loopState.prepareForResending()
            begin(transfer)
            return true
        }

        /// Records that a transfer has left; returns the transfer admitted in its place if it belongs to this loop.
        private func leave(_ transfer: CurlTransfer) -> CurlTransfer? {
            if transfers.isEmpty { closeTime = now.after(configuration.connections.idleLifetime) }
            guard let (next, loop) = transfer.session.leave(transfer) else { return nil }
            guard loop !== self else { return next }
            loop.post(.start(next))
            return nil
        }

        /// Pauses or resumes a transfer, as its task and its control require.
        func update(_ transfer: CurlTransfer) {
            let isHeld = transfer.request.options.control?.isPaused ?? false
            let wasHeld = transfer.loopState.isPausedByControl
            transfer.loopState.isPausedByControl = isHeld
            transfer.loopState.activity = now
            switch transfer.loopState.admission {
            case .inFlight(let handle):
                let wasPaused = transfer.loopState.isReceivingPaused || transfer.loopState.isSendingPaused
                guard wasPaused || isHeld != wasHeld else { return }
                transfer.loopState.isReceivingPaused = isHeld
                transfer.loopState.isSendingPaused = isHeld
                let mask = isHeld ? WAYBILL_CURL_PAUSE_RECEIVE | WAYBILL_CURL_PAUSE_SEND : 0
                _ = waybill_curl_pause(handle.easy, Int32(mask))
                nextAction = now
                // No check was scheduled while the transfer was paused.
                if transfer.mayStall { nextCheck = min(nextCheck, now.after(CurlTransfer.stallInterval)) }
            case .outside, .over: break
            }
        }
    }
#endif
