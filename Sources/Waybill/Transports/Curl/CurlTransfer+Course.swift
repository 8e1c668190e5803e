#if os(Linux)
    import Foundation

    extension CurlTransfer {
        /// Where the loop has a transfer, and what it has seen of it.
        struct Course {
            /// Where the loop has it.
            enum Place {
                case outside
                case waiting(InFlightLimit<String, CurlTransfer>.Ticket)
                case inFlight(CurlHandle)
                case over
            }

            var place = Place.outside
            /// Its place among those whose whole time is limited.
            var deadline: DeadlineLine<CurlTransfer>.Ticket?
            var index = 0
            var isTouched = false

            /// The socket for which libcurl waited last.
            var socket: Int32?

            /// When it was given to libcurl, and when something last went over the connection.
            var start = ContinuousTime.zero
            var activity = ContinuousTime.zero

            /// How often it was sent.
            var sendings = 0
            /// Whether nothing more is to be sent.
            var isSent = false
            /// Whether the loop waits for the caller: to read, or to give bytes.
            var isReceivingPaused = false
            var isSendingPaused = false
            var isHeldByControl = false
            var controlObserver: Int?
            /// Whether it can be taken from libcurl at once.
            var isStoppable = true

            /// Why a callback stopped it.
            var failure: TransportError?

            var lines: [UInt8] = []
            var headBytes = 0
            var bodyBytes = 0
            var status = 0
            var isHeadComplete = false
            var framing = FramingFields()
            /// The decoder of a body in chunks.
            var chunks: ChunkedDecoder?
            /// Whether the head and all of the body are there, as far as the head says where that ends.
            var isComplete = false
        }
    }

    /// Nanoseconds of a clock that goes on evenly.
    struct ContinuousTime: Comparable, Sendable {
        static let zero = Self(nanoseconds: 0)
        static let never = Self(nanoseconds: .max)

        var nanoseconds: UInt64

        static var now: Self { Self(nanoseconds: DispatchTime.now().uptimeNanoseconds) }

        static func < (left: Self, right: Self) -> Bool { left.nanoseconds < right.nanoseconds }

        /// The time after a while; never where there is none.
        func after(_ duration: Duration?) -> Self {
            guard let duration else { return .never }
            let (seconds, attoseconds) = duration.components
            guard seconds >= 0, attoseconds >= 0 else { return self }
            let (product, overflows) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
            let (sum, overflowsToo) = product.addingReportingOverflow(UInt64(attoseconds / 1_000_000_000))
            let (result, isPast) = nanoseconds.addingReportingOverflow(sum)
            return overflows || overflowsToo || isPast ? .never : Self(nanoseconds: result)
        }

        /// Whole milliseconds until then, rounded up.
        func milliseconds(from now: Self) -> Int32 {
            guard self > now else { return 0 }
            return Int32(clamping: (nanoseconds - now.nanoseconds) / 1_000_000 + 1)
        }
    }
#endif
