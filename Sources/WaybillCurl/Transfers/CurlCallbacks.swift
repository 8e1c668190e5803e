#if os(Linux)
    internal import CWaybill
    import WaybillHTTP
    import WaybillSystem
    import WaybillTransports

    /// The callbacks that libcurl calls during a transfer, in the loop's turn.
    enum CurlCallbacks {
        /// The table of callbacks; libcurl keeps a pointer to it.
        nonisolated(unsafe) static let table: UnsafePointer<waybill_curl_callbacks> = {  // never written again
            let table = UnsafeMutablePointer<waybill_curl_callbacks>.allocate(capacity: 1)
            table.initialize(
                to: waybill_curl_callbacks(
                    header: { CurlCallbacks.transfer($0)?.header(UnsafeRawBufferPointer(start: $1, count: $2)) ?? 0 },
                    write: { CurlCallbacks.transfer($0)?.write(UnsafeRawBufferPointer(start: $1, count: $2)) ?? 0 },
                    read: { context, bytes, capacity in
                        let memory = UnsafeMutableRawBufferPointer(start: bytes, count: capacity)
                        return CurlCallbacks.transfer(context)?.read(memory) ?? Int(WAYBILL_CURL_READ_ABORT)
                    },
                    seek: { context, offset in
                        CurlCallbacks.transfer(context)?.rewind(to: offset) ?? false
                            ? Int32(WAYBILL_CURL_SEEK_OK) : Int32(WAYBILL_CURL_SEEK_FAIL)
                    },
                    sending: { context, ends in
                        CurlCallbacks.transfer(context)?.maySend(on: ends?.pointee) ?? false ? 0 : 1
                    },
                    message: { context, line, count in
                        let line = String(decoding: UnsafeRawBufferPointer(start: line, count: count), as: UTF8.self)
                        CurlCallbacks.transfer(context)?.handleMessage(line)
                    }
                )
            )
            return UnsafePointer(table)
        }()

        private static func transfer(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
            context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
        }
    }

    extension CurlTransfer {
        /// Handles a line of a head or a trailer section.
        ///
        /// - Parameter line: the line, including its line break.
        /// - Returns: the number of accepted bytes; libcurl ends the transfer if it is less than the line's length.
        func header(_ line: UnsafeRawBufferPointer) -> Int {
            touch()
            loopState.headBytes += line.count
            guard loopState.headBytes <= limits.headBytes else {
                return reject(TransportError(.headTooLarge, "\(host) sent more than \(limits.headBytes) bytes"))
            }
            let isEmpty = line.count <= 2 && (line.first == 0x0D || line.first == 0x0A)
            let isStatusLine = line.starts(with: "HTTP/".utf8)
            if loopState.isHeadComplete {
                guard !isStatusLine else {
                    return reject(TransportError(.invalidResponse, "\(host) sent a status line after the body"))
                }
            } else if loopState.lines.isEmpty || isStatusLine {
                guard !isStatusLine || version != .http1 || line.starts(with: "HTTP/1.".utf8) else {
                    return reject(
                        TransportError(.invalidResponse, "\(host) sent a status line with another HTTP version")
                    )
                }
                loopState.lines.removeAll(keepingCapacity: true)
                loopState.status = CurlHead.statusCode(of: line.prefix { $0 != 0x0A }) ?? 0
                loopState.framing = FramingFields()
            } else {
                loopState.framing.read(line)
            }
            guard isEmpty else {
                loopState.lines.append(contentsOf: line)
                return line.count
            }
            if loopState.isHeadComplete {
                receive(trailer: loopState.lines)
            } else if loopState.status == 101 {
                return reject(
                    TransportError(.invalidResponse, "\(host) switched to a protocol that was not requested")
                )
            } else if loopState.status >= 200 {
                if let problem = loopState.framing.problem {
                    return reject(TransportError(.invalidResponse, "\(host) sent \(problem)"))
                }
                loopState.isHeadComplete = true
                if case .inFlight(let handle) = loopState.admission { measure(handle) }
                beginBody()
                updateCounter()
                receive(head: loopState.lines)
                loopState.lines = []
                return acceptedCount(line.count)
            } else {
                // An interim response (RFC 9110, section 15.2).
                deliverInterimResponse()
                loopState.lines.removeAll(keepingCapacity: true)
            }
            return line.count
        }

        /// Passes an interim response to the request's receiver, if any.
        private func deliverInterimResponse() {
            guard let receive = request.receiveInterim, let head = try? CurlHead(loopState.lines, host: host) else {
                return
            }
            // A server may acknowledge the bytes of a long body many times, so interim responses count toward the size
            // limit only after the whole body has been sent.
            if !loopState.isSent { loopState.headBytes = 0 }
            receive(head)
        }

        /// Counts a small request body, which libcurl sends without a callback, and sets the expected length of the
        /// response body.
        private func updateCounter() {
            guard let counter else { return }
            if case .small(let bytes) = request.body { counter.setSent(bytes.count) }
            let fields = try? CurlHead(loopState.lines, host: host).fields
            let isCoded = fields?.contains(.contentEncoding) ?? false
            counter.expectToReceive(loopState.isComplete ? 0 : isCoded ? nil : loopState.framing.length)
        }

        /// Determines how the end of the body is detected (RFC 9112, section 6.3).
        private func beginBody() {
            loopState.ownsConnection = loopState.lines.starts(with: "HTTP/1.".utf8)
            if version == .http2, !request.target.isSecure, let socket = loopState.socket {
                loop?.sharedSockets.insert(socket)
            }
            if request.method == .head || loopState.status == 204 || loopState.status == 304 {
                loopState.isComplete = true
            } else if loopState.framing.isChunked, loopState.lines.starts(with: "HTTP/1.".utf8) {
                loopState.chunks = ChunkedDecoder(trailerLimit: limits.headBytes)
            } else {
                loopState.isComplete = loopState.framing.length == 0
            }
        }

        /// Returns the number of accepted bytes: all of them, or none to end the transfer.
        ///
        /// A response that is complete before its request has been sent is final: the server sends nothing more and
        /// often closes the connection, which is not a failure (RFC 9112, section 9.5).
        private func acceptedCount(_ count: Int) -> Int {
            guard loopState.isComplete, !loopState.isSent, case .upload = request.body else { return count }
            return 0
        }

        /// Handles a piece of the body.
        ///
        /// - Parameter bytes: the piece.
        /// - Returns: the number of accepted bytes, or the value that pauses the transfer.
        func write(_ bytes: UnsafeRawBufferPointer) -> Int {
            touch()
            // libcurl can send a request and read its response in one step, on a connection that counts as idle until
            // libcurl waits for its socket. If the transfer were paused at that point, its next bytes would be
            // unexpected, and the connection would be closed.
            let isAwaited = loopState.socket != nil || !loopState.ownsConnection
            guard !isAwaited || !loopState.isPausedByControl && mayReceive() else {
                guard !hasEnded else { return 0 }
                loopState.isReceivingPaused = true
                return Int(WAYBILL_CURL_IO_PAUSE)
            }
            if loopState.chunks != nil { return writeChunks(bytes) }
            receiveBody(bytes)
            guard loopState.bodyBytes <= limits.bodyBytes else { return reject(.bodyTooLarge(limit: limits.bodyBytes)) }
            loopState.isComplete = loopState.framing.length == loopState.bodyBytes
            return acceptedCount(bytes.count)
        }

        private func writeChunks(_ bytes: UnsafeRawBufferPointer) -> Int {
            // Moved out, because the closure changes other parts of the state.
            guard var chunks = loopState.chunks.take() else { return 0 }
            defer { loopState.chunks = chunks }
            do throws(ChunkedDecoder.Failure) {
                let count = try chunks.decode(bytes, receiveBody)
                guard loopState.bodyBytes <= limits.bodyBytes else {
                    return reject(.bodyTooLarge(limit: limits.bodyBytes))
                }
                guard chunks.isAtEnd else { return count }
                loopState.isComplete = true
                receive(trailer: chunks.trailer)
                // Bytes after the response would be mistaken for the next one, so the connection is closed.
                return count < bytes.count ? 0 : acceptedCount(count)
            } catch {
                let text = "\(host) sent an invalid chunked body: \(error.text)"
                return reject(TransportError(error.isTooLong ? .headTooLarge : .invalidResponse, text))
            }
        }

        private func receiveBody(_ bytes: UnsafeRawBufferPointer) {
            loopState.bodyBytes += bytes.count
            counter?.addReceived(bytes.count)
            receive(bytes)
        }

        /// Copies bytes of the request body into memory.
        ///
        /// - Parameter memory: the memory to fill.
        /// - Returns: the number of bytes, or the value that pauses or ends the transfer.
        fileprivate func read(_ memory: UnsafeMutableRawBufferPointer) -> Int {
            guard case .upload(let upload) = request.body, !hasEnded else { return Int(WAYBILL_CURL_READ_ABORT) }
            touch()
            guard !loopState.isPausedByControl, !(loop?.hasEarlyResponse(to: self) ?? false) else {
                loopState.isSendingPaused = true
                return Int(WAYBILL_CURL_IO_PAUSE)
            }
            switch upload.read(into: memory) {
            case .bytes(let count):
                // libcurl does not read past the last byte of a body with a known length.
                loopState.isSent = upload.isExhausted
                counter?.addSent(count)
                return count
            case .end:
                loopState.isSent = true
                return 0
            case .later:
                loopState.isSendingPaused = true
                return Int(WAYBILL_CURL_IO_PAUSE)
            case .failed(let error):
                loopState.failure = error
                return Int(WAYBILL_CURL_READ_ABORT)
            }
        }

        /// Restarts the request body; returns false if the body cannot be sent again.
        fileprivate func rewind(to offset: Int64) -> Bool {
            guard case .upload(let upload) = request.body, offset == 0, upload.rewind() else { return false }
            loopState.isSent = false
            counter?.setSent(0)
            return true
        }

        /// Whether the request may be sent.
        ///
        /// It may be resent only if its method is idempotent, or if the server has signaled that it did not process the
        /// request (RFC 9113, sections 6.8 and 8.7).
        fileprivate func maySend(on ends: waybill_curl_ends?) -> Bool {
            loopState.sendCount += 1
            let isFirst = loopState.sendCount == 1
            guard !hasEnded, isFirst || request.isIdempotent || loopState.isUnprocessed else { return false }
            if version != .http1 { observeStream(on: ends) }
            if case .upload = request.body {} else { loopState.isSent = true }
            if case .small(let bytes) = request.body { counter?.setSent(bytes.count) }
            touch()
            return true
        }

        /// Enables libcurl's verbose messages about the next stream until the transfer ends or leaves the connection.
        private func observeStream(on ends: waybill_curl_ends?) {
            loopState.isUnprocessed = false
            loopState.stream = nil
            loopState.ends = ends.map {
                CurlConnectionEnds(
                    remote: $0.remote.map(String.init(cString:)) ?? "",
                    remotePort: $0.remote_port,
                    local: $0.local.map(String.init(cString:)) ?? "",
                    localPort: $0.local_port
                )
            }
            loopState.setVerbose(true)
        }

        private func reject(_ error: TransportError) -> Int {
            loopState.failure = error
            return 0
        }

        private func touch() { loop?.touch(self) }
    }
#endif
