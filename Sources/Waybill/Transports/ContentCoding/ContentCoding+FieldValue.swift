#if os(Linux)
    import Foundation

    extension ContentCoding {
        /// More are sent by nobody who means well: each can multiply what the one before it has given.
        static let maximumCount = 5

        /// The codings that a `Content-Encoding` names, in the order in which they were applied; none where it says
        /// `identity` only.
        ///
        /// - Parameter fieldValue: a list of names in any case; `x-gzip` is `gzip` (RFC 9110, section 8.4.1.3).
        /// - Returns: nil where one of them is unknown, or its library is not here: the body can only be left as it is.
        /// - Throws: ``TransportError`` of kind ``TransportError/Kind/invalidResponse`` where there are more than
        ///   ``maximumCount``.
        static func codings(of fieldValue: String) throws(TransportError) -> [Self]? {
            let blanks = CharacterSet(charactersIn: " \t")
            let names = fieldValue.split(separator: ",")
                .map { $0.trimmingCharacters(in: blanks).asciiLowercased }
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
