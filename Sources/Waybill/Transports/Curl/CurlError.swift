#if os(Linux)
    /// What libcurl says about a failure.
    public struct CurlError: Error, Sendable, Hashable, CustomStringConvertible {
        /// The number, as in https://curl.se/libcurl/c/libcurl-errors.html.
        public let code: Int32

        /// The cause in words.
        public let text: String

        /// The number and the cause.
        public var description: String { "libcurl error \(code): \(text)" }

        /// The error of a request that libcurl does not take.
        func refusal(of transfer: CurlTransfer) -> TransportError {
            let kind: TransportError.Kind = [4, 27, 48].contains(code) ? .unavailable : .unsupportedRequest
            return TransportError(kind, "\(transfer.host): \(text)", underlying: self)
        }

        /// The error of a transfer, in the terms of a transport.
        func failure(of transfer: CurlTransfer, phase: TransportPhase) -> TransportError {
            let isAborted = code == 42 && transfer.course.sendings > 1
            if isAborted || code == 65 {
                return TransportError(
                    .connectionLost,
                    "\(transfer.host) closed the connection before it answered; "
                        + "it may have taken the request, which is not sent a second time",
                    phase: .waiting,
                    underlying: self
                )
            }
            let kind = kind(phase, transfer)
            // libcurl does not tell the time of a connection over which TLS fails.
            let phase = kind == .secureConnectionFailed ? max(phase, .securing) : phase
            return TransportError(
                kind,
                "\(transfer.host): \(text), while \(phase.rawValue)",
                phase: phase,
                timeout: kind == .timedOut ? .connect : nil,
                underlying: self
            )
        }

        private func kind(_ phase: TransportPhase, _ transfer: CurlTransfer) -> TransportError.Kind {
            switch code {
            case 3: return .unsupportedRequest
            // The scheme was known to be right, so it is the answer that is not: no status of HTTP. Of codings, libcurl
            // is only left those of the transfer.
            case 1, 8, 61: return .invalidResponse
            case 5, 6: return .cannotResolveHost
            case 7, 45, 97: return .cannotConnect
            case 28: return .timedOut
            case 35, 51, 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91, 98: return .secureConnectionFailed
            case 27, 100: return transfer.course.headBytes > 0 && phase < .receiving ? .headTooLarge : .other
            case 16, 18, 52, 55, 92, 95, 96: return .connectionLost
            // A proxy that refuses a tunnel.
            case 56 where phase.isBeforeSending: return .cannotConnect
            case 56: return .connectionLost
            // A field that libcurl cannot read, which it calls an argument that is not right.
            case 43 where phase == .waiting: return .invalidResponse
            default: return .other
            }
        }
    }
#endif
