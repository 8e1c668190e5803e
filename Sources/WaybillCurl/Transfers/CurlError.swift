#if os(Linux)
    import WaybillHTTP
    import WaybillTransports

    extension CurlTransport {
        /// An error reported by libcurl.
        public struct CurlError: Error, Sendable, Hashable, CustomStringConvertible {
            /// The code, as listed at https://curl.se/libcurl/c/libcurl-errors.html.
            public let code: Int32

            /// A description of the cause.
            public let text: String

            /// The code and the cause.
            public var description: String { "libcurl error \(code): \(text)" }

            /// Returns the transport error for a request rejected by libcurl.
            func rejection(of transfer: CurlTransfer) -> TransportError {
                let kind: TransportError.Kind = [4, 27, 48].contains(code) ? .unavailable : .unsupportedRequest
                return TransportError(kind, cause(transfer).message(kind), underlying: self)
            }

            /// Returns the transport error for a failed transfer.
            ///
            /// - Parameters:
            ///   - transfer: the transfer.
            ///   - phase: the phase in which it failed.
            /// - Returns: the error.
            func failure(of transfer: CurlTransfer, phase: TransportError.Phase) -> TransportError {
                let kind = kind(phase, transfer)
                let isUnprocessed = transfer.loopState.isUnprocessed && transfer.loopState.headBytes == 0
                // If resending failed before there was a connection, the phase is wrong, because libcurl adds up the
                // times of both attempts.
                let reconnectionPhase = isUnprocessed ? kind.phaseBeforeSending : nil
                if isUnprocessed, reconnectionPhase == nil {
                    var error = TransportError(
                        .connectionLost,
                        "\(transfer.host) closed it without processing the request",
                        phase: phase,
                        underlying: self
                    )
                    error.isUnprocessed = true
                    return error
                }
                let isAborted = code == 42 && transfer.loopState.sendCount > 1
                if isAborted || code == 65 {
                    return TransportError(
                        .connectionLost,
                        "\(transfer.host) closed it without a response; the request may have been processed, and is "
                            + "not sent again",
                        phase: .waiting,
                        underlying: self
                    )
                }
                // libcurl reports no connect time if TLS fails.
                let phase = reconnectionPhase ?? (kind == .secureConnectionFailed ? max(phase, .securing) : phase)
                return TransportError(
                    kind,
                    cause(transfer).message(kind, while: phase),
                    phase: phase,
                    timeout: kind == .timedOut ? .connect : nil,
                    underlying: self
                )
            }

            private func cause(_ transfer: CurlTransfer) -> TransportCause {
                TransportCause(
                    host: transfer.host,
                    library: "libcurl",
                    text: text,
                    trustAdvice: "set tls.trust of CurlTransport.Configuration",
                    isPlain: !transfer.request.target.isSecure && transfer.request.target.socketPath == nil
                )
            }

            private func kind(_ phase: TransportError.Phase, _ transfer: CurlTransfer) -> TransportError.Kind {
                switch code {
                case 3: return .unsupportedRequest
                // The scheme has been checked, so the cause is a response without an HTTP status, or with an invalid
                // transfer coding, because libcurl handles no content codings.
                case 1, 8, 61: return .invalidResponse
                case 5, 6: return .cannotResolveHost
                case 7, 45, 97: return .cannotConnect
                case 28: return .timedOut
                case 35, 51, 53, 54, 58, 59, 60, 64, 66, 77, 80, 82, 83, 90, 91, 98: return .secureConnectionFailed
                case 27, 100: return transfer.loopState.headBytes > 0 && phase < .receiving ? .headTooLarge : .other
                case 55, 56:
                    if transfer.request.target.isSecure, phase < .receiving, cause(transfer).isHandshakeAlert {
                        return .secureConnectionFailed
                    }
                    // A proxy rejected the tunnel.
                    return code == 56 && phase.isBeforeSending ? .cannotConnect : .connectionLost
                case 16, 18, 52, 92, 95, 96: return .connectionLost
                // libcurl reports a field that it cannot parse as a bad argument.
                case 43 where phase == .waiting: return .invalidResponse
                default: return .other
                }
            }
        }
    }

    extension TransportError.Kind {
        /// The phase of a failure that can only occur before a request is sent; nil for any other kind.
        ///
        /// libcurl enforces only the time limit on connecting.
        fileprivate var phaseBeforeSending: TransportError.Phase? {
            switch self {
            case .cannotResolveHost: .resolving
            case .cannotConnect, .timedOut: .connecting
            case .secureConnectionFailed: .securing
            default: nil
            }
        }
    }
#endif
