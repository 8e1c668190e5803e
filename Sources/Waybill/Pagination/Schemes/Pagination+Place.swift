extension Paginated.Scheme {
    /// A place of the response at which a scheme finds what leads a walk on, or ends it.
    package struct Place: Sendable, Hashable {
        /// The meaning of the value.
        package enum Role: Sendable, Hashable {
            /// A link to the next page, with its relation.
            case link(relation: String)
            /// A link of the field `Link`, with its relation.
            case relation(String)
            /// A token for the next page, which may be any JSON if it goes into the body.
            case token(mayBeAnyJSON: Bool)
            /// Whether there is another page.
            case flag
            /// The number of items in all.
            case total
            /// The number of pages in all.
            case pageCount
        }

        package let role: Role
        package let source: Source

        /// Whether the value says how much there is, and does not lead to it.
        package var isCount: Bool { role == .total || role == .pageCount }

        /// The place as a declaration writes it: `total: .value("meta", "total")`.
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

        /// Whether a value may be what the place is declared for.
        ///
        /// It is asked of values at other places, so it is narrower than what a scheme reads.
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

    /// The places that the scheme declares; none of a scheme of an app's own.
    package var places: [Place] {
        let places: [(Place.Role, Source?)] =
            switch kind {
            case .pageNumber(_, _, _, let total, let pageCount): [(.total, total), (.pageCount, pageCount)]
            case .offset(_, _, _, let total): [(.total, total)]
            case .cursor(let token, let target, _, _, let hasMore, let total):
                [(.token(mayBeAnyJSON: target.keys != nil), token), (.flag, hasMore), (.total, total)]
            case .after(_, _, _, let hasMore, let total): [(.flag, hasMore), (.total, total)]
            case .links(let rel, _, let total): [(.relation(rel), .field("Link")), (.total, total)]
            case .next(let place, let rel, _, _, let total): [(.link(relation: rel), place), (.total, total)]
            case .custom: []
            }
        return places.compactMap { role, source in source.map { Place(role: role, source: $0) } }
    }
}
