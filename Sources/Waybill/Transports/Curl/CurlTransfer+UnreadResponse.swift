#if os(Linux)
    internal import CWaybill
    import Foundation

    extension CurlTransfer {
        /// Reads the response that a server sent before it closed a connection over which a body was still being sent.
        ///
        /// libcurl gives up as soon as sending fails, though the response may lie in the socket. Over TLS it cannot be
        /// read any more.
        ///
        /// - Parameter socket: The socket, which is about to be closed.
        func readUnread(from socket: Int32) {
            guard mayBeUnread else { return }
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 16 * 1024)
            // A server that does not stop is cut off by the limits of the head and of what is unread.
            while bytes.count < limits.headBytes + limits.bufferedBytes {
                let count = recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT))
                guard count > 0 else { break }
                bytes += buffer[..<count]
            }
            take(bytes[...])
        }

        /// Whether bytes in the socket are this transfer's, and libcurl does not send the request again.
        private var mayBeUnread: Bool {
            guard case .inFlight(let handle) = course.place, case .upload = request.body, !hasEnded, !course.isComplete,
                !request.target.isSecure, course.failure == nil, course.headBytes == 0 || course.isHeadComplete
            else { return false }
            return !request.isIdempotent || waybill_curl_fact_of(handle.easy, WAYBILL_CURL_NUM_CONNECTS) > 0
        }

        private func take(_ bytes: ArraySlice<UInt8>) {
            var rest = bytes
            if !course.isHeadComplete {
                guard rest.starts(with: "HTTP/1.".utf8) else { return }
                while !course.isHeadComplete, let end = rest.firstIndex(of: 0x0A) {
                    let count = rest[...end].withUnsafeBytes { header($0) }
                    guard count > 0 || course.isComplete else { return }
                    rest = rest[(end + 1)...]
                }
            }
            guard course.isHeadComplete, !course.isComplete, !rest.isEmpty else { return }
            rest.withUnsafeBytes { bytes in
                var place = 0
                let end = course.framing.length.map { min($0 - course.bodyBytes, bytes.count) } ?? bytes.count
                while place < end, !course.isComplete {
                    let piece = UnsafeRawBufferPointer(rebasing: bytes[place..<min(place + 16 * 1024, end)])
                    guard write(piece) == piece.count else { return }
                    place += piece.count
                }
            }
        }
    }
#endif
