extension Paginated.Scheme {
    /// The parameters of a scheme, for what plays the server; a scheme of an app's own has closures alone.
    package indirect enum Kind: Sendable {
        /// Pages by their numbers.
        case pageNumber(target: Target, start: Int, size: Size?, total: Source?, pageCount: Source?)
        /// Pages by the number of items before them.
        case offset(target: Target, start: Int, size: Size?, total: Source?)
        /// Pages by a token.
        case cursor(
            token: Source,
            target: Target,
            previousTarget: Target?,
            size: Size?,
            hasMore: Source?,
            total: Source?
        )
        /// Pages by a value of the last item.
        case after(lastItem: [EnvelopeKey], target: Target, size: Size?, hasMore: Source?, total: Source?)
        /// Pages by the links of the field `Link`.
        case links(rel: String, size: Size?, total: Source?)
        /// Pages by a link at a place.
        case next(place: Source, rel: String, previous: Source?, size: Size?, total: Source?)
        /// A scheme of an app's own.
        case custom
    }

    /// The keys of the body at which a request for a page has a value of the scheme's own.
    ///
    /// A value there takes the place of the body's, and is not merged into it: a token may be an object.
    package var bodyPlaces: [[String]] {
        let targets: [Target?] =
            switch kind {
            case .pageNumber(let target, _, _, _, _), .offset(let target, _, _, _), .after(_, let target, _, _, _):
                [target]
            case .cursor(_, let target, let previousTarget, _, _, _): [target, previousTarget]
            case .links, .next, .custom: []
            }
        return targets.compactMap { $0?.keys }
    }

    /// Returns the scheme with its parameters.
    func described(_ kind: Kind) -> Paginated.Scheme {
        var scheme = self
        scheme.kind = kind
        return scheme
    }
}

extension Paginated.Scheme.Kind {
    /// The scheme as a declaration writes it; nil for one of an app's own.
    ///
    /// It is made when it is read: a scheme is declared again for each call of a resource.
    var declaration: String? {
        let (name, arguments): (String, [String?]) =
            switch self {
            case .pageNumber(let target, _, _, let total, let pageCount):
                ("pageNumber", [target.argument, total?.argument("total"), pageCount?.argument("pageCount")])
            case .offset(let target, _, _, let total): ("offset", [target.argument, total?.argument("total")])
            case .cursor(let token, let target, _, _, let hasMore, let total):
                (
                    "cursor",
                    [token.argument, "as: \(target.argument)", hasMore?.argument("hasMore"), total?.argument("total")]
                )
            case .after(let path, let target, _, let hasMore, let total):
                (
                    "after",
                    [
                        "lastItem: \(path.arguments)", "as: \(target.argument)", hasMore?.argument("hasMore"),
                        total?.argument("total"),
                    ]
                )
            case .links(let rel, _, _): ("link", [rel == "next" ? nil : "rel: \"\(rel)\""])
            case .next(let place, let rel, _, _, _):
                ("next", [place.argument, rel == "next" ? nil : "rel: \"\(rel)\""])
            case .custom: ("", [])
            }
        return name.isEmpty ? nil : "\(name)(\(arguments.compactMap { $0 }.joined(separator: ", ")))"
    }
}
