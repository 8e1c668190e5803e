#if os(Linux)
    internal import CWaybill
    import WaybillSystem

    extension CurlLoop {
        /// Whether bytes have arrived from the server during an upload over TLS.
        ///
        /// They must be read before more is sent, because they may be a response after which the server resets the
        /// connection (RFC 9112, section 9.6). libcurl stops reading when sending fails, and the loop cannot read the
        /// encrypted bytes. A response that arrives together with the reset while bytes are being sent is still lost.
        func hasEarlyResponse(to transfer: CurlTransfer) -> Bool {
            guard transfer.request.target.isSecure, !transfer.loopState.isHeadComplete,
                let socket = transfer.loopState.socket,
                // The descriptor may have been reused for another connection.
                poll.owner(of: socket) == Unmanaged.passUnretained(transfer).toOpaque()
            else { return false }
            var byte: UInt8 = 0
            guard recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0 else { return false }
            uploadsWithResponses.append(transfer)
            return true
        }

        /// Makes libcurl read the bytes that have arrived during uploads, then continues the uploads.
        func readEarlyResponses() {
            guard let multi, !uploadsWithResponses.isEmpty else { return }
            let transfers = uploadsWithResponses
            uploadsWithResponses.removeAll()
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
