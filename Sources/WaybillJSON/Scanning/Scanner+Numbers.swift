extension Scanner {
    /// Scans a number (RFC 8259, section 6) and writes its two words.
    ///
    /// - Parameters:
    ///   - start: the offset of the number.
    ///   - words: the address of the words to write.
    ///   - powersOfTen: 10⁰ to 10⁸.
    /// - Returns: the offset just past the number; 0 if it is not a valid number.
    @inline(never)
    func scanNumber(
        at start: Int,
        on words: UnsafeMutablePointer<UInt64>,
        _ powersOfTen: UnsafePointer<UInt64>
    ) -> Int {
        var position = start
        let isNegative = bytes[position] == UInt8(ascii: "-")
        if isNegative { position &+= 1 }
        let firstDigit = position
        var mantissa: UInt64 = 0
        scanDigits(&position, &mantissa)
        var digits = position &- firstDigit
        guard digits > 0, digits == 1 || bytes[firstDigit] != UInt8(ascii: "0") else { return 0 }

        if position >= count || (bytes[position] != UInt8(ascii: ".") && bytes[position] | 0x20 != UInt8(ascii: "e")) {
            if digits <= 19 {
                words[0] = TapeWord.make(
                    isNegative ? TapeKind.negativeInteger : TapeKind.positiveInteger,
                    payload: 0,
                    offset: start
                )
                words[1] = mantissa
            } else {
                words[0] = TapeWord.make(TapeKind.longNumber, payload: 0, offset: start)
                words[1] = UInt64(truncatingIfNeeded: position &- start)
            }
            return position
        }

        var exponent = 0
        if bytes[position] == UInt8(ascii: ".") {
            position &+= 1
            let fraction = position
            scanFraction(&position, &mantissa, powersOfTen)
            guard position > fraction else { return 0 }
            exponent = fraction &- position
            digits &+= position &- fraction
        }
        if position < count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            guard let (power, end) = scanExponent(at: position) else { return 0 }
            exponent &+= power
            position = end
        }
        // Leading zeros are counted although they are insignificant, so a number with many leading zeros takes the
        // slower path.
        if digits <= 19, exponent == Int(Int16(truncatingIfNeeded: exponent)) {
            let payload = UInt64(UInt16(truncatingIfNeeded: exponent)) | (isNegative ? 1 &<< 16 : 0)
            words[0] = TapeWord.make(TapeKind.decimal, payload: payload, offset: start)
            words[1] = mantissa
        } else {
            words[0] = TapeWord.make(TapeKind.longNumber, payload: 0, offset: start)
            words[1] = UInt64(truncatingIfNeeded: position &- start)
        }
        return position
    }

    /// Scans digits in blocks of eight where possible.
    @inline(__always)
    private func scanDigits(_ position: inout Int, _ mantissa: inout UInt64) {
        while position &+ 8 <= count {
            let word = UnsafeRawPointer(bytes + position).loadUnaligned(as: UInt64.self).littleEndian
            guard EightDigits.isEightDigits(word) else { break }
            mantissa = mantissa &* 100_000_000 &+ UInt64(EightDigits.parseEightDigits(word))
            position &+= 8
        }
        while position < count {
            let digit = bytes[position] &- 0x30
            guard digit < 10 else { break }
            mantissa = mantissa &* 10 &+ UInt64(digit)
            position &+= 1
        }
    }

    /// Scans digits, up to eight at a time, because fractions tend to be long and their length is unpredictable.
    @inline(__always)
    private func scanFraction(
        _ position: inout Int,
        _ mantissa: inout UInt64,
        _ powersOfTen: UnsafePointer<UInt64>
    ) {
        while position &+ 8 <= count {
            let word = UnsafeRawPointer(bytes + position).loadUnaligned(as: UInt64.self).littleEndian
            let digits = EightDigits.leadingDigitCount(word)
            let value = UInt64(EightDigits.parseLeadingDigits(word, count: digits))
            mantissa = mantissa &* powersOfTen[digits] &+ value
            position &+= digits
            if digits < 8 { return }
        }
        scanDigits(&position, &mantissa)
    }

    /// Scans an exponent, capping it if it is out of range for every number type.
    @inline(never)
    private func scanExponent(at start: Int) -> (power: Int, end: Int)? {
        var position = start &+ 1
        var isNegative = false
        if position < count, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") {
            isNegative = bytes[position] == UInt8(ascii: "-")
            position &+= 1
        }
        let first = position
        var power = 0
        while position < count {
            let digit = bytes[position] &- 0x30
            guard digit < 10 else { break }
            if power < 1_000_000 { power = power &* 10 &+ Int(digit) }
            position &+= 1
        }
        guard position > first else { return nil }
        return (isNegative ? -power : power, position)
    }
}
