/// A number halfway between two floating-point values, with all its decimal digits.
struct HalfwayNumber {
    /// All digits of `factor` · 2^`exponent`, without the decimal point.
    let digits: String
    /// The power of ten of the last digit.
    let exponent: Int

    init(_ factor: UInt64, timesTwoTo exponent: Int) {
        self.exponent = min(exponent, 0)
        var parts: [UInt64] = []
        var rest = factor
        while rest > 0 {
            parts.append(rest % 1_000_000_000)
            rest /= 1_000_000_000
        }
        // n · 2⁻ᵏ is n · 5ᵏ · 10⁻ᵏ.
        let (base, power, count): (UInt64, UInt64, Int) =
            exponent < 0 ? (5, 1_220_703_125, 13) : (2, 1_073_741_824, 30)
        for _ in 0..<(abs(exponent) / count) { Self.multiply(&parts, by: power) }
        for _ in 0..<(abs(exponent) % count) { Self.multiply(&parts, by: base) }
        digits = parts.reversed().enumerated().map { place, part in
            let text = String(part)
            return place == 0 ? text : String(repeating: "0", count: 9 - text.utf8.count) + text
        }.joined()
    }

    private static func multiply(_ parts: inout [UInt64], by factor: UInt64) {
        var carry: UInt64 = 0
        for index in parts.indices {
            let product = parts[index] * factor + carry
            parts[index] = product % 1_000_000_000
            carry = product / 1_000_000_000
        }
        while carry > 0 {
            parts.append(carry % 1_000_000_000)
            carry /= 1_000_000_000
        }
    }

    /// The exact number in several notations.
    var spellings: [String] {
        [
            "\(digits)e\(exponent)",
            "0.000\(digits)E\(exponent + digits.utf8.count + 3)",
            "\(digits.prefix(1)).\(digits.dropFirst())0e\(exponent + digits.utf8.count - 1)",
            "\(digits)\(String(repeating: "0", count: 900))e\(exponent - 900)",
        ]
    }

    /// Numbers just above, which differ in a digit directly after the others or far behind them.
    var above: [String] {
        [
            "\(digits)1e\(exponent - 1)",
            "\(digits).\(String(repeating: "0", count: 3_000))1e\(exponent)",
        ]
    }

    /// Numbers just below, whose last nonzero digit is one less, followed by nines.
    var below: [String] {
        let zeros = digits.reversed().prefix { $0 == "0" }.count
        let kept = digits.dropLast(zeros)
        let less = kept.last?.wholeNumberValue.map { "\(kept.dropLast())\($0 - 1)" } ?? ""
        let digitsBelow = less + String(repeating: "9", count: zeros)
        return [
            "\(digitsBelow)9e\(exponent - 1)",
            "\(digitsBelow).\(String(repeating: "9", count: 3_000))e\(exponent)",
        ]
    }
}
