import WaybillSystem

/// A parser of structured fields (RFC 9651, section 4.2).
struct StructuredFieldParser {
    private var rest: ArraySlice<UInt8>

    init(_ text: String) { rest = Array(text.utf8)[...] }

    var isAtEnd: Bool { rest.isEmpty }

    /// Parses the whole text with a closure; returns nil if the closure returns nil or leaves any text unparsed.
    mutating func whole<Result>(_ parse: (inout StructuredFieldParser) -> Result?) -> Result? {
        skip(" ")
        guard let result = parse(&self) else { return nil }
        skip(" ")
        return isAtEnd ? result : nil
    }

    mutating func list() -> [StructuredField.Member]? {
        var members: [StructuredField.Member] = []
        while !isAtEnd {
            guard let member = member() else { return nil }
            members.append(member)
            guard let isLast = endOfMember() else { return nil }
            if isLast { break }
        }
        return members
    }

    mutating func dictionary() -> StructuredField.Members? {
        var members = StructuredField.Members()
        while !isAtEnd {
            guard let key = key() else { return nil }
            if consume("=") {
                guard let member = member() else { return nil }
                members[key] = member
            } else {
                // A key without a value is true.
                guard let parameters = parameters() else { return nil }
                members[key] = .item(StructuredField.Item(.boolean(true), parameters))
            }
            guard let isLast = endOfMember() else { return nil }
            if isLast { break }
        }
        return members
    }

    /// Skips the comma after a member and returns whether the text ends here; nil for a missing or trailing comma.
    private mutating func endOfMember() -> Bool? {
        skip(" \t")
        if isAtEnd { return true }
        guard consume(",") else { return nil }
        skip(" \t")
        return isAtEnd ? nil : false
    }

    private mutating func member() -> StructuredField.Member? {
        guard consume("(") else { return item().map { .item($0) } }
        var items: [StructuredField.Item] = []
        while true {
            skip(" ")
            if consume(")") { return parameters().map { .innerList(items, $0) } }
            guard let item = item() else { return nil }
            items.append(item)
            guard let next = rest.first, next == UInt8(ascii: " ") || next == UInt8(ascii: ")") else { return nil }
        }
    }

    mutating func item() -> StructuredField.Item? {
        guard let value = value(), let parameters = parameters() else { return nil }
        return StructuredField.Item(value, parameters)
    }

    private mutating func parameters() -> [StructuredField.Parameter]? {
        var parameters: [StructuredField.Parameter] = []
        while consume(";") {
            skip(" ")
            guard let key = key() else { return nil }
            guard let value = consume("=") ? value() : .boolean(true) else { return nil }
            if let index = parameters.firstIndex(where: { $0.key == key }) {
                parameters[index].value = value
            } else {
                parameters.append(StructuredField.Parameter(key, value))
            }
        }
        return parameters
    }

    mutating func key() -> String? {
        guard let first = rest.first, Self.isLowercase(first) || first == UInt8(ascii: "*") else { return nil }
        return text(while: { Self.isLowercase($0) || Self.isDigit($0) || "_-.*".utf8.contains($0) })
    }

    mutating func value() -> StructuredField.Value? {
        guard let first = rest.first else { return nil }
        switch first {
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return number()
        case _ where Self.isLowercase(first | 0x20) || first == UInt8(ascii: "*"):
            return .token(
                text(while: {
                    Token.isTokenCharacter($0) || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/")
                })
            )
        default: break
        }
        rest.removeFirst()
        switch first {
        case UInt8(ascii: "?"):
            if consume("1") { return .boolean(true) }
            return consume("0") ? .boolean(false) : nil
        case UInt8(ascii: "\""): return string()
        case UInt8(ascii: ":"): return bytes()
        case UInt8(ascii: "@"):
            guard case .integer(let seconds)? = number() else { return nil }
            return .date(seconds)
        case UInt8(ascii: "%"): return displayString()
        default: return nil
        }
    }

    private mutating func number() -> StructuredField.Value? {
        let sign = consume("-") ? "-" : ""
        let digits = text(while: Self.isDigit)
        guard (1...15).contains(digits.utf8.count) else { return nil }
        guard consume(".") else { return Int(sign + digits).map { .integer($0) } }
        let fraction = text(while: Self.isDigit)
        guard digits.utf8.count <= 12, (1...3).contains(fraction.utf8.count) else { return nil }
        return Double("\(sign)\(digits).\(fraction)").map { .decimal($0) }
    }

    private mutating func string() -> StructuredField.Value? {
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return .string(String(decoding: bytes, as: UTF8.self))
            case UInt8(ascii: "\\"):
                guard let next = rest.popFirst(), next == UInt8(ascii: "\"") || next == byte else { return nil }
                bytes.append(next)
            case 0x20...0x7E: bytes.append(byte)
            default: return nil
            }
        }
        return nil
    }

    /// Parses Base64 bytes, with or without padding.
    private mutating func bytes() -> StructuredField.Value? {
        var encoded = text(while: { $0 != UInt8(ascii: ":") })
        guard consume(":") else { return nil }
        if !encoded.hasSuffix("=") {
            encoded += String(repeating: "=", count: (4 - encoded.utf8.count % 4) % 4)
        }
        return Data(base64Encoded: encoded).map { .bytes($0) }
    }

    private mutating func displayString() -> StructuredField.Value? {
        guard consume("\"") else { return nil }
        var bytes: [UInt8] = []
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""): return String(validating: bytes).map { .displayString($0) }
            case UInt8(ascii: "%"):
                let digits = rest.prefix(2)
                // Uppercase digits are invalid (RFC 9651, section 4.2.10).
                guard digits.count == 2, digits.allSatisfy({ Self.isDigit($0) || (0x61...0x66).contains($0) }),
                    let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
                else { return nil }
                rest = rest.dropFirst(2)
                bytes.append(value)
            case 0x20...0x7E: bytes.append(byte)
            default: return nil
            }
        }
        return nil
    }

    private mutating func skip(_ bytes: StaticString) {
        rest = rest.drop { byte in "\(bytes)".utf8.contains(byte) }
    }

    private mutating func consume(_ character: Character) -> Bool {
        guard let byte = rest.first, byte == character.asciiValue else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func text(while condition: (UInt8) -> Bool) -> String {
        let matching = rest.prefix(while: condition)
        rest = rest.dropFirst(matching.count)
        return String(decoding: matching, as: UTF8.self)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isLowercase(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
}

extension String {
    /// Creates a string from bytes; returns nil if they are not valid UTF-8.
    fileprivate init?(validating bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        // Decoding replaces invalid bytes, so the bytes differ.
        guard text.utf8.elementsEqual(bytes) else { return nil }
        self = text
    }
}
