/// Sixteen bytes of a string, examined together.
struct TextBlock {
    private let text: SIMD2<UInt64>
    /// All bits of each byte that is a quotation mark, a backslash or a control character.
    private let special: SIMD2<UInt64>

    @inline(__always)
    init(at bytes: UnsafePointer<UInt8>) {
        // With a scalar operand these comparisons would be compiled to a loop over single bytes.
        let quotes = SIMD16<UInt8>(repeating: UInt8(ascii: "\""))
        let backslashes = SIMD16<UInt8>(repeating: UInt8(ascii: "\\"))
        let spaces = SIMD16<UInt8>(repeating: 0x20)
        let vector = UnsafeRawPointer(bytes).loadUnaligned(as: SIMD16<UInt8>.self)
        let found = (vector .== quotes) .| (vector .== backslashes) .| (vector .< spaces)
        text = unsafeBitCast(vector, to: SIMD2<UInt64>.self)
        special = unsafeBitCast(found, to: SIMD2<UInt64>.self)
    }

    /// Whether there is a byte at which plain text ends.
    @inline(__always)
    var hasSpecial: Bool { special.x | special.y != 0 }

    /// The index of the first of these.
    @inline(__always)
    var firstSpecial: Int {
        special.x != 0
            ? special.x.littleEndian.trailingZeroBitCount &>> 3
            : 8 &+ special.y.littleEndian.trailingZeroBitCount &>> 3
    }

    /// Whether all bytes are ASCII.
    @inline(__always)
    var isASCII: Bool { (text.x | text.y) & 0x8080_8080_8080_8080 == 0 }

    /// Whether the bytes before an index are ASCII.
    @inline(never)
    func isASCII(before place: Int) -> Bool {
        let low = text.x.littleEndian & (place >= 8 ? ~0 : ~(~0 &<< UInt64(truncatingIfNeeded: place &* 8)))
        let high = place <= 8 ? 0 : text.y.littleEndian & ~(~0 &<< UInt64(truncatingIfNeeded: (place &- 8) &* 8))
        return (low | high) & 0x8080_8080_8080_8080 == 0
    }
}
