extension Paginated.Scheme {
    /// The location of a value that describes the whole list: a header field, or a path in the body outside the items.
    ///
    /// ```swift
    /// Paginated(.pageNumber(total: .field("X-Total")))
    /// Paginated(.pageNumber(total: .value("meta", "total")))
    /// ```
    public struct Source: Sendable, Hashable {
        package enum Place: Sendable, Hashable {
            case field(String)
            case body([EnvelopeKey])
        }

        package let place: Place

        /// Returns a source that is a header field.
        ///
        /// - Parameter name: the name of the field, compared case-insensitively.
        /// - Returns: the source.
        public static func field(_ name: String) -> Self { Self(place: .field(name)) }

        /// Returns a source at a path in the body, given as an array.
        static func body(_ path: [EnvelopeKey]) -> Self { Self(place: .body(path)) }

        /// Returns a source at a path in the body.
        ///
        /// - Parameter path: the keys and indices from the top of the body.
        /// - Returns: the source.
        public static func value(_ path: EnvelopeKey...) -> Self { Self(place: .body(path)) }

        /// The body path of the value, in an array; empty for a header field.
        var reads: [[EnvelopeKey]] {
            if case .body(let path) = place { [path] } else { [] }
        }

        /// Reads the value; returns nil if the response lacks it.
        func read(from page: Paginated.Scheme.Response) throws -> JSONValue? {
            switch place {
            case .field(let text):
                guard let name = HTTPField.Name(text), let value = page.headerFields[name] else { return nil }
                return .string(value)
            case .body(let path):
                return try page.value(at: path)
            }
        }

        /// Reads a value that continues or ends a walk; returns nil if the response lacks it.
        ///
        /// - Throws: ``PaginationProblem`` if the body cannot contain a value at the path.
        func readDeciding(from page: Paginated.Scheme.Response) throws -> JSONValue? {
            guard case .body(let path) = place else { return try read(from: page) }
            return try page.value(atPossible: path)
        }

        /// The source as the first argument of a scheme's declaration: `at: "meta", "next"`.
        var argument: String {
            switch place {
            case .field(let name): "field: \"\(name)\""
            case .body(let path): "at: \(path.arguments)"
            }
        }

        /// Returns the source as an argument with a label: `total: .value("meta", "total")`.
        func argument(_ name: String) -> String {
            switch place {
            case .field(let field): "\(name): .field(\"\(field)\")"
            case .body(let path): "\(name): .value(\(path.arguments))"
            }
        }

        /// A description of the source, for error messages.
        var name: String {
            switch place {
            case .field(let name): "the field \(name)"
            case .body(let path): path.pathDescription
            }
        }
    }
}

extension [EnvelopeKey] {
    /// The path as written in a declaration: `"items", 0`.
    var arguments: String {
        map { step in
            switch step {
            case .key(let key): "\"\(key)\""
            case .index(let index): "\(index)"
            }
        }
        .joined(separator: ", ")
    }
}

extension Paginated.Scheme.Source {
    /// Reads the value as a number of items or pages; returns nil if the response lacks it, or if it is negative.
    ///
    /// Some servers send a negative number for an unknown count.
    ///
    /// - Throws: ``PaginationProblem`` for a value that is not an integer.
    func readCount(from page: Paginated.Scheme.Response) throws -> Int? {
        guard let value = try read(from: page), value != .string("") else { return nil }
        guard let count = value.intValue ?? value.stringValue.flatMap({ Int($0) }) else {
            throw PaginationProblem(
                "the number of items or pages at \(name) is "
                    + (value.isBeyondInt ? "beyond Int" : "\(value.kindInWords) that is not a whole number")
                    + "; leave it out of the scheme, which works without it"
            )
        }
        return count >= 0 ? count : nil
    }

    /// Reads the value as a token: a nonempty string or a number; for a target in the body, also an object or an array.
    ///
    /// Null, false, and an empty string, object or array end the walk.
    ///
    /// - Throws: ``PaginationProblem`` for any other value.
    func readToken(from page: Paginated.Scheme.Response, for target: Paginated.Scheme.Target) throws -> JSONValue? {
        guard let value = try readDeciding(from: page) else { return nil }
        switch value {
        case .bool(false), .string(""), .array([]): return nil
        case .object(let members) where members.isEmpty: return nil
        case .array where target.takes(value), .object where target.takes(value): return value
        case .array, .object:
            throw PaginationProblem(
                "the token for the next page is neither text nor a number, but \(value.kindInWords); one of this kind"
                    + " goes into a JSON body only: as: .body(…)"
            )
        case .bool:
            throw PaginationProblem(
                "the token for the next page is neither text nor a number, but \(value.kindInWords)"
            )
        default: return value
        }
    }

    /// Reads the value as a flag: a Boolean, an integer (nonzero for true), or a word such as `yes`.
    ///
    /// Returns nil if the value is missing or an empty string.
    ///
    /// - Throws: ``PaginationProblem`` for any other value.
    func readFlag(from page: Paginated.Scheme.Response) throws -> Bool? {
        guard let value = try readDeciding(from: page) else { return nil }
        if let flag = value.boolValue { return flag }
        if let number = value.intValue { return number != 0 }
        switch value.stringValue?.lowercased() {
        case "true", "yes", "1": return true
        case "false", "no", "0": return false
        case "": return nil
        default:
            throw PaginationProblem(
                "the flag at \(name) is \(value.kindInWords) that is neither true nor false"
            )
        }
    }
}

/// The reason why a page cannot be read, or why a walk cannot continue from it.
struct PaginationProblem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

extension JSONValue {
    /// Whether the value is an integer, given as a number or a string, that overflows `Int`.
    fileprivate var isBeyondInt: Bool {
        switch self {
        case .number(let number): return "\(number)".isWholeNumber
        case .double(let number): return number.magnitude >= 0x1p63
        case .numeral(let number): return number.text.isWholeNumber
        case .string(let text): return text.isWholeNumber
        default: return false
        }
    }

    /// The kind of value in words, without the value itself, which may be secret.
    var kindInWords: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer, .number, .double, .numeral: "a number"
        case .string: "text"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

extension String {
    /// Whether the string consists of digits, after an optional minus sign.
    fileprivate var isWholeNumber: Bool {
        let digits = utf8.first == UInt8(ascii: "-") ? utf8.dropFirst() : utf8[...]
        return !digits.isEmpty && digits.allSatisfy { $0 &- 0x30 < 10 }
    }
}
