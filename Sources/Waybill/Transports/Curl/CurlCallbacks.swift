#if os(Linux)
    internal import CWaybill
    import Foundation

    /// What libcurl calls while a transfer goes on, in the loop's turn.
    enum CurlCallbacks {
        /// The one table of them, which libcurl keeps.
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
                    sending: { CurlCallbacks.transfer($0)?.maySend() ?? false ? 0 : 1 }
                )
            )
            return UnsafePointer(table)
        }()

        private static func transfer(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
            context.map { Unmanaged<CurlTransfer>.fromOpaque($0).takeUnretainedValue() }
        }
    }

    extension CurlTransfer {
        /// Takes one line of a head or of a trailer, and returns how many bytes it took.
        func header(_ line: UnsafeRawBufferPointer) -> Int {
            touch()
            course.headBytes += line.count
            guard course.headBytes <= limits.headBytes else {
                return refuse(TransportError(.headTooLarge, "\(host) sent more than \(limits.headBytes) bytes of it"))
            }
            let isEmpty = line.count <= 2 && (line.first == 0x0D || line.first == 0x0A)
            let isStatusLine = line.starts(with: "HTTP/".utf8)
            if course.isHeadComplete {
                guard !isStatusLine else {
                    return refuse(TransportError(.invalidResponse, "\(host) sent a status line behind the body"))
                }
            } else if course.lines.isEmpty || isStatusLine {
                course.lines.removeAll(keepingCapacity: true)
                course.status = CurlHead.statusCode(of: line.prefix { $0 != 0x0A }) ?? 0
                course.framing = FramingFields()
            } else {
                course.framing.read(line)
            }
            guard isEmpty else {
                course.lines.append(contentsOf: line)
                return line.count
            }
            if course.isHeadComplete {
                receive(trailer: course.lines)
            } else if course.status == 101 {
                return refuse(
                    TransportError(.invalidResponse, "\(host) switches to a protocol that nobody asked for")
                )
            } else if course.status >= 200 {
                if let problem = course.framing.problem {
                    return refuse(TransportError(.invalidResponse, "\(host) sent \(problem)"))
                }
                course.isHeadComplete = true
                if case .inFlight(let handle) = course.place { measure(handle) }
                beginBody()
                receive(head: course.lines)
                course.lines = []
                return taken(line.count)
            } else {
                // An interim response (RFC 9110, section 15.2).
                course.lines.removeAll(keepingCapacity: true)
            }
            return line.count
        }

        /// Decides where the body ends (RFC 9112, section 6.3).
        private func beginBody() {
            if request.method == .head || course.status == 204 || course.status == 304 {
                course.isComplete = true
            } else if course.framing.isChunked, course.lines.starts(with: "HTTP/1.".utf8) {
                course.chunks = ChunkedDecoder(trailerLimit: limits.headBytes)
            } else {
                course.isComplete = course.framing.length == 0
            }
        }

        /// The number of bytes to report as taken: all of them, or none if the transfer is to end.
        ///
        /// A response that is complete while its request is still on its way is the response: the server has said all
        /// it will, and often closes the connection, which must not count as a failure (RFC 9112, section 9.5).
        private func taken(_ count: Int) -> Int {
            guard course.isComplete, !course.isSent, case .upload = request.body else { return count }
            return 0
        }

        /// Takes a piece of the body, and returns how many bytes it took.
        func write(_ bytes: UnsafeRawBufferPointer) -> Int {
            touch()
            guard !course.isHeldByControl, mayReceive() else {
                guard !hasEnded else { return 0 }
                course.isReceivingPaused = true
                return Int(WAYBILL_CURL_IO_PAUSE)
            }
            if course.chunks != nil { return writeChunks(bytes) }
            takeBody(bytes)
            guard course.bodyBytes <= limits.bodyBytes else { return refuse(.bodyTooLarge(limit: limits.bodyBytes)) }
            course.isComplete = course.framing.length == course.bodyBytes
            return taken(bytes.count)
        }

        private func writeChunks(_ bytes: UnsafeRawBufferPointer) -> Int {
            // Taken out, as its pieces change the rest of the course.
            guard var chunks = course.chunks.take() else { return 0 }
            defer { course.chunks = chunks }
            do throws(ChunkedDecoder.Failure) {
                let count = try chunks.decode(bytes, takeBody)
                guard course.bodyBytes <= limits.bodyBytes else {
                    return refuse(.bodyTooLarge(limit: limits.bodyBytes))
                }
                guard chunks.isAtEnd else { return count }
                course.isComplete = true
                receive(trailer: chunks.trailer)
                // What follows the response would be taken for the next one: the connection ends with this one.
                return count < bytes.count ? 0 : taken(count)
            } catch {
                let text = "\(host) sent chunks that RFC 9112 does not allow: \(error.text)"
                return refuse(TransportError(error.isTooLong ? .headTooLarge : .invalidResponse, text))
            }
        }

        private func takeBody(_ bytes: UnsafeRawBufferPointer) {
            course.bodyBytes += bytes.count
            receive(bytes)
        }

        /// Gives bytes of the request's body.
        fileprivate func read(_ memory: UnsafeMutableRawBufferPointer) -> Int {
            guard case .upload(let upload) = request.body, !hasEnded else { return Int(WAYBILL_CURL_READ_ABORT) }
            touch()
            guard !course.isHeldByControl else {
                course.isSendingPaused = true
                return Int(WAYBILL_CURL_IO_PAUSE)
            }
            switch upload.read(into: memory) {
            case .bytes(let count):
                // libcurl does not ask for the end of a body whose length it knows.
                course.isSent = upload.isUsedUp
                return count
            case .end:
                course.isSent = true
                return 0
            case .later:
                course.isSendingPaused = true
                return Int(WAYBILL_CURL_IO_PAUSE)
            case .failed(let error):
                course.failure = error
                return Int(WAYBILL_CURL_READ_ABORT)
            }
        }

        /// Goes back to the start of the request's body, where the request may go out again.
        fileprivate func rewind(to offset: Int64) -> Bool {
            guard case .upload(let upload) = request.body, offset == 0, upload.rewind() else { return false }
            course.isSent = false
            return true
        }

        /// Whether the request may go out: a second time only where its effect is the same then.
        fileprivate func maySend() -> Bool {
            course.sendings += 1
            guard !hasEnded, course.sendings == 1 || request.isIdempotent else { return false }
            if case .upload = request.body {} else { course.isSent = true }
            touch()
            return true
        }

        private func refuse(_ error: TransportError) -> Int {
            course.failure = error
            return 0
        }

        private func touch() { session.loop.touch(self) }
    }
#endif
