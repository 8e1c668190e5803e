import WaybillJSON

/// A check for misspelled declarations: declared locations without a value on the first page of a walk.
///
/// Servers omit unneeded links, tokens, flags and totals, so a missing value is not an error by itself. It is an error
/// only if the response contains a value of the same kind under a similar name. Later pages are not checked, because
/// finding them requires a correct declaration.
struct PlaceCheck {
    let plan: Call.Plan
    let scheme: Paginated.Scheme
    let headerFields: HTTPFields
    /// Returns the content of the body at the given path; for a missing value, the content lists the existing members.
    let content: ([EnvelopeKey]) throws -> PlaceContent

    /// Checks the declared locations.
    ///
    /// - Parameter hasItems: whether the page has items; servers omit the total of an empty list.
    /// - Throws: ``PaginationProblem`` if a location is misspelled, or if it is inside a value without members.
    func checkPlaces(hasItems: Bool) throws(PaginationProblem) {
        for place in scheme.places where hasItems || !place.isCount {
            if let problem = problem(of: place) {
                throw PaginationProblem("Paginated declares \(place.declaration), but \(problem)")
            }
        }
    }

    /// Checks that the list is present if the page indicates that there are items.
    ///
    /// A page without items can have a next page, as in an incremental search. The path of the list is then wrong if
    /// the same object contains a list of objects or, if a flag or a total indicates more items, any other nonempty
    /// list. If no page follows, such a flag or total is sufficient.
    ///
    /// - Parameters:
    ///   - page: the page.
    ///   - totals: the meaning of the server's total.
    ///   - isFollowed: whether another page follows.
    /// - Throws: ``PaginationProblem`` with the path of the list.
    func checkMissingList(
        _ page: Paginated.Scheme.Response,
        totals: Paginated.Totals,
        isFollowed: Bool
    ) throws {
        guard let list = missingList else { return }
        let lists = list.names.filter { name in
            elements(at: Array(plan.pathOfList[..<list.index]) + [.key(name)])?.isEmpty == false
        }
        if !isFollowed || !lists.isEmpty {
            for place in scheme.places where try place.saysMore(on: page, totals: totals) {
                throw list.problem(", and \(place.declaration) says that more items follow; correct the path")
            }
        }
        guard isFollowed else { return }
        for name in lists {
            let path = Array(plan.pathOfList[..<list.index]) + [.key(name)]
            guard elements(at: path)?.first?.objectValue != nil else { continue }
            throw list.problem(", and another page follows; did you mean \(quoted(name))?")
        }
    }

    /// The index at which the path to the list fails, and the existing names there; nil if the list exists.
    private var missingList: MissingList? {
        let list = plan.pathOfList
        guard case .missing(let index, let names)? = try? content(list), list[index].isKey else {
            return nil
        }
        return MissingList(path: list, index: index, names: names)
    }

    private struct MissingList {
        let path: [EnvelopeKey]
        let index: Int
        let names: [String]

        func problem(_ text: String) -> PaginationProblem {
            PaginationProblem("Envelope declares \(path.arguments), but the page has no such list\(text)")
        }
    }

    /// The declared flags and counts that are absent from the response; null counts as present.
    ///
    /// Counts matter only for a scheme that uses them to end a walk. Schemes with links or tokens do not need them, and
    /// the declaration may be shared with lists that lack them.
    var missingPlaces: [Paginated.Scheme.Place] {
        let endsAtCount =
            switch scheme.kind {
            case .pageNumber, .offset: true
            default: false
            }
        return scheme.places.filter { place in
            guard place.role == .flag || place.isCount && endsAtCount else { return false }
            return switch place.source.place {
            case .body(let path): (try? content(path))?.isMissing ?? false
            case .field(let name): HTTPField.Name(name).map { !headerFields.contains($0) } ?? false
            }
        }
    }

    private func problem(of place: Paginated.Scheme.Place) -> String? {
        if let relation = misspelledRelation(of: place) {
            return "no link of the response has this relation; did you mean \(quoted(relation))?"
        }
        switch place.source.place {
        case .body(let path):
            guard let content = try? content(path) else { return nil }
            // If the list is the whole body, the declaration may be meant for other lists of the client.
            if case .blocked(let index, let kind) = content, index > 0 {
                let members = path[index].isKey ? "members" : "elements"
                return "\(path[..<index].pathDescription) is \(kind) without \(members); correct the path"
            }
            return similarPath(to: path, content, for: place).map {
                "the page has no such value\(suggestion($0, for: path))"
            }
        case .field(let name):
            return similarField(to: name, for: place).map {
                "the response has no such field; did you mean \(quoted($0))?"
            }
        }
    }

    /// Returns the path that was probably intended by a declared path without a value.
    private func similarPath(
        to path: [EnvelopeKey],
        _ content: PlaceContent,
        for place: Paginated.Scheme.Place
    ) -> [EnvelopeKey]? {
        guard case .missing(let index, let names) = content, case .key(let key) = path[index] else { return nil }
        for name in SimilarKeys.misspellings(of: key, among: names) {
            let candidate = path.replacing(index, with: name)
            guard !isKnown(candidate), let content = try? self.content(candidate) else { continue }
            switch content {
            case .value(let value): if place.isPlausible(value) { return candidate }
            // A nested key may be misspelled, too.
            case .missing(let next, _) where next > index:
                if let path = similarPath(to: candidate, content, for: place) { return path }
            default: break
            }
        }
        return nil
    }

    /// Whether a declaration already covers a path.
    private func isKnown(_ path: [EnvelopeKey]) -> Bool {
        let list = plan.pathOfList
        if list.starts(with: path) || path.starts(with: list) { return true }
        return scheme.reads.contains(path) || plan.metadataRules.contains { $0.path == path }
    }

