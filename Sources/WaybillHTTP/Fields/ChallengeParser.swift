/// A parser of `WWW-Authenticate` field values (RFC 9110, section 11.6.1).
///
/// Commas separate both challenges and parameters: a name followed by `=` is a parameter, and any other name starts a
/// challenge. A malformed element is skipped up to the next comma.
struct ChallengeParser {
    private let bytes: [UInt8]
    private var index = 0

    init(_ value: String) { bytes = Array(value.utf8) }

    /// Returns the challenges in order, in time linear in the value's length.
    mutating func challenges() -> [HTTPField.Challenge] {
        var challenges: [HTTPField.Challenge] = []
        var current: (scheme: String, parameters: [String: String], token68: String?)?
        func finish() {
            guard let current else { return }
            challenges.append(
                HTTPField.Challenge(scheme: current.scheme, parameters: current.parameters, token68: current.token68)
            )
        }
        while true {
            skip { Self.isSpace($0) || $0 == UInt8(ascii: ",") }
            guard index < bytes.count else { break }
            let name = text(while: Token.isTokenCharacter)
            guard !name.isEmpty else {
                skipElement()
                continue
            }
            let end = index
            skip(while: Self.isSpace)
            if consume(UInt8(ascii: "=")) {
                guard let value = value(), let parameters = current?.parameters else { continue }
                if parameters[name.lowercased()] == nil { current?.parameters[name.lowercased()] = value }
            } else {
                finish()
                current = (name, [:], nil)
                if index > end { current?.token68 = token68() }
            }
        }
        finish()
        return challenges
    }

    /// Reads a quoted string or a token; returns nil if neither starts here or the string is unterminated.
    ///
    /// Servers that omit the quotes do so even for URLs, so an unquoted value extends to the next comma, space or
    /// quote.
    private mutating func value() -> String? {
        skip(while: Self.isSpace)
        guard consume(UInt8(ascii: "\"")) else {
            let value = text { !Self.isSpace($0) && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "\"") }
            return value.isEmpty ? nil : value
        }
        var value: [UInt8] = []
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: value, as: UTF8.self)
            case UInt8(ascii: "\\") where index < bytes.count:
                value.append(bytes[index])
                index += 1
            default: value.append(byte)
            }
        }
        return nil
    }

    /// Reads a `token68` value; returns nil and consumes nothing if parameters follow instead.
    private mutating func token68() -> String? {
        let start = index
        skip { Self.isAlphanumeric($0) || "-._~+/".utf8.contains($0) }
        guard index > start else { return nil }
        skip { $0 == UInt8(ascii: "=") }
        let end = index
        skip(while: Self.isSpace)
        guard index == bytes.count || bytes[index] == UInt8(ascii: ",") else {
            index = start
            return nil
        }
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    /// Skips to the next comma outside a quoted string.
    private mutating func skipElement() {
        while index < bytes.count, bytes[index] != UInt8(ascii: ",") {
            if bytes[index] == UInt8(ascii: "\"") { _ = value() } else { index += 1 }
        }
    }

    private mutating func consume(_ byte: UInt8) -> Bool {
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    private mutating func skip(while condition: (UInt8) -> Bool) {
        while index < bytes.count, condition(bytes[index]) { index += 1 }
    }

    private mutating func text(while condition: (UInt8) -> Bool) -> String {
        let start = index
        skip(while: condition)
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
