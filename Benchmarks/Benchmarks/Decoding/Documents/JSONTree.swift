/// JSON with its keys in the order in which they were written down.
indirect enum JSONTree {
    case null
    case bool(Bool)
    case int(Int)
    case double(Double)
    case string(String)
    case array([JSONTree])
    case object([(key: String, value: JSONTree)])
    /// What a key has that an object does not have.
    case absent

    /// A string, or null.
    static func optional(_ string: String?) -> JSONTree { string.map(JSONTree.string) ?? .null }

    /// An array of numbers.
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
