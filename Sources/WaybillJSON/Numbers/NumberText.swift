/// The text of a number (RFC 8259, section 6), taken apart without a limit to its length.
///
/// Its value is its digits, which neither begin nor end with a zero, times ten to the power of `exponent`.
struct NumberText {
    let isNegative: Bool
    /// The number of digits from the first to the last that is not zero; none in a zero.
    let digitCount: Int
    /// The power of ten that the last of these digits counts.
    let exponent: Int

    private let bytes: UnsafeBufferPointer<UInt8>
    /// The index of the first digit that is not zero, and of later ones once they have been read.
    private var index: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        isNegative = bytes.first == UInt8(ascii: "-")
        var end = isNegative ? 1 : 0
        var point: Int?
        var first: Int?
        var last = 0
        scan: while end < bytes.count {
            switch bytes[end] {
            case UInt8(ascii: "0"): break
            case UInt8(ascii: "."): point = end
            case UInt8(ascii: "e"), UInt8(ascii: "E"): break scan
            default:
                first = first ?? end
                last = end
            }
            end += 1
        }
        guard let first else {
            (digitCount, exponent, index) = (0, 0, end)
            return
        }
        index = first
        let onset = point ?? end
        digitCount = last - first + (first < onset && onset < last ? 0 : 1)
        let place = last < onset ? onset - last - 1 : onset - last
        exponent = place + Self.exponent(of: bytes[end...])
    }

    /// Returns the number of the next digits, at most 19; the digits after the last one that is not zero are not read.
    mutating func read(_ count: Int) -> UInt64 {
        var number: UInt64 = 0
        var rest = count
        while rest > 0, index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: ".") { continue }
            number = number &* 10 &+ UInt64(byte &- UInt8(ascii: "0"))
            rest -= 1
        }
        return number
    }

    /// Returns the exponent after the `e`, or one too large for any number of digits to make up for.
    private static func exponent(of part: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        var part = part.dropFirst()
        let isNegative = part.first == UInt8(ascii: "-")
        if isNegative || part.first == UInt8(ascii: "+") { part.removeFirst() }
        var exponent = 0
        for byte in part where exponent < Int.max / 100 { exponent = exponent * 10 + Int(byte &- UInt8(ascii: "0")) }
        return isNegative ? -exponent : exponent
    }
}
