/// Strings of at most 15 bytes, which Swift keeps in the string itself on 64-bit systems: made from two words without
/// looking at a byte.
enum SmallString {
    /// Whether strings have the layout of ``make(_:_:)``; checked against strings that Swift made.
    static let isLaidOutAsExpected: Bool = {
        guard MemoryLayout<String>.size == 16, MemoryLayout<Int>.size == 8, 1.littleEndian == 1 else { return false }
        let text = Array("0123456789abcdef".utf8)
        return (0...15).allSatisfy { length in
            let swift = unsafeBitCast(String(decoding: text.prefix(length), as: UTF8.self), to: (UInt64, UInt64).self)
            return text.withUnsafeBytes { bytes in
                guard let start = bytes.baseAddress else { return false }
                let made = words(start, length)
                return made.low == swift.0 && made.high == swift.1
            }
        }
    }()

    /// Creates a string of ASCII.
    ///
    /// - Parameters:
    ///   - bytes: the bytes; 16 of them can be read, even if fewer belong to the string.
    ///   - length: the number of bytes that belong to it, at most 15.
    /// - Returns: the string.
    @inline(__always)
    static func make(_ bytes: UnsafeRawPointer, _ length: Int) -> String {
        let (low, high) = words(bytes, length)
        return unsafeBitCast((low, high), to: String.self)
    }

    @inline(__always)
    private static func words(_ bytes: UnsafeRawPointer, _ length: Int) -> (low: UInt64, high: UInt64) {
        let bits = UInt64(truncatingIfNeeded: length) &* 8
        let low = bytes.loadUnaligned(as: UInt64.self)
        let high = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        // A shift by 64 is a shift by 0 here, so the whole word is a case of its own.
        let lowMask: UInt64 = length >= 8 ? ~0 : ~(~0 &<< bits)
        let highMask: UInt64 = length > 8 ? ~(~0 &<< (bits &- 64)) : 0
        return (low & lowMask, high & highMask | (0xE0 | UInt64(truncatingIfNeeded: length)) &<< 56)
    }
}
