import WaybillSystem

extension UUID {
    /// The UUID in lower case with hyphens, as RFC 9562, section 4, wants it written; Foundation's text is in upper
    /// case.
    package var lowercaseText: String {
        withUnsafeBytes(of: uuid) { bytes in
            // In place: a path with a UUID costs one allocation for it.
            String(unsafeUninitializedCapacity: 36) { text in
                var end = 0
                for (index, byte) in bytes.enumerated() {
                    if index == 4 || index == 6 || index == 8 || index == 10 {
                        text[end] = UInt8(ascii: "-")
                        end += 1
                    }
                    text[end] = Self.digit(byte >> 4)
                    text[end + 1] = Self.digit(byte & 15)
                    end += 2
                }
                return end
            }
        }
    }

    /// Returns a text in lower case if it is a UUID with hyphens, so that both spellings compare as one.
    package static func normalized(_ text: String) -> String {
        guard text.utf8.count == 36, let uuid = UUID(uuidString: text) else { return text }
        return uuid.lowercaseText
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    /// Whether a JSON text has a string that is a UUID with a letter in upper case.
    static func isUppercase(in json: Data) -> Bool {
        json.withUnsafeBytes { bytes in
            let quote = UInt8(ascii: "\"")
            var start = 0
            while start + 37 < bytes.count {
                // The other hyphens and the digits are looked at only if the string has the length and the first one.
                if bytes[start] == quote, bytes[start + 37] == quote, bytes[start + 9] == UInt8(ascii: "-"),
                    bytes[start + 1..<start + 37].contains(where: { (UInt8(ascii: "A")...UInt8(ascii: "F")) ~= $0 }),
                    UUID(uuidString: String(decoding: bytes[start + 1..<start + 37], as: UTF8.self)) != nil
                {
                    return true
                }
                start += 1
            }
            return false
        }
    }
}

extension EncodedValue {
    /// The value with its UUIDs as texts in lower case; texts of the value itself stay as they are.
    var withLowercaseUUIDs: EncodedValue {
        switch self {
        case .object(let members): .object(members.map { ($0.key, $0.value.withLowercaseUUIDs) })
        case .dictionary(let members): .dictionary(members.map { ($0.key, $0.value.withLowercaseUUIDs) })
        case .array(let elements): .array(elements.map(\.withLowercaseUUIDs))
        case .leaf(let uuid as UUID): .leaf(uuid.lowercaseText)
        case .null, .leaf: self
        }
    }
}
