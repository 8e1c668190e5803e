/// A value in a page that a scheme cannot use.
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
    /// The kind of the value in words; never the value, which may be secret.
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
