import Waybill
import WaybillJSON
import WaybillSessions

extension Comparison {
    /// Reports required cookies that a call does not send.
    mutating func addCookies(of call: DescribedOperation, _ operation: DocumentPaths.Operation) {
        // The contents of a cookie jar are only known at run time.
        guard call.plan.settings[Cookies.self] == nil else { return }
        let sent = call.cookieNames
        for parameter in document.parameters(of: operation) where parameter.location == "cookie" {
            guard parameter.isRequired, !sent.contains(parameter.name) else { continue }
            add(
                .error,
                .parameter,
                call,
                "Header(.cookie)",
                parameter.place,
                "the document requires the cookie \(parameter.name), but the call does not send it",
                "declare Cookies(…), or Header(.cookie, \"\(parameter.name)=…\")"
            )
        }
    }

    /// Compares the credentials of a call with the document's security schemes.
    mutating func addSecurity(of call: DescribedOperation, _ operation: DocumentPaths.Operation) {
        let place = operation.json["security"] == nil ? "#/security" : "\(operation.place)/security"
        let alternatives = document.security(of: operation)
        guard !alternatives.isEmpty, !alternatives.contains(where: { call.satisfies($0) }) else { return }
        let schemes = alternatives.map { $0.map(\.description).joined(separator: " and ") }.uniqued
        let required = schemes.joined(separator: ", or ")
        guard !call.plan.credentials.isEmpty else {
            return add(
                .information,
                .parameter,
                call,
                "Authorization",
                place,
                "the document requires \(required), but the call declares no credential",
                ""
            )
        }
        let sent = call.plan.credentials.map(\.phrase).joined(separator: " and ")
        add(
            .warning,
            .parameter,
            call,
            "Authorization",
            place,
            "the call sends \(sent), but the document requires \(required)",
            "declare the required credential in Authorization"
        )
    }
}

extension DocumentReader {
    /// A security scheme in a document.
    enum SecurityScheme: CustomStringConvertible {
        /// The lowercase name of an `Authorization` scheme; empty if any scheme is accepted.
        case authorization(String)
        case field(String)
        case query(String)
        case cookie(String)
        /// A scheme of a different type, such as mutual TLS.
        case other(String)

        var description: String {
            switch self {
            case .authorization(let scheme): scheme.isEmpty ? "an Authorization field" : "\(scheme) authorization"
            case .field(let name): "a key in the header field \(name)"
            case .query(let name): "a key in the query item \(name)"
            case .cookie(let name): "a key in the cookie \(name)"
            case .other(let name): "the security scheme \(name)"
            }
        }
    }

    /// Returns the alternative sets of security schemes of an operation; empty if it needs no credential.
    func security(of operation: DocumentPaths.Operation) -> [[SecurityScheme]] {
        let declared = (operation.json["security"] ?? json["security"])?.arrayValue ?? []
        let alternatives = declared.compactMap { $0.objectValue?.keys.sorted() }
        guard !alternatives.contains([]) else { return [] }
        let schemes = json["components"]?["securitySchemes"] ?? json["securityDefinitions"]
        return alternatives.map { names in
            names.map { name in
                schemes?[name].map { SecurityScheme(resolving($0, at: "").json, name) } ?? .other(name)
            }
        }
    }
}

extension DocumentReader.SecurityScheme {
    fileprivate init(_ json: JSONValue, _ name: String) {
        let key = json["name"]?.stringValue ?? ""
        switch (json["type"]?.stringValue, json["in"]?.stringValue) {
        case ("http", _): self = .authorization((json["scheme"]?.stringValue ?? "").lowercased())
        case ("basic", _): self = .authorization("basic")
        case ("oauth2", _), ("openIdConnect", _): self = .authorization("bearer")
        // An API key in `Authorization` can use any authentication scheme.
        case ("apiKey", "header") where key.lowercased() == "authorization": self = .authorization("")
        case ("apiKey", "header"): self = .field(key)
        case ("apiKey", "query"): self = .query(key)
        case ("apiKey", "cookie"): self = .cookie(key)
        default: self = .other(name)
        }
    }
}

extension DescribedOperation {
    /// The names of the cookies in declared `Cookie` header fields.
    fileprivate var cookieNames: Set<String> {
        let pairs = plan.headerFields[values: .cookie].flatMap { $0.split(separator: ";") }
        return Set(pairs.map { String($0.drop { $0 == " " }.prefix { $0 != "=" && $0 != " " }) })
    }

    /// Whether the call sends a credential for every scheme in a set.
    fileprivate func satisfies(_ schemes: [DocumentReader.SecurityScheme]) -> Bool {
        schemes.allSatisfy { scheme in
            switch scheme {
            case .authorization(let name): sendsAuthorization(name)
            case .field(let name): sends(keyNamed: name) || has(name, in: .header)
            case .query(let name): sends(keyNamed: name) || has(name, in: .query)
            case .cookie(let name): cookieNames.contains(name) || plan.settings[Cookies.self] != nil
            // The declaration does not reveal whether the scheme is satisfied, for example by the connection.
            case .other: true
            }
        }
    }

    private func sendsAuthorization(_ scheme: String) -> Bool {
        if plan.headerFields.contains(.authorization) { return true }
        return plan.credentials.contains { credential in
            credential.place == .authorization && (scheme.isEmpty || credential.scheme.lowercased() == scheme)
        }
    }

    private func has(_ name: String, in place: Parameter.Place) -> Bool {
        let other = Parameter(name: name, place: place, schema: JSONSchema(.any), isRequired: false)
        return parameters.contains { $0.isSameParameter(as: other) }
    }
}

extension Authorization.Credential {
    /// A phrase that names the location and scheme of the credential.
    fileprivate var phrase: String {
        switch place {
        case .authorization: "\(scheme.lowercased()) authorization"
        case .field(let name): "a key in the header field \(name)"
        case .query(let name): "a key in the query item \(name)"
        }
    }
}
