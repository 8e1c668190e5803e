import WaybillSystem

extension UUID {
    /// The UUID as lowercase text with hyphens, as required by RFC 9562, section 4.
    ///
    /// Foundation writes UUIDs in uppercase.
    package var lowercaseText: String {
        withUnsafeBytes(of: uuid) { bytes in
            // Writing in place keeps a UUID in a path to a single allocation.
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

    /// Returns a hyphenated UUID in lowercase for case-insensitive comparison; returns other text unchanged.
    package static func normalized(_ text: String) -> String {
        guard text.utf8.count == 36, let uuid = UUID(uuidString: text) else { return text }
        return uuid.lowercaseText
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
