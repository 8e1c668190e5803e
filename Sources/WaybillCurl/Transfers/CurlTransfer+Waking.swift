#if os(Linux)
    internal import CWaybill
    import WaybillSystem

    extension CurlTransfer {
        /// The time without received bytes after which libcurl is made to check for undelivered ones.
        static let stallInterval = Duration.milliseconds(200)

        /// Whether libcurl may fail to deliver bytes that it has read from the socket, like version 7.88 over HTTP/2
        /// without TLS.
        var mayStall: Bool {
            CurlLibrary.losesSharedConnections && version == .http2 && !request.target.isSecure
        }

        /// Makes libcurl check for undelivered bytes if none have arrived for a while.
        ///
        /// Pausing and resuming a transfer makes libcurl process its connection, even if the socket is not readable.
        /// While a server is silent, this costs one check per interval.
        ///
        /// - Parameters:
        ///   - now: the current time.
        ///   - next: the time of the next check, which is moved up if necessary.
        /// - Returns: true if libcurl must act now.
        func wake(at now: ContinuousTime, next: inout ContinuousTime) -> Bool {
            let isPaused = loopState.isPausedByControl || loopState.isReceivingPaused || loopState.isSendingPaused
            guard mayStall, !isPaused, case .inFlight(let handle) = loopState.admission else { return false }
            next = min(next, now.after(Self.stallInterval))
            let lastCheck = max(loopState.activity, loopState.lastWake)
            guard loopState.isHeadComplete, lastCheck.after(Self.stallInterval) <= now else { return false }
            loopState.lastWake = now
            _ = waybill_curl_pause(handle.easy, Int32(WAYBILL_CURL_PAUSE_RECEIVE))
            _ = waybill_curl_pause(handle.easy, 0)
            return true
        }
    }
#endif
