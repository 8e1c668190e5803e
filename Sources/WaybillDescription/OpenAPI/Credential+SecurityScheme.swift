import Waybill

extension Authorization.Credential {
    /// The name of the credential's scheme in a document.
    var schemeName: String {
        switch place {
        case .authorization: scheme.lowercased()
        case .field(let name): "key-in-\(name)"
        case .query(let name): "key-in-query-\(name)"
        }
    }

    /// The scheme of the credential, as OpenAPI describes it.
    var securityScheme: JSONValue {
        switch place {
        case .authorization: ["type": "http", "scheme": .string(scheme.lowercased())]
        case .field(let name): ["type": "apiKey", "in": "header", "name": .string(name)]
        case .query(let name): ["type": "apiKey", "in": "query", "name": .string(name)]
        }
    }
}
