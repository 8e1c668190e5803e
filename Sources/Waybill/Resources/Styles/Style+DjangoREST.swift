import WaybillSystem

extension Style {
    /// The conventions of Django REST framework: pages with `results`, `next`, `previous` and `count`; errors as
    /// ``Style/DjangoProblem``; and patches of type `application/json`.
    ///
    /// Paths in Django REST framework end in a slash: `resource("products/")`. For an unpaginated list, whose body is
    /// the array itself, declare `Envelope.none`.
    public static let djangoREST = Style("Django REST framework") {
        Envelope(list: "results")
        Paginated(.next(at: "next", previous: .value("previous"), total: .value("count")))
        Problem(Style.DjangoProblem.self)
        On(.patch) { Header(.contentType, "application/json") }
    }
}

extension Style {
    /// An error response in the format of Django REST framework: one message, or messages by field.
    ///
    /// It decodes `{"detail": "Not found."}`, `{"name": ["This field is required."]}` and `["Invalid."]`.
    public struct DjangoProblem: Decodable, Sendable, Hashable {
        /// The message for the request as a whole; nil if there are only messages by field.
        public let detail: String?

        /// The messages by field; those not about a particular field are under `non_field_errors`.
        public let fields: [String: [String]]

        /// Decodes a problem in any of its forms.
        ///
        /// - Parameter decoder: the decoder to read from.
        /// - Throws: `DecodingError` if the document is not valid JSON.
        public init(from decoder: any Decoder) throws {
            let value = try JSONValue(from: decoder)
            let texts = { (value: JSONValue) -> [String] in
                (value.arrayValue ?? [value]).map { $0.stringValue ?? $0.description }
            }
            guard let object = value.objectValue else {
                detail = texts(value).joined(separator: " ")
                fields = [:]
                return
            }
            let whole = object["detail"]?.stringValue
            detail = whole
            fields = object.filter { $0.key != "detail" || whole == nil }.mapValues(texts)
        }
    }
}

extension Style.DjangoProblem: LocalizedError {
    /// The message for the request as a whole or, without one, the messages of all fields, all written for users.
    public var errorDescription: String? {
        detail ?? fields.sorted { $0.key < $1.key }.flatMap(\.value).joined(separator: " ")
    }
}

extension Style.DjangoProblem: CustomStringConvertible {
    /// The messages, each preceded by the name of its field.
    public var description: String {
        let named = fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.joined(separator: " "))" }
        return ([detail].compactMap { $0 } + named).joined(separator: "; ")
    }
}
