/// The value of a structured field (RFC 9651), as far as the fields of uploads need it.
package enum StructuredField {
    /// An item without its parameters.
    package enum Item: Sendable, Hashable {
        case integer(Int)
        case boolean(Bool)
        /// A decimal number, a string, a token, bytes, a date or an inner list.
        case other
    }

    /// Parses an item; nil for any other text.
    package static func item(_ value: String) -> Item? {
        var parser = Parser(value)
        parser.skip(" ")
        guard let item = parser.item(), parser.parameters() else { return nil }
        parser.skip(" ")
        return parser.isAtEnd ? item : nil
    }

    /// Parses a dictionary; nil for any other text.
    package static func dictionary(_ value: String) -> [String: Item]? {
        var parser = Parser(value)
        var members: [String: Item] = [:]
        parser.skip(" ")
        while !parser.isAtEnd {
            guard let key = parser.key() else { return nil }
            // A key alone is a true one.
            guard let item = parser.takes("=") ? parser.member() : .boolean(true), parser.parameters() else {
                return nil
            }
            members[key] = item
            parser.skip(" \t")
            if parser.isAtEnd { return members }
            guard parser.takes(",") else { return nil }
            parser.skip(" \t")
            if parser.isAtEnd { return nil }
        }
        return members
    }
}

/// A parser of structured fields (RFC 9651, section 4.2).
private struct Parser {
    private var rest: ArraySlice<UInt8>

    init(_ text: String) { rest = Array(text.utf8)[...] }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ bytes: StaticString) {
        rest = rest.drop { byte in "\(bytes)".utf8.contains(byte) }
    }

    mutating func takes(_ character: Character) -> Bool {
        guard let byte = rest.first, byte == character.asciiValue else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func take(while isWanted: (UInt8) -> Bool) -> [UInt8] {
        let taken = rest.prefix(while: isWanted)
        rest = rest.dropFirst(taken.count)
        return Array(taken)
    }

    mutating func key() -> String? {
        guard let first = rest.first, Self.isLowercase(first) || first == UInt8(ascii: "*") else { return nil }
        let bytes = take { Self.isLowercase($0) || Self.isDigit($0) || "_-.*".utf8.contains($0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Parses the value of a dictionary's member: an item or an inner list.
    mutating func member() -> StructuredField.Item? {
        guard takes("(") else { return item() }
        while true {
            skip(" ")
            if takes(")") { return .other }
            guard item() != nil, parameters() else { return nil }
            guard let next = rest.first, next == UInt8(ascii: " ") || next == UInt8(ascii: ")") else { return nil }
        }
    }

    mutating func parameters() -> Bool {
        while takes(";") {
            skip(" ")
            guard key() != nil else { return false }
            if takes("="), item() == nil { return false }
        }
        return true
    }

    mutating func item() -> StructuredField.Item? {
        guard let first = rest.first else { return nil }
        switch first {
        case UInt8(ascii: "?"): return boolean()
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return number()
        case UInt8(ascii: "\""): return string()
        case UInt8(ascii: ":"):
            rest.removeFirst()
            _ = take { $0 != UInt8(ascii: ":") }
            return takes(":") ? .other : nil
        case UInt8(ascii: "@"):
            rest.removeFirst()
            guard case .integer = number() else { return nil }
            return .other
        case _ where Self.isLowercase(first | 0x20) || first == UInt8(ascii: "*"):
            _ = take { Token.isTokenCharacter($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }
            return .other
        default: return nil
        }
    }

    private mutating func boolean() -> StructuredField.Item? {
        rest.removeFirst()
        if takes("1") { return .boolean(true) }
        return takes("0") ? .boolean(false) : nil
    }

    /// Parses a number: an integer has at most 15 digits.
    private mutating func number() -> StructuredField.Item? {
        let isNegative = takes("-")
        let digits = take(while: Self.isDigit)
        guard (1...15).contains(digits.count) else { return nil }
        if takes(".") {
            let fraction = take(while: Self.isDigit)
            return digits.count <= 12 && (1...3).contains(fraction.count) ? .other : nil
        }
        let value = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        return .integer(isNegative ? -value : value)
    }

    private mutating func string() -> StructuredField.Item? {
        rest.removeFirst()
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return .other
            case UInt8(ascii: "\\"):
                guard let next = rest.popFirst(), next == UInt8(ascii: "\"") || next == byte else { return nil }
            case 0x20...0x7E: continue
            default: return nil
            }
        }
        return nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isLowercase(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
}
