/// What a scheme cannot make sense of in a page.
package enum PaginationProblem: Error, CustomStringConvertible {
    /// Something that the scheme needs is not there, or is not of the kind that it needs.
    case missing(String)

    package var description: String {
        switch self {
        case .missing(let text): text
        }
    }
}

extension JSONValue {
    /// What kind of value it is; never the value, which may be secret.
    var kindInWords: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .integer, .number, .double: "a number"
        case .string: "text"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
