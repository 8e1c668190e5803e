import WaybillSystem

/// The MD5 hash function (RFC 1321), used only for Digest authentication.
package enum MD5 {
    private static let shifts: [[UInt32]] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]]

    private static let sines: [UInt32] = (1...64).map { UInt32(abs(sin(Double($0))) * 4_294_967_296) }

    /// Returns the digest of a message as hexadecimal digits.
    package static func hexadecimal(_ message: [UInt8]) -> String {
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
        for words in blocks(of: message) {
            var (a, b, c, d) = (state[0], state[1], state[2], state[3])
            for step in 0..<64 {
                let (mixed, word): (UInt32, Int) =
                    switch step / 16 {
                    case 0: ((b & c) | (~b & d), step)
                    case 1: ((d & b) | (~d & c), (5 * step + 1) % 16)
                    case 2: (b ^ c ^ d, (3 * step + 5) % 16)
                    default: (c ^ (b | ~d), (7 * step) % 16)
                    }
                let sum = a &+ mixed &+ sines[step] &+ words[word]
                let shift = shifts[step / 16][step % 4]
                (a, d, c, b) = (d, c, b, b &+ (sum << shift | sum >> (32 - shift)))
            }
            state = zip(state, [a, b, c, d]).map { $0 &+ $1 }
        }
        return state.map(hexadecimal(word:)).joined()
    }

    /// Returns the message padded to blocks of 16 words, ending with its length in bits.
    private static func blocks(of message: [UInt8]) -> [[UInt32]] {
        var bytes = message + [0x80]
        bytes += [UInt8](repeating: 0, count: (120 - bytes.count % 64) % 64)
        let bits = UInt64(message.count) &* 8
        bytes += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (8 * $0)) }
        return stride(from: 0, to: bytes.count, by: 64).map { block in
            (0..<16).map { word(bytes[(block + 4 * $0)...].prefix(4)) }
        }
    }

    /// Returns a word from four bytes in little-endian order.
    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reversed().reduce(0) { word, byte in word << 8 | UInt32(byte) }
    }

    private static func hexadecimal(word: UInt32) -> String {
        let digits = String(word.byteSwapped, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}
