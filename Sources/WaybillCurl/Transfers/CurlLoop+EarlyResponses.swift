#if os(Linux)
    internal import CWaybill
    import WaybillSystem

    extension CurlLoop {
        /// Whether the server of an upload over TLS has sent something, which then has to be read before more is sent.
        ///
        /// It may be a response, after which the server resets the connection (RFC 9112, section 9.6). libcurl reads
        /// nothing more once it has failed to send, and what the socket has is encrypted. A response that arrives
        /// together with the reset, while bytes are sent, is still lost.
        func hasAnswer(to transfer: CurlTransfer) -> Bool {
            guard transfer.request.target.isSecure, !transfer.loopState.isHeadComplete,
                let socket = transfer.loopState.socket,
                // The number may be that of another connection by now.
                poll.owner(of: socket) == Unmanaged.passUnretained(transfer).toOpaque()
            else { return false }
            var byte: UInt8 = 0
            guard recv(socket, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0 else { return false }
            answered.append(transfer)
            return true
        }

        /// Lets libcurl read what has arrived before the ends of uploads, and then send on.
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
