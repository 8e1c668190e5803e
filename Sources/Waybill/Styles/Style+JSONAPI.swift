import Foundation

extension Style {
    /// The conventions of JSON:API 1.1: `application/vnd.api+json` both ways, the document's `data` member, links to
    /// the next and the previous page, and failures as ``JSONAPIProblem``.
    ///
    /// Entities are resource objects: `id`, `type` and `attributes`.
    public static let jsonAPI = Style("JSON:API") {
        Header(.accept, JSONAPIEncoder.mediaType)
        Encode(with: JSONAPIEncoder())
        Envelope("data")
        Bodies(under: "data")
        Paginated(.next(at: "links", "next", previous: .value("links", "prev")))
        Problem(JSONAPIProblem.self)
        On(.patch) {
            Header(.contentType, JSONAPIEncoder.mediaType)
            Differences(keeping: "type", "id")
        }
    }
}

/// JSON under the media type of JSON:API.
private struct JSONAPIEncoder: RequestEncoder {
    static let mediaType = "application/vnd.api+json"

    var contentType: String { Self.mediaType }

    func encode<Value: Encodable>(_ value: Value) throws -> Data { try JSONDefaults.encoder.encode(value) }
}

/// A failure as JSON:API words it: one or more error objects.
public struct JSONAPIProblem: Decodable, Sendable, Hashable {
    /// One error object.
    ///
    /// Every member is optional, as in the specification.
    public struct Entry: Decodable, Sendable, Hashable {
        /// What a part of the request is at fault.
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
        /// What kind of problem it is, for people.
        public let title: String?
        /// What happened this time, for people.
        public let detail: String?
        /// What part of the request is at fault.
        public let source: Source?
    }

    /// The error objects.
    public let errors: [Entry]
}

extension JSONAPIProblem: CustomStringConvertible {
    /// The details, with what they are about.
    public var description: String {
        errors.map { entry in
            let text = entry.detail ?? entry.title ?? entry.code ?? "no detail"
            let place = entry.source?.pointer ?? entry.source?.parameter ?? entry.source?.header
            return place.map { "\($0): \(text)" } ?? text
        }.joined(separator: "; ")
    }
}
