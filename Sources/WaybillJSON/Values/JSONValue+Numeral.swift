import WaybillSystem

extension JSONValue {
    /// The text of a number that none of `Int`, `Decimal` and `Double` represents exactly.
    ///
    /// Two numerals are equal if their texts are equal; ``JSONValue`` compares numbers by value.
    public struct Numeral: Sendable, Hashable {
        /// The number in JSON syntax, such as `1e400`.
        public let text: String

        /// Creates a numeral; nil if the text is not a JSON number (RFC 8259, section 6).
        ///
        /// - Parameter text: the number, without surrounding whitespace.
        public init?(_ text: String) {
            var rest = text.utf8[...]
            func digits() -> Int {
                let digits = rest.prefix { $0 >= 0x30 && $0 <= 0x39 }
                rest = rest.dropFirst(digits.count)
                return digits.count
            }
            func skip(_ characters: String) -> Bool {
                guard let first = rest.first, characters.utf8.contains(first) else { return false }
                rest = rest.dropFirst()
                return true
            }
            _ = skip("-")
            let isZero = rest.first == UInt8(ascii: "0")
            let count = digits()
            guard count == 1 || count > 1 && !isZero else { return nil }
            if skip("."), digits() == 0 { return nil }
            if skip("eE") {
                _ = skip("+-")
                if digits() == 0 { return nil }
            }
            guard rest.isEmpty else { return nil }
            self.text = text
        }

        /// Creates a numeral from text that a parser has already validated.
        init(parsed text: String) { self.text = text }

        /// The nearest `Decimal`, for encoders that cannot write the text of a number; nil if the number is out of its
        /// range.
        var nearestDecimal: Decimal? {
            // Foundation parses some out-of-range numbers as different numbers.
            guard let decimal = Decimal(string: text), let value = Double(text), value.isFinite, value != 0,
                let rounded = Double(decimal.description), (rounded - value).magnitude <= value.magnitude * 1e-12
            else { return nil }
            return decimal
        }
    }
}
