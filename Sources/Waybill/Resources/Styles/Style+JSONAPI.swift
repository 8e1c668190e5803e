import WaybillSystem

extension Style {
    /// The conventions of JSON:API 1.1: `application/vnd.api+json` both ways, the document's `data` member, links to
    /// the next and the previous page, and failures as ``Style/JSONAPIProblem``.
    ///
    /// Entities are resource objects: `id`, `type` and `attributes`.
    public static let jsonAPI = Style("JSON:API") {
        Header(.accept, "application/vnd.api+json")
        Encode(contentType: "application/vnd.api+json")
        Envelope("data")
        Bodies(under: "data")
        Paginated(.next(at: "links", "next", previous: .value("links", "prev")))
        Problem(Style.JSONAPIProblem.self)
        On(.patch) { Bodies.Differences(keeping: "type", "id") }
    }
}

extension Style {
    /// A failure as JSON:API words it: one or more error objects.
    public struct JSONAPIProblem: Decodable, Sendable, Hashable {
        /// One error object.
        ///
        /// Every member is optional, as in the specification.
        public struct Entry: Decodable, Sendable, Hashable {
            /// The part of the request that is at fault.
            public struct Source: Decodable, Sendable, Hashable {
                /// A JSON pointer (RFC 6901) into the document that was sent.
                public let pointer: String?
                /// The name of a query item.
                public let parameter: String?
                /// The name of a header field.
                public let header: String?
            }

            /// The status, as text.
            public let status: String?
            /// A code of the application's own.
            public let code: String?
            /// The kind of problem, for people.
            public let title: String?
            /// The explanation of this occurrence, for people.
            public let detail: String?
            /// The part of the request that is at fault.
            public let source: Source?
        }

        /// The error objects.
        public let errors: [Entry]
    }
}

extension Style.JSONAPIProblem: LocalizedError {
    /// The details, or else the titles: both are for people.
    public var errorDescription: String? {
        let texts = errors.compactMap { $0.detail ?? $0.title }
        return texts.isEmpty ? nil : texts.joined(separator: " ")
    }
}

extension Style.JSONAPIProblem: CustomStringConvertible {
    /// The details, with their source.
    public var description: String {
        errors.map { entry in
            let text = entry.detail ?? entry.title ?? entry.code ?? "no detail"
            let place = entry.source?.pointer ?? entry.source?.parameter ?? entry.source?.header
            return place.map { "\($0): \(text)" } ?? text
        }.joined(separator: "; ")
    }
}
