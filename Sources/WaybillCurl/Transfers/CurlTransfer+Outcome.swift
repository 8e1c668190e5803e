#if os(Linux)
    internal import CWaybill
    import WaybillHTTP
    import WaybillSystem
    import WaybillTransports

    extension CurlTransfer {
        /// Returns the outcome of a transfer completed by libcurl.
        func outcome(_ code: Int32, _ handle: CurlHandle) -> Result<Void, TransportError> {
            measure(handle, isAtEnd: true)
            if let failure = loopState.failure { return .failure(failure) }
            // After a complete response, events on the connection are irrelevant.
            if loopState.isComplete { return .success(()) }
            if code == 0 {
                guard loopState.isHeadComplete else {
                    let moment = loopState.headBytes > 0 ? "while sending the head" : "without a response"
                    return .failure(
                        TransportError(
                            .connectionLost,
                            "\(host) closed it \(moment)",
                            phase: .waiting
                        )
                    )
                }
                guard loopState.chunks == nil else {
                    return .failure(
                        TransportError(
                            .connectionLost,
                            "\(host) closed it while sending the body",
                            phase: .receiving
                        )
                    )
                }
                if !loopState.lines.isEmpty { receive(trailer: loopState.lines) }
                return .success(())
            }
            return .failure(
                CurlTransport.CurlError(code: code, text: handle.text(of: code)).failure(of: self, phase: phase(handle))
            )
        }

        /// Returns the current phase of the transfer.
        func phase(_ handle: CurlHandle) -> TransportError.Phase {
            if loopState.isHeadComplete { return .receiving }
            if handle.time(WAYBILL_CURL_PRETRANSFER_TIME) != nil { return loopState.isSent ? .waiting : .sending }
            if request.target.isSecure, handle.time(WAYBILL_CURL_CONNECT_TIME) != nil { return .securing }
            return handle.time(WAYBILL_CURL_NAMELOOKUP_TIME) != nil || request.target.socketPath != nil
                ? .connecting : .resolving
        }

        /// Returns the error for a transfer that has exceeded the time limit on the whole call.
        func totalTimeoutError(_ timeouts: CurlTransport.Timeouts) -> TransportError {
            let phase: TransportError.Phase =
                if case .inFlight(let handle) = loopState.admission { phase(handle) } else { .queued }
            return timeout(.total, phase, "took longer than \((timeouts.total ?? .zero).shown)")
        }

        /// Returns the error for a transfer in flight that has exceeded a time limit.
        ///
        /// - Parameters:
        ///   - now: the current time.
        ///   - timeouts: the limits.
        ///   - next: the time of the next check, which is moved up if necessary.
        /// - Returns: the error; nil if no limit is exceeded.
        func timeoutError(
            at now: ContinuousTime,
            _ timeouts: CurlTransport.Timeouts,
            next: inout ContinuousTime
        ) -> TransportError? {
            guard case .inFlight(let handle) = loopState.admission else { return nil }
            let firstByte = request.options.idleTimeout(timeouts.firstByte)
            let idle = request.options.idleTimeout(timeouts.idle)
            // The next phase may have a different limit, but no event marks its start.
            next = min(next, now.after(firstByte), now.after(idle))
            let phase = phase(handle)
            let isPaused = loopState.isPausedByControl || loopState.isReceivingPaused || loopState.isSendingPaused
            switch phase {
            case .queued, .resolving, .connecting, .securing:
                // libcurl enforces the limit on opening a connection.
                break
            case _ where isPaused: break
            case .waiting:
                let pretransfer = handle.time(WAYBILL_CURL_PRETRANSFER_TIME)
                let start = max(loopState.activity, loopState.start.after(pretransfer))
                let end = start.after(firstByte)
                if end <= now, let limit = firstByte {
                    return timeout(.firstByte, phase, "did not respond for \(limit.shown)")
                }
                next = min(next, end)
            case .sending, .receiving:
                let end = loopState.activity.after(idle)
                if end <= now, let limit = idle {
                    let did = phase == .sending ? "accepted no data" : "was silent"
                    return timeout(.idle, phase, "\(did) for \(limit.shown)")
                }
                next = min(next, end)
            }
            return nil
        }

        private func timeout(_ timeout: TransportError.Timeout, _ phase: TransportError.Phase, _ cause: String)
            -> TransportError
        {
            TransportError(.timedOut, "\(host) \(cause), while \(phase.rawValue)", phase: phase, timeout: timeout)
        }
    }

    extension CurlTransfer {
        /// Records libcurl's measurements so far if they are needed.
        func measure(_ handle: CurlHandle, isAtEnd: Bool = false) {
            guard let metrics else { return }
            let easy = handle.easy
            let isReused = waybill_curl_fact_of(easy, WAYBILL_CURL_NUM_CONNECTS) == 0
            var measured = TransferOptions.Report.Metrics()
            // libcurl also reports times for steps that a reused connection skips.
            if !isReused {
                measured.nameLookup = request.target.socketPath == nil ? handle.time(WAYBILL_CURL_NAMELOOKUP_TIME) : nil
                measured.connect = handle.time(WAYBILL_CURL_CONNECT_TIME)
                measured.secure = handle.time(WAYBILL_CURL_APPCONNECT_TIME)
            }
            measured.firstByte = handle.time(WAYBILL_CURL_STARTTRANSFER_TIME)
            measured.protocolVersion = Self.version(waybill_curl_fact_of(easy, WAYBILL_CURL_HTTP_VERSION_USED))
            // Without a head, there may have been no connection.
            if loopState.isHeadComplete { measured.isConnectionReused = isReused }
            measured.bytesSent = Int(clamping: waybill_curl_size_of(easy, WAYBILL_CURL_SIZE_UPLOAD))
            if isAtEnd {
                measured.total = handle.time(WAYBILL_CURL_TOTAL_TIME)
                measured.bytesReceived = Int(clamping: waybill_curl_size_of(easy, WAYBILL_CURL_SIZE_DOWNLOAD))
            }
            metrics.withLock { $0 = measured }
        }

        private static func version(_ number: Int) -> String? {
            switch number {
            case 1: "HTTP/1.0"
            case 2: "HTTP/1.1"
            case 3: "HTTP/2"
            case 30: "HTTP/3"
            default: nil
            }
        }
    }
#endif
