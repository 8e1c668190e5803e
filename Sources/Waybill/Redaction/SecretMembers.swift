import WaybillSystem

/// A namespace for functions that remove secrets from JSON and URLs in text, leaving everything else unchanged.
///
/// The text does not have to be a single valid document: it can be a stream of documents, events containing JSON, or
/// the beginning of a document. Strings are searched too, because servers embed JSON and signed URLs in them.
package enum SecretMembers {
    /// Returns the text without secret values.
    ///
    /// Strings are replaced by a redaction mark and numbers by 0, which preserves their types.
    package static func removed(from text: String, _ names: SecretNameSet) -> String { split(text, names).text }

    /// Returns the text without secret values, and the removed values.
    package static func split(_ text: String, _ names: SecretNameSet) -> (text: String, values: [String]) {
        split(text, names, depth: deepestString)
    }

    /// Returns bytes without secret values, and the removed values.
    ///
    /// The bytes can be text in an ASCII-compatible encoding other than UTF-8, or a body that is only partly text.
    package static func split(bytes: Data, _ names: SecretNameSet) -> (bytes: Data, values: [String]) {
        var reader = SecretMemberReader(Array(bytes), names, depth: deepestString)
        guard !reader.findsNothing else { return (bytes, []) }
        let (kept, values) = reader.split()
        return (kept.map { Data($0) } ?? bytes, values)
    }

    /// Whether a string may contain a secret: in JSON, in a query item, or in the user info of a URL.
    package static func mayHaveSecrets(_ text: String) -> Bool {
        text.withBytes { $0.contains { isSign($0) } }
    }

    /// Whether a byte indicates JSON, a query item, or user info.
    private static func isSign(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "=") || byte == UInt8(ascii: "@")
    }

    /// The maximum nesting depth for searching strings within strings.
    ///
    /// Deeper strings that may contain secrets are redacted entirely.
    private static let deepestString = 4

    static func split(
        _ text: String,
        _ names: SecretNameSet,
        depth: Int
    ) -> (text: String, values: [String]) {
        guard text.withBytes({ $0.contains { isSign($0) || 0x30...0x39 ~= $0 } }) else { return (text, []) }
        var reader = SecretMemberReader(Array(text.utf8), names, depth: depth)
        guard !reader.findsNothing else { return (text, []) }
        let (kept, values) = reader.split()
        return (kept.map { String(decoding: $0, as: UTF8.self) } ?? text, values)
    }
}
