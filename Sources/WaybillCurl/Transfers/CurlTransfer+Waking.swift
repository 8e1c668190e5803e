#if os(Linux)
    internal import CWaybill
    import WaybillSystem

    extension CurlTransfer {
        /// The time without received bytes after which libcurl is asked for bytes it has kept.
        static let patience = Duration.milliseconds(200)

        /// Whether libcurl may forget a part of the body that it has read from the socket: version 7.88 does, over
        /// HTTP/2 without TLS.
        var mayBeForgotten: Bool {
            CurlLibrary.losesSharedConnections && version == .http2 && !request.target.isSecure
        }

        /// Lets libcurl look for bytes that it has read and not passed on, if none came for a while.
        ///
        /// To stop and continue makes it look at the connection, whether or not there is something on the socket. A
        /// server that is silent costs one look in each interval.
        ///
        /// - Parameters:
        ///   - now: the time.
        ///   - next: the time of the next check, which is moved to an earlier one if necessary.
        /// - Returns: whether libcurl has to act.
        func wake(at now: ContinuousTime, next: inout ContinuousTime) -> Bool {
            let isPaused = loopState.isHeldByControl || loopState.isReceivingPaused || loopState.isSendingPaused
            guard mayBeForgotten, !isPaused, case .inFlight(let handle) = loopState.admission else { return false }
            next = min(next, now.after(Self.patience))
            guard loopState.isHeadComplete, max(loopState.activity, loopState.waking).after(Self.patience) <= now else {
                return false
            }
            loopState.waking = now
            _ = waybill_curl_pause(handle.easy, Int32(WAYBILL_CURL_PAUSE_RECEIVE))
            _ = waybill_curl_pause(handle.easy, 0)
            return true
        }
    }
#endif
