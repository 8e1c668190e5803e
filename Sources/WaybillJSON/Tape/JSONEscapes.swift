/// The escapes of JSON strings (RFC 8259, section 7).
enum JSONEscapes {
    /// The text of a string that was found valid, its escapes resolved.
    static func resolving(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        String(unsafeUninitializedCapacity: bytes.count) { resolve(bytes, into: $0) }
    }

    /// Writes the text of a valid string as UTF-8; it never is longer than its escaped form.
    static func resolve(_ bytes: UnsafeBufferPointer<UInt8>, into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
        var output = 0
        var index = 0
        while index < bytes.count, output < buffer.count {
            let byte = bytes[index]
            index &+= 1
            guard byte == UInt8(ascii: "\\"), index < bytes.count else {
                buffer[output] = byte
                output &+= 1
                continue
            }
            let escape = bytes[index]
            index &+= 1
            switch escape {
            case UInt8(ascii: "b"): buffer[output] = 0x08
            case UInt8(ascii: "f"): buffer[output] = 0x0C
            case UInt8(ascii: "n"): buffer[output] = 0x0A
            case UInt8(ascii: "r"): buffer[output] = 0x0D
            case UInt8(ascii: "t"): buffer[output] = 0x09
            case UInt8(ascii: "u"):
                var scalar = unit(bytes, at: index)
                index &+= 4
                if scalar & 0xFC00 == 0xD800 {
                    scalar = 0x10000 &+ (scalar & 0x3FF) &<< 10 &+ unit(bytes, at: index &+ 2) & 0x3FF
                    index &+= 6
                }
                for byte in String(Unicode.Scalar(scalar) ?? "\u{FFFD}").utf8 where output < buffer.count {
                    buffer[output] = byte
                    output &+= 1
                }
                continue
            default: buffer[output] = escape
            }
            output &+= 1
        }
        return output
    }

    /// The number that four hexadecimal digits denote.
    @inline(__always)
    private static func unit(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt32 {
        guard index >= 0, index &+ 4 <= bytes.count else { return 0xFFFD }
        var value: UInt32 = 0
        for digit in bytes[index..<(index &+ 4)] {
            value = value &<< 4 | UInt32(digit & 0xF &+ (digit > 0x39 ? 9 : 0))
        }
        return value
    }

    /// The value of four hexadecimal digits; nil where there is another character.
    @inline(__always)
    static func validUnit(_ bytes: UnsafePointer<UInt8>, at index: Int) -> UInt32? {
        var value: UInt32 = 0
        for place in index..<(index &+ 4) {
            let byte = bytes[place]
            switch byte {
            case 0x30...0x39: value = value &<< 4 | UInt32(byte &- 0x30)
            case 0x41...0x46, 0x61...0x66: value = value &<< 4 | UInt32(byte & 0xF &+ 9)
            default: return nil
            }
        }
        return value
    }
}
