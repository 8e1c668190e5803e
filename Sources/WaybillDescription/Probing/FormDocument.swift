import Waybill

/// A form body as a document: `a[b]=1&c[]=2&c[]=3` becomes `{"a": {"b": "1"}, "c": ["2", "3"]}`.
package struct FormDocument {
    /// The document, with strings for all scalars.
    let value: JSONValue

    /// Parses a form body.
    ///
    /// - Parameters:
    ///   - text: the body.
    ///   - splitsCommas: whether unencoded commas separate the elements of an array.
    init(_ text: String, splitsCommas: Bool) {
        var root = Node.object([:])
        for item in EncodedItem.all(in: text) {
            let raw = item.encodedValue ?? ""
            let pieces = raw.split(separator: ",", omittingEmptySubsequences: false).map { Self.decoded($0) }
            let isList = splitsCommas && pieces.count > 1
            root.add(
                isList ? .array(pieces.map(JSONValue.string)) : .string(Self.decoded(raw)),
                at: Self.keys(of: Self.decoded(item.encodedName))[...]
            )
        }
        value = root.value
    }

    /// Returns the decoded items of a form body or query, with `+` decoded as a space.
    package static func items(of text: some StringProtocol) -> [(name: String, value: String?)] {
        EncodedItem.all(in: text).map { (decoded($0.encodedName), $0.encodedValue.map(decoded)) }
    }

    private static func decoded(_ text: Substring) -> String {
        text.replacing(bytes: "+", with: " ").percentDecoded
    }

    /// Returns the keys in an item name: `a[b][]` consists of `a`, `b` and an empty key.
    private static func keys(of name: String) -> [String] {
        guard let bracket = name.firstIndex(of: "["), bracket != name.startIndex, name.hasSuffix("]") else {
            return [name]
        }
        let inner = name[name.index(after: bracket)...].dropLast().replacing("][", with: "\u{0}")
            .split(separator: "\u{0}", omittingEmptySubsequences: false)
        // The depth is limited, because the names are untrusted.
        guard inner.count <= 32, inner.allSatisfy({ !$0.contains("[") && !$0.contains("]") }) else { return [name] }
        return [String(name[..<bracket])] + inner.map(String.init)
    }

    private indirect enum Node {
        case scalar(JSONValue)
        case list([JSONValue])
        case object([String: Node])

        mutating func add(_ value: JSONValue, at keys: ArraySlice<String>) {
            guard let first = keys.first else { return append(value) }
            if first.isEmpty, keys.count == 1 {
                append(value, toList: true)
                return
            }
            var members: [String: Node] = [:]
            if case .object(let own) = self { members = own }
            if var member = members[first] {
                member.add(value, at: keys.dropFirst())
                members[first] = member
            } else {
                var member = keys.count == 1 ? Node.scalar(value) : .object([:])
                if keys.count > 1 { member.add(value, at: keys.dropFirst()) }
                members[first] = member
            }
            self = .object(members)
        }

        private mutating func append(_ value: JSONValue, toList: Bool = false) {
            switch self {
            case .scalar(let first): self = .list([first, value])
            case .list(let values): self = .list(values + [value])
            case .object(let members): self = members.isEmpty && toList ? .list([value]) : self
            }
        }

        var value: JSONValue {
            switch self {
            case .scalar(let value): return value
            case .list(let values): return .array(values)
            case .object(let members):
                let indices = members.keys.compactMap { Int($0) }.sorted()
                guard !members.isEmpty, indices == Array(0..<members.count) else {
                    return .object(members.mapValues(\.value))
                }
                return .array(indices.compactMap { members["\($0)"]?.value })
            }
        }
    }
}
