extension Paginated.Scheme.Source {
    /// Reads the value as a number of items or pages; nil if the response has none, or one below 0, which means
    /// none.
    ///
    /// - Throws: ``PaginationProblem`` for a value that is not a whole number.
    func readCount(from page: Paginated.Scheme.Response) throws -> Int? {
        guard let value = try read(from: page), value != .string("") else { return nil }
        guard let count = value.intValue ?? value.stringValue.flatMap({ Int($0) }) else {
            throw PaginationProblem.missing(
                "the number of items or pages at \(name) is \(value.kindInWords) that is not a whole number"
            )
        }
        return count >= 0 ? count : nil
    }

    /// Reads the value as a token: text that is not empty, or a number; in the body also an object or an array.
    ///
    /// Null, false and an empty text, object or list end a walk.
    ///
    /// - Throws: ``PaginationProblem`` for any other value.
    func readToken(from page: Paginated.Scheme.Response, for target: Paginated.Scheme.Target) throws -> JSONValue? {
        guard let value = try read(from: page) else { return nil }
        switch value {
        case .bool(false), .string(""), .array([]): return nil
        case .object(let members) where members.isEmpty: return nil
        case .array where target.takes(value), .object where target.takes(value): return value
        case .array, .object:
            throw PaginationProblem.missing(
                "the token for the next page is neither text nor a number, but \(value.kindInWords); one of this kind"
                    + " goes into a JSON body only: as: .body(…)"
            )
        case .bool:
            throw PaginationProblem.missing(
                "the token for the next page is neither text nor a number, but \(value.kindInWords)"
            )
        default: return value
        }
    }

    /// Reads the value as a flag: a Boolean, a number, of which 0 is false, or a word for one of both.
    ///
    /// - Throws: ``PaginationProblem`` for any other value.
    func readFlag(from page: Paginated.Scheme.Response) throws -> Bool? {
        guard let value = try read(from: page) else { return nil }
        if let flag = value.boolValue { return flag }
        if let number = value.intValue { return number != 0 }
        switch value.stringValue?.lowercased() {
        case "true", "yes", "1": return true
        case "false", "no", "0", "": return false
        default:
            throw PaginationProblem.missing(
                "the flag at \(name) is \(value.kindInWords) that is neither true nor false"
            )
        }
    }
}
