import Waybill
import WaybillSystem

extension Resumable {
    /// A protocol for resumable uploads.
    public struct UploadProtocol: Sendable, Hashable, CustomStringConvertible {
        /// The kind of a protocol; tokens contain the raw value.
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
        /// With libcurl, the request that creates an upload sends the whole body, and a 104 (Upload Resumption
        /// Supported) response contains the URL for resuming it. `URLSession` does not expose that response, so with
        /// `URLSession`, or if a part size is declared, an empty upload is created first, at the cost of a round trip.
        public static let draft = Self(kind: .draft)

        /// The tus protocol, version 1.0.0, with the "creation" extension and without metadata.
        public static let tus = Self(kind: .tus)

        /// Returns the tus protocol with metadata for the upload, such as `filename` and `filetype`.
        ///
        /// - Parameter metadata: the keys and values of `Upload-Metadata`, in order. A key that is empty, not ASCII, or
        ///   repeated, or that contains a space or a comma, is a declaration error.
        /// - Returns: the protocol.
        public static func tus(metadata: KeyValuePairs<String, String>) -> Self {
            var tus = Self.tus
            tus.entries = metadata.map { Entry(key: $0.key, value: $0.value) }
            return tus
        }

        /// The declared metadata; nil if there is no metadata.
        package var metadata: [(key: String, value: String)]? {
            entries.isEmpty ? nil : entries.map { ($0.key, $0.value) }
        }

        /// The metadata keys that repeat an earlier one.
        var repeatedKeys: [String] {
            entries.enumerated().compactMap { index, entry in
                entries[..<index].contains { $0.key.hasSameBytes(as: entry.key) } ? entry.key : nil
            }
        }

        /// The `Upload-Metadata` field, with Base64-encoded values.
        private var metadataField: String {
            entries.map { entry in
                let value = Data(entry.value.utf8).base64EncodedString()
                return value.isEmpty ? entry.key : "\(entry.key) \(value)"
            }.joined(separator: ",")
        }

        /// Returns the header fields of the request that creates an upload.
        ///
        /// - Parameters:
        ///   - length: the length of the upload in bytes.
        ///   - isComplete: whether the request contains the whole upload.
        /// - Returns: the names and values, in order.
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
