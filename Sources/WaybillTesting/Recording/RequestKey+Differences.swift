import Foundation
import Waybill

extension RequestKey {
    /// A difference between a request and a recorded one.
    struct Difference: Hashable {
        /// The description, such as `the body differs at items[0].id`.
        let text: String

        /// The source text of the variation that ignores this difference, such as `.bodyMember("id")`.
        let variation: String

        init(_ text: String, _ variation: String) { (self.text, self.variation) = (text, variation) }
    }

    /// The maximum number of differences to report in a body.
    private static let mostNamed = 3

    /// Returns how a request with the same method and template differs from this recorded one.
    ///
    /// A redaction mark in the recorded request matches any text.
    func differences(of request: RequestKey) -> [Difference] {
        var found: [Difference] = []
        if !Self.fits(origin, request.origin) { found.append(Difference("the origin differs", ".origin")) }
        let (own, other) = (path ?? [], request.path ?? [])
        if own.count != other.count || !zip(own, other).allSatisfy(Self.fits) {
            found.append(Difference("the path differs", ".pathValues"))
        }
        for name in Self.names(in: query, request.query) {
            let shown = name.debugDescription
            found.append(Difference("the query item \(shown) differs", ".queryItem(\(shown))"))
        }
        return found + bodyDifferences(of: request)
    }

    private func bodyDifferences(of request: RequestKey) -> [Difference] {
        guard !fits(body: request.body) else { return [] }
        var found: [Difference] = []
        switch (body, request.body) {
        case (.json(let recorded), .json(let value)): Self.compare(recorded, value, "", nil, into: &found)
        case (.form(let recorded), .form(let items)):
            found = Self.names(in: recorded, items).map { name in
                Difference("the body differs at \(name)", ".bodyMember(\(name.debugDescription))")
            }
        case (.none, _): return [Difference("the body differs: the recorded request has none", ".body")]
        case (_, .none): return [Difference("the body differs: this request has none", ".body")]
        default: break
        }
        return found.isEmpty ? [Difference("the body differs", ".body")] : Array(found.prefix(Self.mostNamed))
    }

    /// Returns the names of the items that differ, sorted.
    private static func names(in recorded: [RecordedURL.Item], _ items: [RecordedURL.Item]) -> [String] {
        let names = Set((recorded + items).map(\.name))
        return names.sorted().filter { name in
            !fits(recorded.filter { $0.name == name }, items.filter { $0.name == name })
        }
    }

    /// Adds the members in which a value differs from the recorded one.
    ///
    /// - Parameters:
    ///   - recorded: the recorded value.
    ///   - value: the value in the request.
    ///   - path: the path of both values.
    ///   - key: the last key of the path, which names the variation; nil if the path has none.
    ///   - found: the differences found so far.
    private static func compare(
        _ recorded: JSONValue,
        _ value: JSONValue,
        _ path: String,
        _ key: String?,
        into found: inout [Difference]
    ) {
        guard found.count < mostNamed, !fits(recorded, value) else { return }
        switch (recorded, value) {
        case (.object(let members), .object(let others)):
            for name in Set(members.keys).union(others.keys).sorted() {
                let inner = path.isEmpty ? name : "\(path).\(name)"
                compare(members[name], others[name], inner, name, into: &found)
            }
        case (.array(let elements), .array(let others)) where elements.count == others.count:
            for (index, pair) in zip(elements, others).enumerated() {
                compare(pair.0, pair.1, "\(path)[\(index)]", key, into: &found)
            }
        default: add(path, key, to: &found)
        }
    }

    private static func compare(
        _ recorded: JSONValue?,
        _ value: JSONValue?,
        _ path: String,
        _ key: String,
        into found: inout [Difference]
    ) {
        guard let recorded, let value else { return add(path, key, to: &found) }
        compare(recorded, value, path, key, into: &found)
    }

    private static func add(_ path: String, _ key: String?, to found: inout [Difference]) {
        guard found.count < mostNamed else { return }
        let text = path.isEmpty ? "the body differs" : "the body differs at \(path)"
        found.append(Difference(text, key.map { ".bodyMember(\($0.debugDescription))" } ?? ".body"))
    }
}

extension [RequestKey.Difference] {
    /// The differences and the variations that ignore them; empty if nothing differs.
    var text: String {
        guard !isEmpty else { return "" }
        var variations: [String] = []
        for variation in map(\.variation) where !variations.contains(variation) { variations.append(variation) }
        return map(\.text).joined(separator: ", ")
            + "; if it differs in every run, declare varying: [\(variations.joined(separator: ", "))]"
    }
}
