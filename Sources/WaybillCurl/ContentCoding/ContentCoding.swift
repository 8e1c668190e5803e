#if os(Linux)
    internal import CWaybill
    import WaybillHTTP
    import WaybillSystem
    import WaybillTransports

    /// A content coding, which can be decoded if its library is installed (RFC 9110, section 8.4.1).
    package enum ContentCoding: String, Sendable, Hashable, CaseIterable {
        /// RFC 1952.
        case gzip
        /// RFC 1950, or bare RFC 1951, which some servers send under the same name.
        case deflate
        /// RFC 7932.
        case brotli = "br"
        /// RFC 8878, with a window of at most 8 MiB (RFC 9659).
        case zstd

        /// The codings whose libraries are installed, in the order of `Accept-Encoding`.
        static let supported: [Self] = allCases.filter(\.isSupported)

        /// The value of `Accept-Encoding`, such as `gzip, deflate, br, zstd`; nil if no coding is supported.
        static let acceptEncoding: String? =
            supported.isEmpty ? nil : supported.map(\.rawValue).joined(separator: ", ")

        /// Whether the library is installed; the first access loads it.
        var isSupported: Bool { cwaybill_decoder_is_available(libraryCoding) }

        /// The corresponding value of the C module.
        var libraryCoding: CWaybillCoding {
            switch self {
            case .gzip: .gzip
            case .deflate: .deflate
            case .brotli: .brotli
            case .zstd: .zstd
            }
        }
    }

    extension ContentCoding {
        /// The maximum number of codings applied to one body.
        ///
        /// Decoding each one can multiply the size of the body, and no legitimate server applies more.
        static let maximumCount = 5

        /// Parses the codings of a `Content-Encoding` field, in the order in which they were applied.
        ///
        /// - Parameter fieldValue: a list of case-insensitive names; `x-gzip` means `gzip` (RFC 9110, section 8.4.1.3).
        /// - Returns: the codings without `identity`; nil if a coding is unknown or its library is missing, in which
        ///   case the body must stay encoded.
        /// - Throws: `TransportError` of kind `TransportError.Kind.invalidResponse` if there are more than
        ///   ``maximumCount``.
        package static func codings(of fieldValue: String) throws(TransportError) -> [Self]? {
            let names = fieldValue.split(separator: ",")
                .map { $0.trimmed().asciiLowercased }
                .filter { !$0.isEmpty }
            guard names.count <= maximumCount else {
                throw TransportError(
                    .invalidResponse,
                    "Content-Encoding lists \(names.count) codings, but at most \(maximumCount) are decoded"
                )
            }
            var codings: [Self] = []
            for name in names where name != "identity" {
                guard let coding = Self(rawValue: name == "x-gzip" ? "gzip" : name), coding.isSupported else {
                    return nil
                }
                codings.append(coding)
            }
            return codings
        }
    }
#endif
