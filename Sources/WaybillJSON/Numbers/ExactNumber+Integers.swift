extension ExactNumber {
    /// Returns the integer of a number in any notation: `1.0`, `1e2` and `100e-2` are integers.
    ///
    /// Nil if it is fractional or out of range.
    static func integer<Integer: FixedWidthInteger>(
        _ type: Integer.Type,
        digits: UnsafeBufferPointer<UInt8>
    ) -> Integer? {
        var text = NumberText(digits)
        // Fewer than one digit in three bits; this also bounds the zeros to come.
        guard text.exponent >= 0, text.digitCount + text.exponent <= Integer.bitWidth / 3 + 1 else { return nil }
        var value: Integer = 0
        for place in 0..<(text.digitCount + text.exponent) {
            let digit = Integer(truncatingIfNeeded: place < text.digitCount ? text.read(1) : 0)
            let (product, productOverflows) = value.multipliedReportingOverflow(by: 10)
            let (sum, sumOverflows) =
                text.isNegative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
            if productOverflows || sumOverflows { return nil }
            value = sum
        }
        return value
    }

    /// Returns the integer of a sign and a magnitude; nil if it is out of range.
    @inline(__always)
    static func integer<Integer: FixedWidthInteger>(
        _ type: Integer.Type,
        isNegative: Bool,
        mantissa: UInt64
    ) -> Integer? {
        if !isNegative { return Integer(exactly: mantissa) }
        guard mantissa <= UInt64(clamping: Integer.min.magnitude) else { return nil }
        return 0 &- Integer(truncatingIfNeeded: mantissa)
    }
}
