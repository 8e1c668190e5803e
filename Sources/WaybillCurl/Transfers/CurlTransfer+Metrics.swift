#if os(Linux)
    internal import CWaybill
    import WaybillHTTP
    import WaybillTransports

    extension CurlTransfer {
        /// Records libcurl's measurements so far, if they are needed.
        func measure(_ handle: CurlHandle, isAtEnd: Bool = false) {
            guard let metrics else { return }
            let easy = handle.easy
            let isReused = waybill_curl_fact_of(easy, WAYBILL_CURL_NUM_CONNECTS) == 0
            var measured = TransferReport.Metrics()
            // libcurl also fills in the times of steps that a reused connection skips.
            if !isReused {
                measured.nameLookup = request.target.socketPath == nil ? handle.time(WAYBILL_CURL_NAMELOOKUP_TIME) : nil
                measured.connect = handle.time(WAYBILL_CURL_CONNECT_TIME)
                measured.secure = handle.time(WAYBILL_CURL_APPCONNECT_TIME)
            }
            measured.firstByte = handle.time(WAYBILL_CURL_STARTTRANSFER_TIME)
            measured.protocolVersion = Self.version(waybill_curl_fact_of(easy, WAYBILL_CURL_HTTP_VERSION_USED))
            // Without a head there may have been no connection.
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
