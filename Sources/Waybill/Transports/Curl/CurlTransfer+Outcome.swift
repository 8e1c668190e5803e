#if os(Linux)
    internal import CWaybill
    import Foundation

    extension CurlTransfer {
        /// What becomes of a transfer with which libcurl is done.
        func outcome(_ code: Int32, _ handle: CurlHandle) -> Result<Void, TransportError> {
            measure(handle, isAtEnd: true)
            if let failure = course.failure { return .failure(failure) }
            // What happens to the connection behind a complete response is of no concern to it.
            if course.isComplete { return .success(()) }
            if code == 0 {
                guard course.isHeadComplete else {
                    let place = course.headBytes > 0 ? "inside the head" : "before it answered"
                    return .failure(
                        TransportError(
                            .connectionLost,
                            "\(host) closed the connection \(place)",
                            phase: .waiting
                        )
                    )
                }
                guard course.chunks == nil else {
                    return .failure(
                        TransportError(
                            .connectionLost,
                            "\(host) closed the connection inside the body",
                            phase: .receiving
                        )
                    )
                }
                if !course.lines.isEmpty { receive(trailer: course.lines) }
                return .success(())
            }
            return .failure(CurlError(code: code, text: handle.text(of: code)).failure(of: self, phase: phase(handle)))
        }

        /// How far it has come.
        func phase(_ handle: CurlHandle) -> TransportPhase {
            if course.isHeadComplete { return .receiving }
            if handle.time(WAYBILL_CURL_PRETRANSFER_TIME) != nil { return course.isSent ? .waiting : .sending }
            if request.target.isSecure, handle.time(WAYBILL_CURL_CONNECT_TIME) != nil { return .securing }
            return handle.time(WAYBILL_CURL_NAMELOOKUP_TIME) != nil || request.target.socketPath != nil
                ? .connecting : .resolving
        }

        /// The error of a transfer that as a whole took too long.
        func overdue(_ timeouts: CurlTransport.Timeouts) -> TransportError {
            let phase: TransportPhase = if case .inFlight(let handle) = course.place { phase(handle) } else { .queued }
            return late(.total, phase, "took longer than \(timeouts.total ?? .zero)")
        }

        /// The error of a transfer in flight whose server took too long; nil where it did not, and then when to look
        /// again.
        func lateness(
            at now: ContinuousTime,
            _ timeouts: CurlTransport.Timeouts,
            next: inout ContinuousTime
        ) -> TransportError? {
            guard case .inFlight(let handle) = course.place else { return nil }
            // In the next phase another limit may count: nothing says when that begins.
            next = min(next, now.after(timeouts.firstByte), now.after(timeouts.idle))
            let phase = phase(handle)
            let isPaused = course.isHeldByControl || course.isReceivingPaused || course.isSendingPaused
            switch phase {
            case .queued, .resolving, .connecting, .securing:
                // libcurl counts the time until there is a connection.
                break
            case _ where isPaused: break
            case .waiting:
                let pretransfer = handle.time(WAYBILL_CURL_PRETRANSFER_TIME)
                let start = max(course.activity, course.start.after(pretransfer))
                let end = start.after(timeouts.firstByte)
                if end <= now, let limit = timeouts.firstByte {
                    return late(.firstByte, phase, "did not answer for \(limit)")
                }
                next = min(next, end)
            case .sending, .receiving:
                let end = course.activity.after(timeouts.idle)
                if end <= now, let limit = timeouts.idle {
                    let did = phase == .sending ? "took nothing" : "was silent"
                    return late(.idle, phase, "\(did) for \(limit)")
                }
                next = min(next, end)
            }
            return nil
        }

        private func late(_ timeout: TransportTimeout, _ phase: TransportPhase, _ cause: String) -> TransportError {
            TransportError(.timedOut, "\(host) \(cause), while \(phase.rawValue)", phase: phase, timeout: timeout)
        }
    }
#endif
