import WaybillSystem

/// A finite decimal number in canonical form, `±digits × 10^exponent`, in which equal numbers have equal
/// representations.
///
/// It is used to compare `Int`, `Decimal`, `Double` and number texts, because none of these types can represent all
/// values of the others.
struct JSONNumber: Hashable {
    /// Whether the number is negative; false for zero.
    let isNegative: Bool

    /// The significant digits, without leading and trailing zeros; empty for zero.
    let digits: String

    /// The exponent of the power of ten that scales the digits; 0 for zero.
    let exponent: Int

    /// Creates the number for a `Decimal`; nil for NaN.
    init?(_ value: Decimal) { self.init(text: value.description) }

    /// Creates the number for the shortest decimal text that denotes a `Double`; nil for infinity and NaN.
    init?(_ value: Double) { self.init(text: value.description) }

    /// Parses an optional sign, digits, and an optional fraction and exponent; nil if the exponent does not fit into
    /// `Int`.
    init?(text: String) {
        var digits = ""
        var exponent = 0
        var isNegative = false
        var isInFraction = false
        var rest = Substring(text)
        if rest.first == "-" {
            isNegative = true
            rest.removeFirst()
        }
        while let character = rest.popFirst() {
            switch character {
            case "0"..."9":
                if character != "0" || !digits.isEmpty { digits.append(character) }
                if isInFraction { exponent -= 1 }
            case ".":
                isInFraction = true
            case "e", "E":
                guard let power = Int(rest), power.magnitude < Int.max / 2 else { return nil }
                exponent += power
                rest = ""
            default:
                return nil
            }
        }
        while digits.last == "0" {
            digits.removeLast()
            exponent += 1
        }
        self.isNegative = isNegative && !digits.isEmpty
        self.digits = digits
        self.exponent = digits.isEmpty ? 0 : exponent
    }

    /// The number as an `Int`; nil if it has a fraction or does not fit.
    var integer: Int? {
        guard !digits.isEmpty else { return 0 }
        // An `Int` has at most 19 digits, which limits the length of the text below.
        guard (0...18).contains(exponent) else { return nil }
        return Int((isNegative ? "-" : "") + digits + String(repeating: "0", count: exponent))
    }

    /// The number as a `Decimal`; nil if `Decimal` cannot represent it exactly.
    var decimal: Decimal? {
        guard let decimal = Decimal(string: text) else { return nil }
        // If they differ, Foundation has rounded the number or flushed it to zero.
        return JSONNumber(decimal) == self ? decimal : nil
    }

    /// The `Double` nearest to the number; infinity if the number is too large.
    var double: Double { Double(text) ?? .nan }

    private var text: String { digits.isEmpty ? "0" : "\(isNegative ? "-" : "")\(digits)e\(exponent)" }
}
