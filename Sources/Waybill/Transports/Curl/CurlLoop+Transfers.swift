#if os(Linux)
    internal import CWaybill
    import Foundation

    extension CurlLoop {
        func begin(_ transfer: CurlTransfer) {
            guard case .outside = transfer.course.place, !transfer.hasEnded else { return }
            transfer.course.deadline = deadlines.append(transfer, at: now)
            if let control = transfer.request.control {
                transfer.course.controlObserver = control.observe { [weak self, weak transfer] in
                    if let self, let transfer { post(.goOn(transfer)) }
                }
                transfer.course.isHeldByControl = control.isPaused
                guard !transfer.course.isHeldByControl else {
                    held[ObjectIdentifier(transfer)] = transfer
                    return
                }
            }
            enter(transfer)
        }

        func enter(_ transfer: CurlTransfer) {
            if let ticket = limit.enter(transfer, at: transfer.request.target.origin) {
                transfer.course.place = .waiting(ticket)
            } else if !attach(transfer) {
                leave(transfer.request.target.origin)
            }
        }

        /// Gives a transfer to libcurl.
        ///
        /// - Returns: false where libcurl does not take it, and it has ended.
        private func attach(_ transfer: CurlTransfer) -> Bool {
            closing = .never
            guard let multi = multi ?? makeMulti(), let handle = makeHandle(configuration) else {
                transfer.course.place = .over
                forget(transfer)
                transfer.end(.failure(TransportError(.unavailable, "libcurl has no memory left")))
                touch(transfer)
                return false
            }
            transfer.course.place = .inFlight(handle)
            transfer.course.index = transfers.count
            transfers.append(transfer)
            (transfer.course.start, transfer.course.activity) = (now, now)
            let context = Unmanaged.passUnretained(transfer).toOpaque()
            var code = waybill_curl_set_observer(handle.easy, observer)
            if let sessions { _ = waybill_curl_set_share(handle.easy, sessions) }
            if code == 0 { code = handle.prepare(transfer.request, context: context) }
            if code == 0, case .upload(let upload) = transfer.request.body {
                upload.start { [weak self, weak transfer] in
                    if let self, let transfer { post(.goOn(transfer)) }
                }
            }
            if code == 0 { code = waybill_curl_multi_add(multi, handle.easy) == 0 ? 0 : 27 }
            guard code == 0 else {
                transfer.end(.failure(CurlError(code: code, text: handle.text(of: code)).refusal(of: transfer)))
                forget(transfer)
                takeBack(handle, of: transfer)
                touch(transfer)
                return false
            }
            hasNewTransfers = true
            let timeouts = configuration.timeouts
            watchTimes(min(now.after(timeouts.firstByte), now.after(timeouts.idle)))
            return true
        }

        /// Keeps and tells a transfer nothing any more.
        private func forget(_ transfer: CurlTransfer) {
            if let observer = transfer.course.controlObserver.take() { transfer.request.control?.forget(observer) }
            if let deadline = transfer.course.deadline.take() { deadlines.remove(deadline) }
        }

        /// Takes a transfer away from libcurl and lets the next one through.
        func detach(_ transfer: CurlTransfer) {
            forget(transfer)
            switch transfer.course.place {
            case .over: return
            case .outside:
                transfer.course.place = .over
                held[ObjectIdentifier(transfer)] = nil
            case .waiting(let ticket):
                transfer.course.place = .over
                limit.abandon(ticket, at: transfer.request.target.origin)
            case .inFlight(let handle):
                // Older versions would wait for the lookup's answer: it is stopped when that has come.
                if transfer.hasEnded, !CurlLibrary.stopsLookups, CurlLibrary.tellsWhenSending,
                    handle.time(WAYBILL_CURL_NAMELOOKUP_TIME) == nil, transfer.course.isStoppable
                {
                    transfer.course.isStoppable = false
                    return
                }
                takeBack(handle, of: transfer)
                leave(transfer.request.target.origin)
            }
        }

        private func takeBack(_ handle: CurlHandle, of transfer: CurlTransfer) {
            if let multi { _ = waybill_curl_multi_remove(multi, handle.easy) }
            transfer.course.place = .over
            let last = transfers.removeLast()
            if last !== transfer {
                transfers[transfer.course.index] = last
                last.course.index = transfer.course.index
            }
            if case .upload(let upload) = transfer.request.body { upload.stop() }
        }

        /// Lets the next one through in the place of one that has left.
        private func leave(_ origin: String) {
            while let next = limit.leave(origin) {
                if next.hasEnded {
                    next.course.place = .over
                } else if attach(next) {
                    break
                }
            }
            if transfers.isEmpty { closing = now.after(configuration.connections.idleLifetime) }
        }

        /// Lets a transfer read and send as far as its task and its control let it.
        func goOn(_ transfer: CurlTransfer) {
            let isHeld = transfer.request.control?.isPaused ?? false
            let wasHeld = transfer.course.isHeldByControl
            transfer.course.isHeldByControl = isHeld
            transfer.course.activity = now
            switch transfer.course.place {
            case .outside:
                guard wasHeld, !isHeld, held.removeValue(forKey: ObjectIdentifier(transfer)) != nil else { return }
                enter(transfer)
            case .inFlight(let handle):
                let wasPaused = transfer.course.isReceivingPaused || transfer.course.isSendingPaused
                guard wasPaused || isHeld != wasHeld else { return }
                transfer.course.isReceivingPaused = isHeld
                transfer.course.isSendingPaused = isHeld
                let mask = isHeld ? WAYBILL_CURL_PAUSE_RECEIVE | WAYBILL_CURL_PAUSE_SEND : 0
                _ = waybill_curl_pause(handle.easy, Int32(mask))
                action = now
            case .waiting, .over: break
            }
        }
    }
#endif
