/// A JSON value that preserves key order.
indirect enum JSONTree {
    case null
    case bool(Bool)
    case int(Int)
    case double(Double)
    case string(String)
    case array([JSONTree])
    case object([(key: String, value: JSONTree)])
    /// A placeholder for a member to omit from its object.
    case absent

    /// Returns a string, or null for nil.
    static func optional(_ string: String?) -> JSONTree { string.map(JSONTree.string) ?? .null }

    /// Returns an array of integers.
    static func ints(_ numbers: [Int]) -> JSONTree { .array(numbers.map(JSONTree.int)) }
}

extension JSONTree: ExpressibleByDictionaryLiteral {
    init(dictionaryLiteral elements: (String, JSONTree)...) {
        self = .object(
            elements.compactMap { key, value in
                if case .absent = value { return nil }
                return (key, value)
            }
        )
    }
}
