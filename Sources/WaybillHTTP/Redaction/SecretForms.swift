import WaybillSystem

/// The forms in which a server may repeat a secret value.
enum SecretForms {
    /// Returns the value as it is, percent-encoded, in upper and lower case, in hexadecimal digits of either case, and
    /// in Base64, of the value itself and of a longer text with the value in it.
    static func all(of value: String) -> Set<String> {
        let bytes = Array(value.utf8)
        let hex = hexadecimal(bytes)
        var forms: Set = [
            value, PercentEncoding.encode(value), value.lowercased(), value.uppercased(), hex, hex.uppercased(),
        ]
        // Without its padding, which is optional.
        forms.formUnion(spellings(base64(bytes).prefix { $0 != "=" }))
        for offset in 0..<3 { forms.formUnion(spellings(interior(bytes, behind: offset))) }
        forms.remove("")
        return forms
    }

    /// The fewest digits by which a value is recognized in the Base64 of a longer text.
    private static let shortestInterior = 8

    /// Returns the digits that a value has in the Base64 of a longer text, without those that it shares with its
    /// neighbors; empty for too few.
    ///
    /// - Parameters:
    ///   - bytes: the value.
    ///   - offset: the number of bytes before it, modulo 3.
    /// - Returns: the digits.
    private static func interior(_ bytes: [UInt8], behind offset: Int) -> Substring {
        // A digit has six bits.
        let start = (offset * 8 + 5) / 6
        let end = (offset + bytes.count) * 8 / 6
        guard end - start >= shortestInterior else { return "" }
        return base64(Array(repeating: 0, count: offset) + bytes).prefix(end).dropFirst(start)
    }

    private static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }

    /// Returns digits of Base64 in its usual alphabet and in that for URLs (RFC 4648, section 5).
    private static func spellings(_ digits: Substring) -> [String] {
        [String(digits), String(digits.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })]
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
