/// What MD5 and SHA-2 have in common: a message in blocks of 64 bytes, with its length in bits at the end.
enum MessageBlocks {
    /// The message, filled up to whole blocks of 16 words each.
    static func words(of message: [UInt8], isBigEndian: Bool) -> [[UInt32]] {
        var bytes = message + [0x80]
        bytes += [UInt8](repeating: 0, count: (120 - bytes.count % 64) % 64)
        let bits = UInt64(message.count) &* 8
        bytes += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * (isBigEndian ? 7 - $0 : $0))) }
        return stride(from: 0, to: bytes.count, by: 64).map { block in
            (0..<16).map { word in
                (0..<4).reduce(0) { sum, byte in
                    let shift = 8 * (isBigEndian ? 3 - byte : byte)
                    return sum | UInt32(bytes[block + 4 * word + byte]) << shift
                }
            }
        }
    }

    /// Words as hexadecimal text.
    static func hexadecimal(_ words: [UInt32], isBigEndian: Bool) -> String {
        words.map { word in
            let digits = String(isBigEndian ? word : word.byteSwapped, radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }
}
