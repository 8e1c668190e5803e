#if os(Linux)
    internal import CWaybill

    /// A content coding that can be undone, if the system has the library for it (RFC 9110, section 8.4.1).
    enum ContentCoding: String, Sendable, Hashable, CaseIterable {
        /// RFC 1952.
        case gzip
        /// RFC 1950, or RFC 1951 alone, which servers send by the same name.
        case deflate
        /// RFC 7932.
        case brotli = "br"
        /// RFC 8878, with the window of RFC 9659: 8 MiB at most.
        case zstd

        /// Those whose libraries are here, in the order in which they are offered.
        static let supported: [Self] = allCases.filter(\.isSupported)

        /// What `Accept-Encoding` says for them, such as `gzip, deflate, br, zstd`; nil where there is none.
        static let acceptEncoding: String? =
            supported.isEmpty ? nil : supported.map(\.rawValue).joined(separator: ", ")

        /// Whether its library is here; the first to ask loads it.
        var isSupported: Bool { cwaybill_decoder_is_available(libraryCoding) }

        /// The same coding by the name that the C module has for it.
        var libraryCoding: CWaybillCoding {
            switch self {
            case .gzip: .gzip
            case .deflate: .deflate
            case .brotli: .brotli
            case .zstd: .zstd
            }
        }
    }
#endif
