/// The first 128 bits of the powers of five that binary floating point reaches, and the exact powers of ten.
///
/// The highest bit of each entry is set. What does not fit is cut off; the reciprocals of 5¹...5²⁷ are rounded up,
/// which lets exact quotients come out exact (Lemire, "Number parsing at a gigabyte per second", 2021).
///
/// A loop over many numbers takes `shared` once, before it starts.
struct PowersOfFive: Sendable {
    /// Computed at first use, which takes well under a millisecond; never freed.
    static let shared = PowersOfFive()

    static let exponents = -342...308

    // Points to the entry of 5⁰; unsafe to share only in name, as the memory is written before this value exists and
    // never again.
    private nonisolated(unsafe) let words: UnsafePointer<UInt64>

    @inline(__always)
    func high(_ exponent: Int) -> UInt64 { words[2 &* exponent] }

    @inline(__always)
    func low(_ exponent: Int) -> UInt64 { words[2 &* exponent &+ 1] }

    /// Returns one of 10⁰...10²², the powers of ten that a `Double` holds exactly.
    @inline(__always)
    func exactPowerOfTen(_ exponent: Int) -> Double {
        Double(bitPattern: words[2 &* (Self.exponents.upperBound &+ 1) &+ exponent])
    }

    private init() {
        let entries = Self.exponents
        let capacity = 2 * entries.count + 23
        let memory = UnsafeMutablePointer<UInt64>.allocate(capacity: capacity)
        memory.initialize(repeating: 0, count: capacity)
        let origin = memory - 2 * entries.lowerBound

        var power = BigNatural(1)
        for exponent in 0...entries.upperBound {
            (origin[2 * exponent], origin[2 * exponent + 1]) = power.leadingBits
            power.multiply(by: 5)
        }
        // Of 2¹⁰²⁴ more than 128 bits are left after the last division.
        var reciprocal = BigNatural.powerOfTwo(1024)
        for exponent in (entries.lowerBound...(-1)).reversed() {
            reciprocal.divideByFive()
            var (high, low) = reciprocal.leadingBits
            if exponent >= -27 {
                low &+= 1
                if low == 0 { high &+= 1 }
            }
            (origin[2 * exponent], origin[2 * exponent + 1]) = (high, low)
        }
        var ten = 1.0
        for exponent in 0...22 {
            origin[2 * (entries.upperBound + 1) + exponent] = ten.bitPattern
            ten *= 10
        }
        words = UnsafePointer(origin)
    }
}
