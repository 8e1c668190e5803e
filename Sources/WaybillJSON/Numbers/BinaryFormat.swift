/// The parameters of a binary floating-point format (IEEE 754) for the conversion from decimal.
protocol BinaryFormat: BinaryFloatingPoint {
    /// The powers of ten by which a number of 64 bits, not zero, is neither always zero nor always infinite.
    static var powersOfTen: ClosedRange<Int> { get }
    /// The powers of ten at which such a number can be halfway between two values of the format.
    static var tiedPowersOfTen: ClosedRange<Int> { get }
    /// The highest power of ten that the format holds exactly.
    static var highestExactPowerOfTen: Int { get }

    /// Creates a magnitude from its encoding.
    init(magnitudeBits: UInt64)
    var magnitudeBits: UInt64 { get }
    /// Returns a number of at most as many bits as the significand has, times or divided by an exact power of ten.
    static func product(_ significand: UInt64, powerOfTen exponent: Int, powers: PowersOfFive) -> Self
}

extension BinaryFormat {
    /// The exponent field of infinity.
    @inline(__always)
    static var infiniteExponentField: Int { 1 &<< exponentBitCount &- 1 }
    @inline(__always)
    static var exponentBias: Int { 1 &<< (exponentBitCount &- 1) &- 1 }
}

extension Double: BinaryFormat {
    @inline(__always)
    static var powersOfTen: ClosedRange<Int> { -342...308 }
    @inline(__always)
    static var tiedPowersOfTen: ClosedRange<Int> { -4...23 }
    @inline(__always)
    static var highestExactPowerOfTen: Int { 22 }

    @inline(__always)
    init(magnitudeBits: UInt64) { self.init(bitPattern: magnitudeBits) }
    @inline(__always)
    var magnitudeBits: UInt64 { magnitude.bitPattern }

    @inline(__always)
    static func product(_ significand: UInt64, powerOfTen exponent: Int, powers: PowersOfFive) -> Double {
        let value = Double(Int64(truncatingIfNeeded: significand))
        return exponent < 0
            ? value / powers.exactPowerOfTen(0 &- exponent) : value * powers.exactPowerOfTen(exponent)
    }
}

extension Float: BinaryFormat {
    @inline(__always)
    static var powersOfTen: ClosedRange<Int> { -64...38 }
    @inline(__always)
    static var tiedPowersOfTen: ClosedRange<Int> { -17...10 }
    @inline(__always)
    static var highestExactPowerOfTen: Int { 10 }

    @inline(__always)
    init(magnitudeBits: UInt64) { self.init(bitPattern: UInt32(truncatingIfNeeded: magnitudeBits)) }
    @inline(__always)
    var magnitudeBits: UInt64 { UInt64(magnitude.bitPattern) }

    @inline(__always)
    static func product(_ significand: UInt64, powerOfTen exponent: Int, powers: PowersOfFive) -> Float {
        let value = Float(Int64(truncatingIfNeeded: significand))
        return exponent < 0
            ? value / Float(powers.exactPowerOfTen(0 &- exponent)) : value * Float(powers.exactPowerOfTen(exponent))
    }
}
