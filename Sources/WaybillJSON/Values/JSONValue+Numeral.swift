import WaybillSystem

extension JSONValue {
    /// The text of a number, for numbers that neither `Int` nor `Decimal` nor `Double` holds exactly.
    ///
    /// Two numerals are equal if their texts are; ``JSONValue`` compares numbers by their values.
    public struct Numeral: Sendable, Hashable {
        /// The number as JSON writes it, such as `1e400`.
        public let text: String

        /// Creates the text of a number; nil for a text that is not a number of JSON (RFC 8259, section 6).
        ///
        /// - Parameter text: the number, without spaces around it.
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

        /// Creates the text of a number that a parser has read.
        init(parsed text: String) { self.text = text }

        /// The `Decimal` nearest to the number, for encoders that write no texts of numbers; nil beyond its range.
        var nearestDecimal: Decimal? {
            // Foundation takes some numbers beyond the range for others.
            guard let decimal = Decimal(string: text), let value = Double(text), value.isFinite, value != 0,
                let rounded = Double(decimal.description), (rounded - value).magnitude <= value.magnitude * 1e-12
            else { return nil }
            return decimal
        }
    }
}
