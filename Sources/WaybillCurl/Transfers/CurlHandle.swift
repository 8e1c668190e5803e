#if os(Linux)
    internal import CWaybill
    import WaybillHTTP
    import WaybillSystem
    import WaybillTransports

    /// A libcurl easy handle for a single transfer, used only in the loop's turn.
    ///
    /// Handles are not reused, because they retain state of earlier transfers: versions 7.83 to 8.0 write into freed
    /// memory if a later response starts with a folded field (curl issue 11101), and all versions count the retries of
    /// one transfer toward those of the next. A new handle costs 1 µs more.
    final class CurlHandle {
        let easy: waybill_curl_easy
        private let errorText: UnsafeMutablePointer<CChar>
        private var fields: OpaquePointer?

        /// Creates a handle with the options common to all requests; returns nil if memory cannot be allocated.
        init?(_ configuration: CurlTransport.Configuration) {
            guard let easy = waybill_curl_easy_init() else { return nil }
            self.easy = easy
            errorText = .allocate(capacity: 256)
            errorText.initialize(repeating: 0, count: 256)
            setUp(configuration)
        }

        deinit {
            waybill_curl_easy_cleanup(easy)
            waybill_curl_slist_free(fields)
            errorText.deallocate()
        }

        /// Prepares the handle for its request.
        ///
        /// - Parameters:
        ///   - request: the request.
        ///   - version: the HTTP version.
        ///   - context: the pointer that libcurl passes to the callbacks.
        /// - Returns: the code of the first option rejected by libcurl; 0 if all are accepted.
        func prepare(
            _ request: CurlRequest,
            _ version: CurlTransport.Versions.Version,
            context: UnsafeMutableRawPointer
        ) -> Int32 {
            setFields(request.fields)
            let number = Self.number(of: version, isSecure: request.target.isSecure)
            var codes = [
                waybill_curl_set_context(easy, context),
                waybill_curl_set_text(easy, WAYBILL_CURL_URL, request.target.url),
                waybill_curl_set_number(easy, WAYBILL_CURL_HTTP_VERSION, number),
            ]
            if CurlLibrary.canStopLookups {
                // Over TLS, the handshake of the first connection shows whether requests can share it. Without TLS,
                // only its first response shows this, and all other requests would have to wait.
                let waits = version == .http1 || !request.target.isSecure ? 0 : 1
                codes.append(waybill_curl_set_number(easy, WAYBILL_CURL_PIPEWAIT, waits))
            }
            if version == .http2, !request.target.isSecure {
                // Through a proxy, libcurl would use HTTP/1.1 and trust a status line with another version.
                codes.append(waybill_curl_set_text(easy, WAYBILL_CURL_PROXY, ""))
            }
            if let path = request.target.socketPath {
                codes.append(waybill_curl_set_text(easy, WAYBILL_CURL_UNIX_SOCKET_PATH, path))
                codes.append(waybill_curl_set_text(easy, WAYBILL_CURL_PROXY, ""))
            }
            if !request.isIdempotent, !CurlLibrary.reportsSending {
                // libcurl does not resend a request that was sent on a new connection.
                codes.append(waybill_curl_set_number(easy, WAYBILL_CURL_FRESH_CONNECT, 1))
            }
            if request.method == .get, case .none = request.body { return codes.first { $0 != 0 } ?? 0 }
            codes += setMethod(of: request)
            return codes.first { $0 != 0 } ?? 0
        }

        /// Returns libcurl's number for a version.
        ///
        /// Without TLS and prior knowledge, it must not be HTTP/2: after a status line with that version, libcurl would
        /// send further requests on connections with outstanding responses.
        private static func number(of version: CurlTransport.Versions.Version, isSecure: Bool) -> Int {
            switch version {
            case .http1: Int(WAYBILL_CURL_HTTP_1_1)
            case .http2: Int(isSecure ? WAYBILL_CURL_HTTP_2_OVER_TLS : WAYBILL_CURL_HTTP_2_PRIOR_KNOWLEDGE)
            case .http3: Int(WAYBILL_CURL_HTTP_3)
            }
        }

        /// Enables or disables libcurl's verbose messages.
        func setVerbose(_ isVerbose: Bool) {
            _ = waybill_curl_set_number(easy, WAYBILL_CURL_VERBOSE, isVerbose ? 1 : 0)
        }

        /// Returns the local port of a socket; 0 if it has none.
        static func localPort(of socket: Int32) -> Int32 { waybill_curl_local_port(socket) }

        /// Returns libcurl's description of the last error.
        func text(of code: Int32) -> String {
            let text = errorText[0] == 0 ? "" : String(cString: errorText)
            if !text.isEmpty { return text }
            return waybill_curl_error_text(code).map(String.init(cString:)) ?? "error \(code)"
        }

        /// Returns the time from the start of the transfer to an event; nil if the event has not happened.
        func time(_ time: waybill_curl_time) -> Duration? {
            let microseconds = waybill_curl_time_of(easy, time)
            return microseconds > 0 ? .microseconds(microseconds) : nil
        }

        private func setMethod(of request: CurlRequest) -> [Int32] {
            let method = request.method
            var codes: [Int32] = []
            switch request.body {
            case .none where method == .head: return [waybill_curl_set_number(easy, WAYBILL_CURL_NOBODY, 1)]
            case .none where !request.declaresEmptyBody: break
            case .none:
                codes.append(waybill_curl_set_number(easy, WAYBILL_CURL_POST, 1))
                codes.append(waybill_curl_set_size(easy, WAYBILL_CURL_POSTFIELDSIZE_LARGE, 0))
                codes.append(waybill_curl_set_text(easy, WAYBILL_CURL_COPYPOSTFIELDS, ""))
            case .small(let bytes):
                codes.append(waybill_curl_set_number(easy, WAYBILL_CURL_POST, 1))
                codes.append(waybill_curl_set_size(easy, WAYBILL_CURL_POSTFIELDSIZE_LARGE, Int64(bytes.count)))
                bytes.withUnsafeBytes { memory in
                    let start = memory.bindMemory(to: CChar.self).baseAddress
                    codes.append(waybill_curl_set_text(easy, WAYBILL_CURL_COPYPOSTFIELDS, start))
                }
            case .upload(let upload):
                codes.append(waybill_curl_set_number(easy, WAYBILL_CURL_UPLOAD, 1))
                // The size of a TLS record, because a response may arrive between two records.
                if request.target.isSecure {
                    codes.append(waybill_curl_set_number(easy, WAYBILL_CURL_UPLOAD_BUFFERSIZE, 16 * 1024))
                }
                codes.append(waybill_curl_set_size(easy, WAYBILL_CURL_INFILESIZE_LARGE, Int64(upload.length ?? -1)))
            }
            codes.append(waybill_curl_set_text(easy, WAYBILL_CURL_CUSTOMREQUEST, method.rawValue))
            return codes
        }

        private func setFields(_ lines: [String]) {
            for line in lines {
                // libcurl copies the line, whose value may contain bytes that are not UTF-8.
                let bytes = FieldText.bytes(of: line).map { CChar(bitPattern: $0) } + [0]
                guard let longer = waybill_curl_slist_append(fields, bytes) else { continue }
                fields = longer
            }
            _ = waybill_curl_set_fields(easy, fields)
        }

        private func setUp(_ configuration: CurlTransport.Configuration) {
            _ = waybill_curl_set_callbacks(easy, CurlCallbacks.table)
            _ = waybill_curl_set_error_buffer(easy, errorText)
            let seconds = configuration.connections.idleLifetime.components.seconds
            for (option, value) in [
                (WAYBILL_CURL_NOSIGNAL, 1), (WAYBILL_CURL_PROTOCOLS, Int(WAYBILL_CURL_HTTP_AND_HTTPS)),
                (WAYBILL_CURL_PATH_AS_IS, 1), (WAYBILL_CURL_SUPPRESS_CONNECT_HEADERS, 1),
                (WAYBILL_CURL_CONNECTTIMEOUT_MS, Self.milliseconds(configuration.timeouts.connect)),
                (WAYBILL_CURL_MAXAGE_CONN, Int(clamping: max(1, seconds))),
                // ``ChunkedDecoder`` decodes chunked bodies.
                (WAYBILL_CURL_HTTP_TRANSFER_DECODING, 0),
            ] {
                _ = waybill_curl_set_number(easy, option, value)
            }
            if configuration.connections.idle <= 0 {
                _ = waybill_curl_set_number(easy, WAYBILL_CURL_FORBID_REUSE, 1)
            }
            if CurlLibrary.canStopLookups {
                _ = waybill_curl_set_number(easy, WAYBILL_CURL_QUICK_EXIT, 1)
            }
            CurlSecurity.apply(configuration, to: easy)
        }

        /// Returns a time limit in milliseconds, clamped from 1 to 2^30 (about 12 days); nil becomes 2^30.
        ///
        /// libcurl replaces 0 with its default.
        private static func milliseconds(_ duration: Duration?) -> Int {
            guard let (seconds, attoseconds) = duration?.components else { return 1 << 30 }
            let milliseconds = seconds.multipliedReportingOverflow(by: 1000)
            guard !milliseconds.overflow else { return 1 << 30 }
            return Int(min(max(1, milliseconds.partialValue + attoseconds / 1_000_000_000_000_000), 1 << 30))
        }
    }
#endif
