#if os(Linux)
    internal import CWaybill
    import WaybillSystem

    extension CurlLoop {
        /// Whether bytes have arrived from the server during an upload over TLS.
        ///
        /// They must be read before more is sent, because they may be a response after which the server resets the
        /// connection (RFC 9112, section 9.6). libcurl stops reading when sending fails, and the loop cannot read the
        /// bytes itself, because they are encrypted. A response is still lost if it arrives together with the reset
        /// while bytes are being sent.
        func hasAnswer(to transfer: CurlTransfer) -> Bool {
            guard transfer.request.target.isSecure, !transfer.loopState.isHeadComplete,
                let socket = transfer.loopState.socket,
                // The descriptor may have been reused for another connection.
                poll.owner(of: socket) == Unmanaged.passUnretained(transfer).toOpaque()
            else { return false }
            var byte: UInt8 = 0
            guard recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0 else { return false }
            answered.append(transfer)
            return true
        }

        /// Makes libcurl read the bytes that arrived during uploads, then continues the uploads.
        func readAnswers() {
            guard let multi, !answered.isEmpty else { return }
            let transfers = answered
            answered.removeAll()
            for transfer in transfers {
                guard let socket = transfer.loopState.socket, case .inFlight = transfer.loopState.admission else {
                    continue
                }
                _ = waybill_curl_multi_act(multi, socket, Int32(WAYBILL_CURL_SELECT_IN))
                update(transfer)
            }
        }
    }
#endif
