import WaybillSystem

extension Resumable {
    /// A protocol of resumable uploads.
    public struct UploadProtocol: Sendable, Hashable, CustomStringConvertible {
        /// The protocols; the raw values are those of tokens.
        package enum Kind: String, Sendable, Codable {
            case draft, tus
        }

        private struct Entry: Sendable, Hashable {
            let key: String
            let value: String
        }

        package let kind: Kind
        private var entries: [Entry] = []

        private init(kind: Kind) { self.kind = kind }

        /// "Resumable Uploads for HTTP", draft-ietf-httpbis-resumable-upload-11, interop version 8.
        ///
        /// Over libcurl the creation of an upload sends the whole body, and a 104 (Upload Resumption Supported) tells
        /// the URL at which it continues. `URLSession` does not pass that response on: over it, and if a part size is
        /// declared, the upload is created without content first, which costs a round trip.
        public static let draft = Self(kind: .draft)

        /// The tus protocol, version 1.0.0 with its extension "creation", without metadata.
        public static let tus = Self(kind: .tus)

        /// Returns the tus protocol with metadata of the upload, such as `filename` and `filetype`.
        ///
        /// - Parameter metadata: the keys and values of `Upload-Metadata`, in their order. A key that is empty, is not
        ///   ASCII, has a space or a comma, or occurs twice is a declaration error.
        /// - Returns: the protocol.
        public static func tus(metadata: KeyValuePairs<String, String>) -> Self {
            var tus = Self.tus
            tus.entries = metadata.map { Entry(key: $0.key, value: $0.value) }
            return tus
        }

        /// The keys and values; nil if no key is declared.
        package var metadata: [(key: String, value: String)]? {
            entries.isEmpty ? nil : entries.map { ($0.key, $0.value) }
        }

        /// The keys that occur more than once.
        var repeatedKeys: [String] {
            entries.enumerated().compactMap { index, entry in
                entries[..<index].contains { $0.key.hasSameBytes(as: entry.key) } ? entry.key : nil
            }
        }

        /// The field value of the metadata: each value in Base64.
        private var metadataField: String {
            entries.map { entry in
                let value = Data(entry.value.utf8).base64EncodedString()
                return value.isEmpty ? entry.key : "\(entry.key) \(value)"
            }.joined(separator: ",")
        }

        /// Returns the fields of the request that creates an upload.
        ///
        /// - Parameters:
        ///   - length: the number of bytes of the upload.
        ///   - isComplete: whether the request has all of them.
        /// - Returns: the names and values, in their order.
        package func creationFields(length: Int, isComplete: Bool) -> [(HTTPField.Name, String)] {
            switch kind {
            case .draft:
                return [
                    (.uploadDraftInteropVersion, "8"), (.uploadComplete, isComplete ? "?1" : "?0"),
                    (.uploadLength, "\(length)"),
                ]
            case .tus:
                let fields: [(HTTPField.Name, String)] = [(.tusResumable, "1.0.0"), (.uploadLength, "\(length)")]
                return entries.isEmpty ? fields : fields + [(.uploadMetadata, metadataField)]
            }
        }

        /// Whether the request that creates an upload can have content.
        package var createsWithContent: Bool { kind == .draft }

        /// The name of the protocol.
        public var description: String { kind.rawValue }
    }
}
