import WaybillSystem

extension Style {
    /// The conventions of JSON:API 1.1: `application/vnd.api+json` for requests and responses, content in the `data`
    /// member of the document, links to the next and previous pages, and errors as ``Style/JSONAPIProblem``.
    ///
    /// Entities are resource objects with `id`, `type` and `attributes`.
    public static let jsonAPI = Style("JSON:API") {
        Header(.accept, "application/vnd.api+json")
        Encode(contentType: "application/vnd.api+json")
        Envelope("data")
        Body.Format(under: "data")
        Paginated(.next(at: "links", "next", previous: .value("links", "prev")))
        Problem(Style.JSONAPIProblem.self)
        On(.patch) { Body.Differences(keeping: "type", "id") }
    }
}

extension Style {
    /// An error response in the format of JSON:API: one or more error objects.
    public struct JSONAPIProblem: Decodable, Sendable, Hashable {
        /// An error object, whose members are all optional.
        public struct Entry: Decodable, Sendable, Hashable {
            /// The part of the request that caused the error.
            public struct Source: Decodable, Sendable, Hashable {
                /// A JSON Pointer (RFC 6901) into the request document.
                public let pointer: String?
                /// The name of a query parameter.
                public let parameter: String?
                /// The name of a header field.
                public let header: String?
            }

            /// The HTTP status code, as a string.
            public let status: String?
            /// An application-specific error code.
            public let code: String?
            /// A summary of the problem, for users.
            public let title: String?
            /// An explanation of this occurrence of the problem, for users.
            public let detail: String?
            /// The part of the request that caused the error.
            public let source: Source?
        }

        /// The error objects.
        public let errors: [Entry]
    }
}

extension Style.JSONAPIProblem: LocalizedError {
    /// The detail of each error or, without one, its title, both written for users; nil if no error has either.
    public var errorDescription: String? {
        let texts = errors.compactMap { $0.detail ?? $0.title }
        return texts.isEmpty ? nil : texts.joined(separator: " ")
    }
}

extension Style.JSONAPIProblem: CustomStringConvertible {
    /// The detail, title or code of each error, preceded by its source.
    public var description: String {
        errors.map { entry in
            let text = entry.detail ?? entry.title ?? entry.code ?? "no detail"
            let place = entry.source?.pointer ?? entry.source?.parameter ?? entry.source?.header
            return place.map { "\($0): \(text)" } ?? text
        }.joined(separator: "; ")
    }
}
