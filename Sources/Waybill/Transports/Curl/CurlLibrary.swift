#if os(Linux)
    internal import CWaybill

    /// The libcurl of the system, loaded when it is first asked for and kept for as long as the process lives.
    enum CurlLibrary {
        /// Why there is none, in words; nil where there is one.
        static let failure: String? = load(nil)

        /// Its version: 0x074200 for 7.66.0.
        static let versionNumber = failure == nil ? waybill_curl_version_number() : 0

        /// Its version as text: `7.66.0`.
        static let version = failure == nil ? waybill_curl_version().map(String.init(cString:)) ?? "" : ""

        /// Whether it says when a request goes out, so that one can be kept from going out twice.
        static var tellsWhenSending: Bool { versionNumber >= 0x075000 }

        /// Whether a transfer can be stopped while its host is looked up, without waiting for the answer.
        static var stopsLookups: Bool { versionNumber >= 0x075700 }

        /// Whether certificates can be given as bytes.
        static var takesCertificatesAsBytes: Bool { versionNumber >= 0x074D00 }

        /// Tries a library by its name, or where there is none the one that is used.
        ///
        /// - Returns: why it cannot be used; nil where it can.
        static func load(_ name: String?) -> String? {
            let reason = name.map { waybill_curl_load($0) } ?? waybill_curl_load(nil)
            return reason.map(String.init(cString:))
        }
    }
#endif
