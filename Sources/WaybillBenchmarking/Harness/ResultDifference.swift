import Foundation
import Waybill

/// The first structural difference between two results.
package struct ResultDifference: Sendable, Equatable {
    /// The path of the differing values, such as `items[3].price`; empty if the results differ as a whole.
    package let path: String

    /// An excerpt of the first result's value; redacted if the member's name suggests a secret, such as `token`.
    package let first: String

    /// An excerpt of the second result's value, redacted in the same way.
    package let second: String

    /// Creates the first difference between two results; returns nil if they are equal.
    ///
    /// `Equatable` values are compared with `==`, other values member by member.
    package init?(_ first: Any, _ second: Any) {
        if let one = first as? ComparedValue, let other = second as? ComparedValue {
            guard one != other else { return nil }
            self = Self(one.value, other.value) ?? Self(path: "", first: one.text, second: other.text)
            return
        }
        var search = DifferenceSearch()
        guard let difference = search.difference(first, second, at: "") else { return nil }
        self = difference
    }

    init(path: String, first: String, second: String) {
        self.path = path
        let isSecret = path.split(separator: ".").last.map { SecretNameSet.usual.contains(String($0)) } ?? false
        guard !isSecret else {
            (self.first, self.second) = (Redaction.mark, Redaction.mark)
            return
        }
        (self.first, self.second) = Self.excerpts(first, second)
    }

    /// Returns the path and both values on separate lines, labeled with the subjects' names.
    package func text(_ firstName: String, _ secondName: String) -> String {
        let location = path.isEmpty ? "" : "  at \(path)\n"
        return location + "  \(firstName): \(first)\n  \(secondName): \(second)"
    }

    /// Returns excerpts of two texts, starting shortly before their first difference.
    private static func excerpts(_ first: String, _ second: String) -> (String, String) {
        var commonCount = 0
        for (one, other) in zip(first.unicodeScalars, second.unicodeScalars) {
            guard one == other else { break }
            commonCount += 1
        }
        func excerpt(_ text: String) -> String {
            let start = commonCount < 120 ? 0 : commonCount - 60
            let rest = text.unicodeScalars.dropFirst(start)
            let shown = rest.prefix(200)
            return (start > 0 ? "…" : "") + String(shown) + (shown.endIndex < rest.endIndex ? "…" : "")
        }
        return (excerpt(first), excerpt(second))
    }
}

/// A reflection-based search for the first difference between two values.
struct DifferenceSearch {
    /// The objects visited so far, so that the search ends at a reference cycle.
    private var visited: Set<ObjectIdentifier> = []

    /// Returns the first difference at or below a path; nil if the values are equal.
    mutating func difference(_ first: Any, _ second: Any, at path: String) -> ResultDifference? {
        let isEqual = (first as? any Equatable).map { Self.isEqual($0, second) }
        if isEqual == true { return nil }
        guard type(of: first) == type(of: second), !Self.isLeaf(first) else {
            return Self.difference(of: first, second, at: path)
        }
        let mirrors = (Mirror(reflecting: first), Mirror(reflecting: second))
        if mirrors.0.displayStyle == .class, !visited.insert(ObjectIdentifier(first as AnyObject)).inserted {
            return nil
        }
        if Self.haveDifferentCases(mirrors.0, mirrors.1) { return Self.difference(of: first, second, at: path) }
        if let difference = members(mirrors.0, mirrors.1, at: path) { return difference }
        // The members are equal, so only `==` or the values' text can still reveal a difference.
        let isSame = isEqual ?? (!mirrors.0.children.isEmpty || Self.text(of: first) == Self.text(of: second))
        return isSame ? nil : Self.difference(of: first, second, at: path)
    }

    private mutating func members(_ first: Mirror, _ second: Mirror, at path: String) -> ResultDifference? {
        switch first.displayStyle {
        case .collection: return elements(first, second, at: path)
        case .dictionary: return entries(first, second, at: path)
        case .set: return Self.unordered(first, second, at: path)
        case .optional, .enum:
            guard let one = first.children.first, let other = second.children.first else { return nil }
            return difference(one.value, other.value, at: path)
        default:
            for (one, other) in zip(first.children, second.children) {
                let memberPath = Self.path(path, one.label ?? "")
                if let difference = difference(one.value, other.value, at: memberPath) { return difference }
            }
            guard let parents = first.superclassMirror, let others = second.superclassMirror else { return nil }
            return members(parents, others, at: path)
        }
    }

