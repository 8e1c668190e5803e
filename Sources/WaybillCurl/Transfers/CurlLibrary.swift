#if os(Linux)
    internal import CWaybill
    import WaybillHTTP
    import WaybillTransports

    /// The system's libcurl, loaded at first use until the process ends.
    enum CurlLibrary {
        /// The reason why libcurl cannot be used; nil if it can.
        static let failure: String? = load(nil)

        /// The version as a number, such as 0x074200 for 7.66.0.
        static let versionNumber = failure == nil ? waybill_curl_version_number() : 0

        /// The version as text, such as `7.66.0`.
        static let version = failure == nil ? waybill_curl_version().map(String.init(cString:)) ?? "" : ""

        /// Whether a second transfer over an HTTP/2 connection without TLS fails, as in version 7.88 (curl/curl#10634).
        static var losesSharedConnections: Bool { 0x075800...0x0758FF ~= versionNumber }

        /// Whether libcurl reports that it is about to send a request, so that resending can be prevented.
        static var reportsSending: Bool { versionNumber >= 0x075000 }

        /// Whether a transfer can be stopped while its host is being resolved, without waiting for the result.
        static var canStopLookups: Bool { versionNumber >= 0x075700 }

        /// Whether certificates can be provided as bytes.
        static var acceptsCertificateBytes: Bool { versionNumber >= 0x074D00 }

        /// Returns the error for a missing or unusable libcurl.
        static func unavailable(_ reason: String) -> TransportError {
            TransportError(
                .unavailable,
                "\(reason); install libcurl: the package is libcurl4 on Debian and Ubuntu (libcurl4t64 from 24.04 on), "
                    + "and libcurl on Fedora, Amazon Linux and Alpine"
            )
        }

        /// Tries to load a library.
        ///
        /// - Parameter name: the file name of the library; nil for the default one.
        /// - Returns: the reason why it cannot be used; nil if it can.
        static func load(_ name: String?) -> String? {
            let reason = name.map { waybill_curl_load($0) } ?? waybill_curl_load(nil)
            return reason.map(String.init(cString:))
        }
    }
#endif
