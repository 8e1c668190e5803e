import WaybillJSON

extension JSONValue {
    /// Returns the URL of a link in a body, in any of the shapes that servers write; nil if there is no link.
    ///
    /// - Parameter relations: the relations of a link in a list, any of which fits.
    /// - Returns: the URL; nil if there is no link.
    /// - Throws: ``PaginationProblem`` for a value that is there and names no URL.
    func linkTarget(relations: [String]) throws -> String? {
        switch self {
        case .null, .bool(false): return nil
        case .string(let text): return text.isEmpty ? nil : text
        case .array(let links): return try Self.target(in: links, relations: relations)
        case .object(let members): return members.isEmpty ? nil : try target(relations: relations)
        default: throw PaginationProblem.missing("the link to the next page is \(kindInWords), not text or an object")
        }
    }

    /// Returns the URL of the link with one of those relations in a list of links; nil if this is no such list.
    func linkTarget(inListByRelations relations: [String]) -> String? {
        guard let link = arrayValue?.first(where: { $0.hasRelation(relations) == true }) else { return nil }
        return try? link.linkTarget(relations: relations)
    }

    private static func target(in links: [JSONValue], relations: [String]) throws -> String? {
        if let link = links.first(where: { $0.hasRelation(relations) == true }) {
            return try link.linkTarget(relations: relations)
        }
        let others = links.filter { $0.hasRelation(relations) == nil }
        if others.isEmpty { return nil }
        guard links.count == 1, links[0].arrayValue == nil else {
            throw PaginationProblem.missing("the list of links has elements without a rel, so none is the next page")
        }
        // An empty list says that there is no next page; an element that is nothing says nothing.
        let isNothing = links[0].objectValue?.isEmpty ?? [.null, .bool(false), .string("")].contains(links[0])
        if isNothing {
            throw PaginationProblem.missing(
                "the only element of the list of links is \(links[0].emptyKindInWords) and not a link"
            )
        }
        return try links[0].linkTarget(relations: relations)
    }

    private func target(relations: [String]) throws -> String? {
        for key in ["href", "url", "uri"] {
            guard let target = self[key] else { continue }
            guard target.objectValue == nil, target.arrayValue == nil else { break }
            return try target.linkTarget(relations: relations)
        }
        if let relation = relations.first(where: { self[$0] != nil }) {
            throw PaginationProblem.missing(
                "the link to the next page is one key further down: add \"\(relation)\" to the path"
            )
        }
        throw PaginationProblem.missing("the link to the next page is an object without href, url or uri as text")
    }

    /// Whether a link has one of those relations; nil if it names none.
    private func hasRelation(_ relations: [String]) -> Bool? {
        let words = self.relations
        if words.isEmpty { return nil }
        return relations.contains { words.contains($0.lowercased()) }
    }

    private var emptyKindInWords: String {
        switch self {
        case .string: "an empty text"
        case .object: "an empty object"
        default: kindInWords
        }
    }

    /// The relations that a link names, in lower case.
    var relations: [String] {
        switch self["rel"] {
        case .string(let text): text.split(separator: " ").map { $0.lowercased() }
        case .array(let values): values.compactMap { $0.stringValue?.lowercased() }
        default: []
        }
    }
}
