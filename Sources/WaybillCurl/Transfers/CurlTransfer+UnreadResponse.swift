#if os(Linux)
    internal import CWaybill
    import WaybillHTTP
    import WaybillSystem
    import WaybillTransports

    extension CurlTransfer {
        /// Reads the response of a server that closed the connection before the whole request body was sent.
        ///
        /// libcurl gives up as soon as sending fails, even if the response has arrived on the socket. Over TLS, the
        /// response can no longer be read.
        ///
        /// - Parameter socket: the socket, which is about to be closed.
        func readUnread(from socket: Int32) {
            guard mayBeUnread else { return }
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 16 * 1024)
            // The limits on the head and on unread bytes bound the response of a server that never stops sending.
            while bytes.count < limits.headBytes + limits.bufferedBytes {
                let count = recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT))
                guard count > 0 else { break }
                bytes += buffer[..<count]
            }
            process(bytes[...])
        }

        /// Whether unread bytes on the socket belong to this transfer, and libcurl will not resend the request.
        private var mayBeUnread: Bool {
            guard case .inFlight(let handle) = loopState.admission, case .upload = request.body, !hasEnded,
                !loopState.isComplete,
                !request.target.isSecure, version == .http1, loopState.failure == nil,
                loopState.headBytes == 0 || loopState.isHeadComplete
            else { return false }
            return !request.isIdempotent || waybill_curl_fact_of(handle.easy, WAYBILL_CURL_NUM_CONNECTS) > 0
        }

        private func process(_ bytes: ArraySlice<UInt8>) {
            var rest = bytes
            if !loopState.isHeadComplete {
                guard rest.starts(with: "HTTP/1.".utf8) else { return }
                while !loopState.isHeadComplete, let end = rest.firstIndex(of: 0x0A) {
                    let count = rest[...end].withUnsafeBytes { header($0) }
                    guard count > 0 || loopState.isComplete else { return }
                    rest = rest[(end + 1)...]
                }
            }
            guard loopState.isHeadComplete, !loopState.isComplete, !rest.isEmpty else { return }
            rest.withUnsafeBytes { bytes in
                var offset = 0
                let end = loopState.framing.length.map { min($0 - loopState.bodyBytes, bytes.count) } ?? bytes.count
                while offset < end, !loopState.isComplete {
                    let piece = UnsafeRawBufferPointer(rebasing: bytes[offset..<min(offset + 16 * 1024, end)])
                    guard write(piece) == piece.count else { return }
                    offset += piece.count
                }
            }
        }
    }
#endif