    private mutating func elements(_ first: Mirror, _ second: Mirror, at path: String) -> ResultDifference? {
        for (index, (one, other)) in zip(first.children, second.children).enumerated() {
            if let difference = difference(one.value, other.value, at: "\(path)[\(index)]") { return difference }
        }
        let counts = (first.children.count, second.children.count)
        guard counts.0 != counts.1 else { return nil }
        return ResultDifference(path: path, first: "\(counts.0) elements", second: "\(counts.1) elements")
    }

    private mutating func entries(_ first: Mirror, _ second: Mirror, at path: String) -> ResultDifference? {
        let (one, other) = (Self.entries(of: first), Self.entries(of: second))
        for key in Set(one.keys).union(other.keys).sorted() {
            let entryPath = Self.path(path, key)
            guard let value = one[key], let counterpart = other[key] else {
                let texts = [one[key], other[key]].map { $0.map(Self.text) ?? "no value" }
                return ResultDifference(path: entryPath, first: texts[0], second: texts[1])
            }
            if let difference = difference(value, counterpart, at: entryPath) { return difference }
        }
        return nil
    }

    /// Returns the entries of a dictionary, with its keys as text.
    private static func entries(of dictionary: Mirror) -> [String: Any] {
        var entries: [String: Any] = [:]
        for child in dictionary.children {
            let pair = Array(Mirror(reflecting: child.value).children)
            guard let key = pair.first, let value = pair.last else { continue }
            entries[String(describing: key.value)] = value.value
        }
        return entries
    }

    private static func unordered(_ first: Mirror, _ second: Mirror, at path: String) -> ResultDifference? {
        let texts = [first, second].map { $0.children.map { text(of: $0.value) }.sorted().joined(separator: ", ") }
        return texts[0] == texts[1] ? nil : ResultDifference(path: path, first: texts[0], second: texts[1])
    }

    /// Whether two values of an enumeration, such as an optional, have different cases.
    private static func haveDifferentCases(_ first: Mirror, _ second: Mirror) -> Bool {
        guard first.displayStyle == .enum || first.displayStyle == .optional else { return false }
        return first.children.first?.label != second.children.first?.label
            || first.children.isEmpty != second.children.isEmpty
    }

    private static func difference(of first: Any, _ second: Any, at path: String) -> ResultDifference {
        let texts = (text(of: first), text(of: second))
        guard texts.0 == texts.1 else { return ResultDifference(path: path, first: texts.0, second: texts.1) }
        // Values with the same text, such as 1 as an `Int` and as a `Decimal`, are shown with their types.
        return ResultDifference(
            path: path,
            first: "\(texts.0) (\(type(of: first)))",
            second: "\(texts.1) (\(type(of: second)))"
        )
    }

    private static func text(of value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional { return mirror.children.first.map { text(of: $0.value) } ?? "nil" }
        return (value as? String)?.debugDescription ?? String(describing: value)
    }

    private static func path(_ path: String, _ member: String) -> String {
        path.isEmpty || member.isEmpty ? path + member : "\(path).\(member)"
    }

    fileprivate static func isEqual<Value: Equatable>(_ first: Value, _ second: Any) -> Bool {
        (second as? Value) == first
    }

    /// Whether a value is compared and shown as a whole, because its members are less readable.
    private static func isLeaf(_ value: Any) -> Bool {
        value is String || value is Date || value is Data || value is URL || value is Decimal || value is UUID
    }
}

/// A decoded value of any type, for comparison with another decoder's value.
///
/// `Equatable` values are compared with `==`, other `Encodable` values by their JSON, and the rest member by member.
struct ComparedValue: Equatable, Sendable {
    fileprivate let value: any Sendable

    init(_ value: any Sendable) { self.value = value }

    static func == (left: Self, right: Self) -> Bool {
        if let value = left.value as? any Equatable { return DifferenceSearch.isEqual(value, right.value) }
        if let json = left.json, let other = right.json { return json == other }
        return ResultDifference(left.value, right.value) == nil
    }

    /// The value as text, for a difference that its members do not show.
    fileprivate var text: String { json.map { String(decoding: $0, as: UTF8.self) } ?? String(describing: value) }

    /// The value as JSON; nil if it cannot be encoded.
    private var json: Data? {
        guard let value = value as? any Encodable else { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf",
            negativeInfinity: "-inf",
            nan: "nan"
        )
        return try? encoder.encode(value)
    }
}
