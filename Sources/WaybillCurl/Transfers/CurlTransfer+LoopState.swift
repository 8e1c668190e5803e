#if os(Linux)
    import Dispatch
    import WaybillHTTP
    import WaybillSystem
    import WaybillTransports

    extension CurlTransfer {
        /// Whether requests to the origin share connections, according to the response; nil if unknown.
        var sharesConnections: Bool? {
            version != .http1 && loopState.isHeadComplete ? !loopState.ownsConnection : nil
        }

        /// The part of a transfer's state that only its loop uses.
        struct LoopState {
            /// The state of a transfer in its loop.
            enum Admission {
                case outside
                case inFlight(CurlHandle)
                case over
            }

            var admission = Admission.outside
            /// The slot under the limit on requests in flight; nil once the transfer has left.
            var slot: CurlSession.Scheduler.Slot?
            /// The index in the loop's transfers.
            var index = 0
            /// Whether the transfer's results will be delivered at the end of the turn.
            var isTouched = false

            /// The socket that libcurl last waited for.
            var socket: Int32?

            /// The time at which the transfer was added to libcurl.
            var start = ContinuousTime.zero
            /// The time of the last activity on the connection.
            var activity = ContinuousTime.zero
            /// The time at which libcurl was last made to check for undelivered bytes.
            var lastWake = ContinuousTime.zero

            /// The number of times that the request has been sent.
            var sendCount = 0
            /// The connection on which the request was last sent.
            var ends: CurlConnectionEnds?
            /// The stream of the request on that connection.
            var stream: Int?
            /// Whether the server has signaled that it did not process the last request sent, which HTTP/2 allows.
            var isUnprocessed = false
            /// The number of times that the transfer has been restarted.
            var restartCount = 0
            /// Whether the whole request has been sent.
            var isSent = false
            /// Whether receiving is paused, by the control or until the caller reads.
            var isReceivingPaused = false
            /// Whether sending is paused, by the control or until the caller produces bytes or a response is read.
            var isSendingPaused = false
            var isPausedByControl = false
            /// Whether removing the transfer from libcurl has been deferred until the lookup of its host ends.
            var isRemovalDeferred = false

            /// The error because of which a callback stopped the transfer.
            var failure: TransportError?

            /// The lines of the current head or trailer section.
            var lines: [UInt8] = []
            var headBytes = 0
            var bodyBytes = 0
            var status = 0
            var isHeadComplete = false
            /// Whether the transfer opens a connection, although it could share one.
            var opensConnection = false
            /// Whether the transfer does not share its connection, which does not use HTTP/2.
            var ownsConnection = false
            var framing = FramingFields()
            /// The decoder of a chunked body.
            var chunks: ChunkedDecoder?
            /// Whether the head and the whole body have arrived, if the head declares the body's end.
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

        /// Returns the number of milliseconds from a time until this one, rounded up.
        func milliseconds(from now: Self) -> Int32 {
            guard self > now else { return 0 }
            return Int32(clamping: (nanoseconds - now.nanoseconds) / 1_000_000 + 1)
        }
    }
#endif
