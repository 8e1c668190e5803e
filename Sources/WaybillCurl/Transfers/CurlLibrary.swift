#if os(Linux)
    internal import CWaybill
    import WaybillHTTP
    import WaybillTransports

    /// The libcurl of the system, which is loaded at the first use and stays until the process ends.
    enum CurlLibrary {
        /// The reason for which libcurl cannot be used; nil if it can.
        static let failure: String? = load(nil)

        /// The version as a number: 0x074200 for 7.66.0.
        static let versionNumber = failure == nil ? waybill_curl_version_number() : 0

        /// The version as a text: `7.66.0`.
        static let version = failure == nil ? waybill_curl_version().map(String.init(cString:)) ?? "" : ""

        /// Whether a second transfer over a connection of HTTP/2 without TLS fails: curl/curl#10634, in 7.88.
        static var losesSharedConnections: Bool { 0x075800...0x0758FF ~= versionNumber }

        /// Whether libcurl reports that a request is about to be sent, so that a second sending can be prevented.
        static var tellsWhenSending: Bool { versionNumber >= 0x075000 }

        /// Whether a transfer can be stopped while its host is being resolved, without waiting for the result.
        static var stopsLookups: Bool { versionNumber >= 0x075700 }

        /// Whether certificates can be set as bytes.
        static var takesCertificatesAsBytes: Bool { versionNumber >= 0x074D00 }

        /// Returns the error of a process without a usable libcurl.
        static func unavailable(_ reason: String) -> TransportError {
            TransportError(
                .unavailable,
                "\(reason); install libcurl: the package is libcurl4 on Debian and Ubuntu (libcurl4t64 from 24.04 on), "
                    + "and libcurl on Fedora, Amazon Linux and Alpine"
            )
        }

        /// Tries a library.
        ///
        /// - Parameter name: the name of the library; nil for the one that is used.
        /// - Returns: the reason for which it cannot be used; nil if it can.
        static func load(_ name: String?) -> String? {
            let reason = name.map { waybill_curl_load($0) } ?? waybill_curl_load(nil)
            return reason.map(String.init(cString:))
        }
    }
#endif
