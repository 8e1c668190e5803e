#if os(Linux)
    import WaybillHTTP
    import WaybillSystem
    import WaybillTransports

    extension ContentCoding {
        /// The most codings of a body: each can multiply the size of the one before, and no honest server sends more.
        static let maximumCount = 5

        /// Parses the codings of a `Content-Encoding` field, in the order in which they were applied.
        ///
        /// - Parameter fieldValue: a list of names in any case; `x-gzip` is `gzip` (RFC 9110, section 8.4.1.3).
        /// - Returns: the codings, none for `identity` alone; nil if one of them is unknown, or its library is missing:
        ///   the body can only be left as it is.
        /// - Throws: `TransportError` of kind `TransportError.Kind.invalidResponse` if there are more than
        ///   ``maximumCount``.
        static func codings(of fieldValue: String) throws(TransportError) -> [Self]? {
            let names = fieldValue.split(separator: ",")
                .map { $0.trimmed().asciiLowercased }
                .filter { !$0.isEmpty }
            guard names.count <= maximumCount else {
                throw TransportError(
                    .invalidResponse,
                    "Content-Encoding names \(names.count) codings, and \(maximumCount) at most are undone"
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