    private func similarField(to name: String, for place: Paginated.Scheme.Place) -> String? {
        guard let field = HTTPField.Name(name), !headerFields.contains(field) else { return nil }
        let known = scheme.places.compactMap { place -> String? in
            if case .field(let name) = place.source.place { name.lowercased() } else { nil }
        }
        let names = headerFields.map(\.name).filter { !known.contains($0.canonicalName) }
        return SimilarKeys.misspellings(of: name, among: names.map(\.description)).first { name in
            HTTPField.Name(name).flatMap { headerFields[$0] }.map { place.isPlausible(.string($0)) } ?? false
        }
    }

    private func misspelledRelation(of place: Paginated.Scheme.Place) -> String? {
        let found: [String]
        let relation: String
        switch (place.role, place.source.place) {
        case (.relation(let name), _):
            relation = name
            found = headerFields[values: .link].flatMap { WebLink.links(in: $0) ?? [] }.flatMap(\.relations)
        case (.link(let name), .body(let path)):
            relation = name
            guard let links = (try? content(path))?.value?.arrayValue else { return nil }
            found = links.flatMap(\.relations)
        default: return nil
        }
        guard !found.contains(relation.lowercased()) else { return nil }
        return SimilarKeys.misspellings(of: relation, among: found).first
    }

    private func elements(at path: [EnvelopeKey]) -> [JSONValue]? { (try? content(path))?.value?.arrayValue }

    /// Returns a suggestion with the keys that differ from the declared path.
    private func suggestion(_ path: [EnvelopeKey], for declared: [EnvelopeKey]) -> String {
        let names = zip(path, declared).filter { $0 != $1 }.compactMap { key, _ in
            if case .key(let name) = key { quoted(name) } else { nil }
        }
        return "; did you mean \(names.joined(separator: ", "))?"
    }

    private func quoted(_ name: String) -> String { "\"\(CodingPathText.quoted(name))\"" }
}

extension EnvelopeKey {
    /// Whether the step is a member key rather than an element index.
    var isKey: Bool { if case .key = self { true } else { false } }
}

extension [EnvelopeKey] {
    /// Returns the path with the key at an index replaced.
    fileprivate func replacing(_ index: Int, with key: String) -> [EnvelopeKey] {
        var path = self
        path[index] = .key(key)
        return path
    }
}

extension Paginated.Scheme.Place {
    /// Whether the value indicates more items although the page is empty.
    fileprivate func saysMore(on page: Paginated.Scheme.Response, totals: Paginated.Totals) throws -> Bool {
        switch role {
        case .flag: try source.readFlag(from: page) == true
        case .total: try totals == .exact && (source.readCount(from: page) ?? 0) > 0
        default: false
        }
    }
}

extension Paginated.Scheme {
    /// A location in the response whose value continues or ends a walk.
    package struct Place: Sendable, Hashable {
        /// The meaning of the value.
        package enum Role: Sendable, Hashable {
            /// A link to the next page, with the given relation.
            case link(relation: String)
            /// A link in the `Link` field, with the given relation.
            case relation(String)
            /// A token for the next page; it may be any JSON if it is sent in the body.
            case token(mayBeAnyJSON: Bool)
            /// Whether there is another page.
            case flag
            /// The total number of items.
            case total
            /// The total number of pages.
            case pageCount
        }

        package let role: Role
        package let source: Source

        /// Whether the value is a number of items or pages.
        package var isCount: Bool { role == .total || role == .pageCount }

        /// The location as written in a declaration: `total: .value("meta", "total")`.
        package var declaration: String {
            switch role {
            case .link: ".next(\(source.argument))"
            case .relation(let name): ".link(rel: \"\(name)\")"
            case .token: ".cursor(\(source.argument))"
            case .flag: source.argument("hasMore")
            case .total: source.argument("total")
            case .pageCount: source.argument("pageCount")
            }
        }

        /// Whether a value is plausible for this location.
        ///
        /// The check is stricter than the scheme's parsing, because it is applied to values at undeclared locations.
        func isPlausible(_ value: JSONValue) -> Bool {
            switch role {
            case .link(let relation):
                guard let link = try? value.linkTarget(relations: [relation]) else { return false }
                return link.contains { $0 == "/" || $0 == "?" }
            case .relation: return false
            case .token(let mayBeAnyJSON):
                if mayBeAnyJSON, value.objectValue?.isEmpty == false { return true }
                return value.intValue != nil || value.stringValue.map { !$0.isEmpty } ?? false
            case .flag: return value.boolValue != nil || ["true", "false"].contains(value.stringValue?.lowercased())
            case .total, .pageCount:
                return (value.intValue ?? value.stringValue.flatMap { Int($0) }).map { $0 >= 0 } ?? false
            }
        }
    }

    /// The locations declared by the scheme; empty for a custom scheme.
    package var places: [Place] {
        let places: [(Place.Role, Source?)] =
            switch kind {
            case .pageNumber(_, _, _, let total, let pageCount): [(.total, total), (.pageCount, pageCount)]
            case .offset(_, _, _, let total): [(.total, total)]
            case .cursor(let token, let target, _, _, let hasMore, let total):
                [(.token(mayBeAnyJSON: target.bodyPath != nil), token), (.flag, hasMore), (.total, total)]
            case .after(_, _, _, let hasMore, let total): [(.flag, hasMore), (.total, total)]
            case .links(let rel, _, let total): [(.relation(rel), .field("Link")), (.total, total)]
            case .next(let place, let rel, _, _, let total): [(.link(relation: rel), place), (.total, total)]
            case .custom: []
            }
        return places.compactMap { role, source in source.map { Place(role: role, source: $0) } }
    }
}
