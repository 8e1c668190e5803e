import WaybillSystem

extension Paginated.Scheme {
    /// The response that contains a page, as seen by a pagination scheme: the request, the head, and body values by
    /// path.
    public struct Response {
        /// The additions to the list's request that selected this page.
        public let request: Request

        /// The URL of the response.
        public let url: URL

        /// The number of this page, counted from 1.
        public let number: Int

        /// The number of items before this page; nil if unknown, for example after a step back.
        public let itemsBefore: Int?

        /// The number of items on this page, including dropped ones.
        public var itemCount: Int { countItems() }

        /// The requested number of items; nil unless the scheme declares where to send it.
        public let size: Int?

        /// Whether the request used the scheme's declared size if ``size`` is nil.
        ///
        /// A request to a URL from the server does not include the declared size.
        var asksForDeclaredSize = true

        /// Whether the client's origin replaces the origins of links in the response.
        var ignoresOriginOfLinks = false

        /// The header fields of the response.
        public let headerFields: HTTPFields

        let countItems: () -> Int
        let listPath: [EnvelopeKey]
        let lookUp: ([EnvelopeKey]) throws -> PlaceContent

        /// Returns the value at a path in the body.
        ///
        /// - Parameter path: the keys and indices from the top of the body to the value.
        /// - Returns: the value; nil if it is missing or null.
        /// - Throws: the decoder's error if it cannot read the value.
        public func value(at path: EnvelopeKey...) throws -> JSONValue? { try value(at: path) }

        /// Returns the value at a path in the body.
        ///
        /// - Parameter path: the keys and indices from the top of the body to the value.
        /// - Returns: the value; nil if it is missing or null.
        /// - Throws: the decoder's error if it cannot read the value.
        public func value(at path: [EnvelopeKey]) throws -> JSONValue? {
            guard let value = try lookUp(path).value, value != .null else { return nil }
            return value
        }

        /// Returns the value at a path that the body must be able to contain.
        ///
        /// - Throws: ``PaginationProblem`` if the body, or a value before the end of the path, has no members.
        ///   Otherwise, the walk would end although the response does not indicate the last page.
        func value(atPossible path: [EnvelopeKey]) throws -> JSONValue? {
            let content = try lookUp(path)
            if case .blocked(let index, let kind) = content { throw impossible(path, index, kind) }
            // Elsewhere an empty array counts as an empty object, because some servers send one in place of the other.
            // Here it is the list, which has no members.
            if case .missing(0, _) = content, listPath.isEmpty, path.first?.isKey ?? false, itemCount == 0,
                try lookUp([]).value?.arrayValue != nil
            {
                throw impossible(path, 0, "an array")
            }
            guard let value = content.value, value != .null else { return nil }
            return value
        }

        private func impossible(_ path: [EnvelopeKey], _ index: Int, _ kind: String) -> PaginationProblem {
            let parent = index == 0 ? "the body" : path[..<index].pathDescription
            let members = path[index].isKey ? "members" : "elements"
            let links = headerFields[values: .link].flatMap { WebLink.links(in: $0) ?? [] }
            let hasLink = links.contains {
                $0.has(relation: "next") && $0.isAbout(url, ignoringOrigin: ignoresOriginOfLinks)
            }
            return PaginationProblem(
                "\(path.pathDescription) leads to the next page, but \(parent) is \(kind) without \(members); "
                    + (hasLink
                        ? "the field Link names a next page: declare Paginated(.link())"
                        : "correct the path, or declare other paging for this list")
            )
        }

        /// Returns a value of the last item on the page.
        ///
        /// - Parameter path: the keys and indices from the item to the value.
        /// - Returns: the value; nil if the page is empty, or the value is missing or null.
        /// - Throws: the decoder's error if it cannot read the value.
        public func lastItem(_ path: EnvelopeKey...) throws -> JSONValue? { try lastItem(path) }

        package func lastItem(_ path: [EnvelopeKey]) throws -> JSONValue? {
            itemCount == 0 ? nil : try value(at: listPath + [.index(-1)] + path)
        }
    }
}
