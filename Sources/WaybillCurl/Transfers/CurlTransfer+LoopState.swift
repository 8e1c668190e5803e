#if os(Linux)
    import Dispatch
    import WaybillHTTP
    import WaybillSystem
    import WaybillTransports

    extension CurlTransfer {
        /// Whether requests to its origin share connections, as its response has shown; nil if it has not.
        var sharesConnections: Bool? {
            version != .http1 && loopState.isHeadComplete ? !loopState.ownsConnection : nil
        }

        /// The state of a transfer that only the loop uses.
        struct LoopState {
            /// The state of a transfer in its loop.
            enum Admission {
                case outside
                case inFlight(CurlHandle)
                case over
            }

            var admission = Admission.outside
            /// Its place among the requests in flight of all loops; nil when it has left.
            var slot: CurlSession.Scheduler.Slot?
            var index = 0
            var isTouched = false

            /// The socket for which libcurl waited last.
            var socket: Int32?

            /// The time at which it was added to libcurl, and that of the last activity on its connection.
            var start = ContinuousTime.zero
            var activity = ContinuousTime.zero
            /// The time at which libcurl was last asked for what it has read.
            var waking = ContinuousTime.zero

            /// The number of times that it was sent.
            var sendings = 0
            /// The connection on which it was sent last, and its stream there.
            var ends: CurlConnectionEnds?
            var stream: Int?
            /// Whether the server has stated that it has not processed the last sending, as HTTP/2 lets it.
            var isUnprocessed = false
            /// The number of times that it was begun again.
            var repetitions = 0
            /// Whether the whole request was sent.
            var isSent = false
            /// Whether the loop waits for the caller: to read, or to produce bytes.
            var isReceivingPaused = false
            var isSendingPaused = false
            var isHeldByControl = false
            /// Whether it can be removed from libcurl at once.
            var isStoppable = true

            /// The error for which a callback stopped it.
            var failure: TransportError?

            var lines: [UInt8] = []
            var headBytes = 0
            var bodyBytes = 0
            var status = 0
            var isHeadComplete = false
            /// Whether it opens a connection although one may be shared.
            var opensConnection = false
            /// Whether no other transfer shares its connection, which is not over HTTP/2 then.
            var ownsConnection = false
            var framing = FramingFields()
            /// The decoder of a body with the chunked transfer coding.
            var chunks: ChunkedDecoder?
            /// Whether the head and the whole body have arrived, if the head declares the end.
            var isComplete = false
        }
    }

    /// A time of a monotonic clock in nanoseconds.
    struct ContinuousTime: Comparable, Sendable {
        static let zero = Self(nanoseconds: 0)
        static let never = Self(nanoseconds: .max)

        var nanoseconds: UInt64

        static var now: Self { Self(nanoseconds: DispatchTime.now().uptimeNanoseconds) }

        static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

        /// Returns the time after a duration; never without a duration.
        func after(_ duration: Duration?) -> Self {
            guard let duration else { return .never }
            let (seconds, attoseconds) = duration.components
            guard seconds >= 0, attoseconds >= 0 else { return self }
            let (product, overflows) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
            let (sum, overflowsToo) = product.addingReportingOverflow(UInt64(attoseconds / 1_000_000_000))
            let (result, isPast) = nanoseconds.addingReportingOverflow(sum)
            return overflows || overflowsToo || isPast ? .never : Self(nanoseconds: result)
        }

        /// Returns the milliseconds from a time to this one, rounded up.
        func milliseconds(from now: Self) -> Int32 {
            guard self > now else { return 0 }
            return Int32(clamping: (nanoseconds - now.nanoseconds) / 1_000_000 + 1)
        }
    }
#endif
