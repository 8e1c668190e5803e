#if os(Linux)
    import Dispatch
    import WaybillHTTP
    import WaybillSystem
    import WaybillTransports

    extension CurlTransfer {
        /// Whether requests to the origin share connections, as shown by the response; nil if unknown.
        var sharesConnections: Bool? {
            version != .http1 && loopState.isHeadComplete ? !loopState.ownsConnection : nil
        }

        /// The state of a transfer that only its loop uses.
        struct LoopState {
            /// The state of a transfer in its loop.
            enum Admission {
                case outside
                case inFlight(CurlHandle)
                case over
            }

            var admission = Admission.outside
            /// The slot among the requests in flight of all loops; nil once the transfer has left.
            var slot: CurlSession.Scheduler.Slot?
            var index = 0
            var isTouched = false

            /// The socket that libcurl last waited for.
            var socket: Int32?

            /// The time at which the transfer was added to libcurl, and that of the last activity on its connection.
            var start = ContinuousTime.zero
            var activity = ContinuousTime.zero
            /// The time at which libcurl was last made to check for undelivered bytes.
            var waking = ContinuousTime.zero

            /// The number of times that the request was sent.
            var sendings = 0
            /// The connection on which the request was last sent, and its stream there.
            var ends: CurlConnectionEnds?
            var stream: Int?
            /// Whether the server has signaled that it did not process the last request sent, as HTTP/2 allows.
            var isUnprocessed = false
            /// The number of times that the transfer was restarted.
            var repetitions = 0
            /// Whether the whole request has been sent.
            var isSent = false
            /// Whether the loop waits for the caller to read, or to produce bytes.
            var isReceivingPaused = false
            var isSendingPaused = false
            var isHeldByControl = false
            /// Whether the transfer can be removed from libcurl at once.
            var isStoppable = true

            /// The error with which a callback stopped the transfer.
            var failure: TransportError?

            var lines: [UInt8] = []
            var headBytes = 0
            var bodyBytes = 0
            var status = 0
            var isHeadComplete = false
            /// Whether the transfer opens a connection although it could share one.
            var opensConnection = false
            /// Whether the connection serves only this transfer, because it does not use HTTP/2.
            var ownsConnection = false
            var framing = FramingFields()
            /// The decoder of a body with the chunked transfer coding.
            var chunks: ChunkedDecoder?
            /// Whether the head and the whole body have arrived, if the head declares where the body ends.
            var isComplete = false
        }
    }

    /// A time on a monotonic clock, in nanoseconds.
    struct ContinuousTime: Comparable, Sendable {
        static let zero = Self(nanoseconds: 0)
        static let never = Self(nanoseconds: .max)

        var nanoseconds: UInt64

        static var now: Self { Self(nanoseconds: DispatchTime.now().uptimeNanoseconds) }

        static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

        /// Returns the time after a duration; `never` if the duration is nil.
        func after(_ duration: Duration?) -> Self {
            guard let duration else { return .never }
            let (seconds, attoseconds) = duration.components
            guard seconds >= 0, attoseconds >= 0 else { return self }
            let (product, overflows) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
            let (sum, overflowsToo) = product.addingReportingOverflow(UInt64(attoseconds / 1_000_000_000))
            let (result, isPast) = nanoseconds.addingReportingOverflow(sum)
            return overflows || overflowsToo || isPast ? .never : Self(nanoseconds: result)
        }

        /// Returns the milliseconds from a time until this one, rounded up.
        func milliseconds(from now: Self) -> Int32 {
            guard self > now else { return 0 }
            return Int32(clamping: (nanoseconds - now.nanoseconds) / 1_000_000 + 1)
        }
    }
#endif
