extension Pagination {
    /// The parameters of a scheme, for what plays the server; a scheme of an app's own has closures alone.
    package enum Kind: Sendable {
        /// Pages by their numbers.
        case pageNumber(name: String, start: Int, size: Size?, total: Source?, pageCount: Source?)
        /// Pages by the number of items before them.
        case offset(name: String, start: Int, size: Size?, total: Source?)
        /// Pages by a token.
        case cursor(token: Source, target: Target, size: Size?, hasMore: Source?, total: Source?)
        /// Pages by a value of the last item.
        case after(lastItem: [EnvelopeKey], target: Target, size: Size?, hasMore: Source?, total: Source?)
        /// Pages by the links of the field `Link`.
        case links(rel: String, size: Size?, total: Source?)
        /// Pages by a link at a place.
        case next(place: Source, previous: Source?, size: Size?, total: Source?)
        /// A scheme of an app's own.
        case custom
    }

    /// Returns the scheme with its parameters.
    func described(_ kind: Kind) -> Pagination {
        var scheme = self
        scheme.kind = kind
        return scheme
    }
}
