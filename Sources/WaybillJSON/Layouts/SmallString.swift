/// Fast creation and reading of strings of up to 15 bytes, which Swift stores inline on 64-bit systems.
///
/// Strings are converted from and to two words, without examining individual bytes.
enum SmallString {
    /// Whether this type can be used: true outside safe mode, if ``make(_:_:)`` produces the same words as Swift for
    /// each length.
    static let isAvailable: Bool = {
        guard !SafeMode.isOn, MemoryLayout<String>.size == 16, MemoryLayout<Int>.size == 8, 1.littleEndian == 1 else {
            return false
        }
        let text = Array("0123456789abcdef".utf8)
        return (0...15).allSatisfy { length in
            let swift = unsafeBitCast(String(decoding: text.prefix(length), as: UTF8.self), to: (UInt64, UInt64).self)
            return text.withUnsafeBytes { bytes in
                guard let start = bytes.baseAddress else { return false }
                let made = words(start, length)
                return made.low == swift.0 && made.high == swift.1
            }
        } && ["é", "1234567890123456"].allSatisfy { content(of: $0) == nil }
    }()

    /// Creates a string from ASCII bytes; requires ``isAvailable``.
    ///
    /// - Parameters:
    ///   - bytes: the bytes; 16 must be readable, even if the string is shorter.
    ///   - length: the length of the string in bytes, at most 15.
    /// - Returns: the string.
    @inline(__always)
    static func make(_ bytes: UnsafeRawPointer, _ length: Int) -> String {
        // The result is moved, because copying it after a cast would retain it unnecessarily.
        var made = words(bytes, length)
        return withUnsafeMutablePointer(to: &made) {
            UnsafeMutableRawPointer($0).assumingMemoryBound(to: String.self).move()
        }
    }

    /// Returns the bytes and length of a small ASCII string; nil for other strings.
    ///
    /// Requires ``isAvailable``.
    @inline(__always)
    static func content(of text: String) -> (block: SIMD2<UInt64>, count: Int)? {
        let (low, high) = unsafeBitCast(text, to: (UInt64, UInt64).self)
        guard high &>> 60 == 0xE else { return nil }
        return (SIMD2(low, high), Int(truncatingIfNeeded: high &>> 56 & 15))
    }

    @inline(__always)
    private static func words(_ bytes: UnsafeRawPointer, _ length: Int) -> (low: UInt64, high: UInt64) {
        let bits = UInt64(truncatingIfNeeded: length) &* 8
        let low = bytes.loadUnaligned(as: UInt64.self)
        let high = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
        // A shift by 64 acts as a shift by 0 here, so a full word is a separate case.
        let lowMask: UInt64 = length >= 8 ? ~0 : ~(~0 &<< bits)
        let highMask: UInt64 = length > 8 ? ~(~0 &<< (bits &- 64)) : 0
        return (low & lowMask, high & highMask | (0xE0 | UInt64(truncatingIfNeeded: length)) &<< 56)
    }
}
