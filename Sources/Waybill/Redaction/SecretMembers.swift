import WaybillSystem

/// The removal of the values of secret keys of JSON, and of the secrets of URLs; everything else stays as it is.
///
/// The text need not be one document, nor valid: it may be a stream of them, events that have JSON in them, or the
/// beginning of a document. Strings are searched too, since servers write JSON and signed URLs into them.
package enum SecretMembers {
    /// Returns the text without secret values: texts become marks and numbers 0, so that the types stay.
    package static func removed(from text: String, _ names: SecretNameSet) -> String { split(text, names).text }

    /// Returns the text without secret values, and these values.
    package static func split(_ text: String, _ names: SecretNameSet) -> (text: String, values: [String]) {
        split(text, names, depth: deepestString)
    }

    /// Returns bytes without secret values, and these values: of a text in another encoding of ASCII than UTF-8, or of
    /// a body that is text in part.
    package static func split(bytes: Data, _ names: SecretNameSet) -> (bytes: Data, values: [String]) {
        var reader = SecretMemberReader(Array(bytes), names, depth: deepestString)
        guard !reader.findsNothing else { return (bytes, []) }
        let (kept, values) = reader.split()
        return (kept.map { Data($0) } ?? bytes, values)
    }

    /// Whether a string may contain a secret: JSON, or the item or the password of a URL.
    package static func mayHaveSecrets(_ text: String) -> Bool {
        text.withBytes { $0.contains { isSign($0) } }
    }

    /// Whether a byte is a sign of JSON, of an item, or of the user of a URL.
    private static func isSign(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "=") || byte == UInt8(ascii: "@")
    }

    /// The number of strings within strings that are searched; one that is deeper is removed.
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
