/// Detection of value boundaries in the bytes of a valid document.
enum ValueBounds {
    /// Returns the end offset of a JSON value; nil if the bytes end within the value.
    static func endOfValue<Bytes: RandomAccessCollection<UInt8>>(
        in bytes: Bytes,
        from start: Int
    ) -> Int? where Bytes.Index == Int {
        var depth = 0
        var index = start
        while index < bytes.endIndex {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                guard let end = endOfString(in: bytes, from: index) else { return nil }
                index = end
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                index += 1
                continue
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                index += 1
            case UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: " "), 0x09, 0x0A, 0x0D:
                index += 1
                continue
            default:
                while index < bytes.endIndex, !isDelimiter(bytes[index]) { index += 1 }
            }
            if depth <= 0 { return depth == 0 ? index : nil }
        }
        return nil
    }

    /// Returns the end offset of a string; nil if the bytes end within the string.
    static func endOfString<Bytes: RandomAccessCollection<UInt8>>(
        in bytes: Bytes,
        from start: Int
    ) -> Int? where Bytes.Index == Int {
        var index = start + 1
        while index < bytes.endIndex {
            switch bytes[index] {
            case UInt8(ascii: "\""): return index + 1
            case UInt8(ascii: "\\"): index += 2
            default: index += 1
            }
        }
        return nil
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: " "), 0x09, 0x0A, 0x0D: true
        default: false
        }
    }
}
