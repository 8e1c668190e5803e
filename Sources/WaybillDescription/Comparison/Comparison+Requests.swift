import Waybill
import WaybillJSON

extension Comparison {
    /// Compares the query items and header fields of a call with the document's parameters.
    mutating func addParameters(of call: DescribedOperation, _ operation: DocumentPaths.Operation) {
        let declared = document.parameters(of: operation)
            .filter { ["query", "header"].contains($0.location) && !$0.hasDedicatedClause }
        for parameter in declared {
            let sent = call.parameters.first { parameter.matches($0) }
            if let sent {
                addParameter(sent, parameter, call)
            } else if parameter.isRequired, !call.sends(keyNamed: parameter.name) {
                let clause = parameter.clause
                add(
                    .error,
                    .parameter,
                    call,
                    clause,
                    parameter.place,
                    "the document requires the parameter, but the call does not send it",
                    "declare \(clause.dropLast()), …)"
                )
            }
        }
        addUnlistedParameters(of: call, operation, declared)
    }

    private mutating func addParameter(
        _ sent: DescribedOperation.Parameter,
        _ parameter: DocumentReader.Parameter,
        _ call: DescribedOperation
    ) {
        // An array joined into one string also matches a string in the document.
        if case .array = sent.schema.form, !sent.isExploded {
            let types = DocumentSchema([parameter.located], in: document).types
            if types.contains("string") { return }
        }
        addStyle(sent, parameter, call)
        add(differencesOf: sent.schema, .parameter, call, parameter.clause, .text, parameter.located)
    }

    /// Compares the style of an array in the query.
    private mutating func addStyle(
        _ sent: DescribedOperation.Parameter,
        _ parameter: DocumentReader.Parameter,
        _ call: DescribedOperation
    ) {
        guard sent.place == .query, case .array = sent.schema.form else { return }
        guard DocumentSchema([parameter.located], in: document).types.contains("array") else { return }
        // In the bracket style, the brackets are part of the name, both here and in the document.
        let own: Query.ArrayStyle = sent.isExploded ? .repeated : .commaSeparated
        guard own != parameter.arrays else { return }
        let forms = [Query.ArrayStyle.repeated: "a=1&a=2", .commaSeparated: "a=1,2"]
        add(
            .error,
            .parameter,
            call,
            parameter.clause,
            parameter.place,
            "the call sends an array as \(forms[own] ?? ""), but the document specifies \(parameter.style)",
            parameter.arrays.map { "declare \(parameter.clause.dropLast()), …, as: .\($0))" }
                ?? "declare a string parameter and format the array in that style yourself"
        )
    }

    /// Reports unlisted query items, and unlisted header fields with names similar to a listed one.
    ///
    /// Other unlisted header fields are not reported, because documents rarely list fields common to all operations.
    private mutating func addUnlistedParameters(
        of call: DescribedOperation,
        _ operation: DocumentPaths.Operation,
        _ declared: [DocumentReader.Parameter]
    ) {
        let keys = document.keyNames
        let all = document.parameters(of: operation)
        if all.contains(where: { $0.location == "querystring" }) { return }
        for sent in call.parameters where sent.place != .path {
            let location = sent.place.rawValue
            guard !declared.contains(where: { $0.matches(sent) || $0.includes(sent, in: document) }),
                !keys.contains(sent.name.lowercased()), !call.sends(keyNamed: sent.name)
            else { continue }
            let taken = Set(call.parameters.map(\.name))
            let names = declared.filter { $0.location == location && !taken.contains($0.name) }.map(\.name)
            let similar = SimilarKeys.nearest(to: sent.name, among: names)
            guard sent.place == .query || similar != nil else { continue }
            let isQuery = sent.place == .query
            add(
                .warning,
                .parameter,
                call,
                isQuery ? "Query(\"\(sent.name)\")" : "Header(\"\(sent.name)\")",
                operation.place,
                "the document has no such \(isQuery ? "query item" : "header field")",
                similar.map { "did you mean \"\($0)\"?" } ?? "check its name, or remove it",
                requiresSamePlace: false
            )
        }
    }

    /// Compares the body of a call.
    mutating func addBody(of call: DescribedOperation, _ operation: DocumentPaths.Operation) {
        func addError(_ place: String, _ reason: String, _ advice: String) {
            add(.error, .body, call, "Body", place, reason, advice)
        }
        let expected = document.body(of: operation)
        guard let body = call.body else {
            guard let expected, expected.isRequired else { return }
            return addError(
                expected.place,
                "the document requires a body, but the call sends none",
                "declare Body(…)"
            )
        }
        guard let expected else {
            return addError(operation.place, "the call sends a body, but the document has none", "remove the body")
        }
        if let other = expected.otherJSON(than: body.mediaType) {
            add(
                .warning,
                .mediaType,
                call,
                "Body",
                expected.place,
                "the call sends \(body.mediaType), but the document lists only \(other)",
                "declare Encode(contentType: \"\(other)\") for the operation",
                requiresSamePlace: false
            )
        }
        guard let content = expected.content(of: body.mediaType) else {
            guard !expected.schemas.isEmpty else { return }
            return addError(
                expected.place,
                "the call sends \(body.mediaType), but the document lists "
                    + expected.schemas.map(\.mediaType).joined(separator: ", "),
                "declare Body.Format(as: …) or Encode(contentType: …)"
            )
        }
        let isJSON = MediaType(body.mediaType).isJSON
        if isJSON, body.schema.form == .any, !document.acceptsAnyValue(content.schema) {
            let reason = if case .unknown(let reason) = body.schema.origin { ": \(reason)" } else { "" }
            return add(
                .information,
                .body,
                call,
                "Body",
                content.schema.place,
                "the body is not compared\(reason)",
                ""
            )
        }
        let fields = DocumentSchema([content.schema], in: document)
        let schema = isJSON ? body.schema : body.schema.withFieldNames(of: fields)
        add(differencesOf: schema, .body, call, "Body", isJSON ? .request : .text, content.schema)
    }
}

extension DescribedOperation {
    /// Whether the call sends a credential in a header field or query item with this name.
    func sends(keyNamed name: String) -> Bool {
        plan.credentials.contains { $0.secretName?.lowercased() == name.lowercased() }
    }
}

extension DocumentReader.Parameter {
    var located: LocatedSchema { LocatedSchema(json: schema, place: "\(place)/schema") }

    /// The clause that sends the parameter.
    fileprivate var clause: String { location == "header" ? "Header(\"\(name)\")" : "Query(\"\(name)\")" }

    /// Whether the header field has a dedicated clause, such as `Authorization`.
    fileprivate var hasDedicatedClause: Bool {
        location == "header" && ["accept", "content-type", "authorization"].contains(name.lowercased())
    }

    /// Whether a call's parameter has the same name and location.
    fileprivate func matches(_ sent: DescribedOperation.Parameter) -> Bool {
        guard sent.place.rawValue == location else { return false }
        return location == "header" ? sent.name.lowercased() == name.lowercased() : sent.name == name
    }

    /// Whether a call's parameter is part of this one.
    ///
    /// Examples are `tags[]`, `filter[name]`, and a member of an object whose members are separate parameters.
    fileprivate func includes(_ sent: DescribedOperation.Parameter, in document: DocumentReader) -> Bool {
        guard location == "query", sent.place == .query else { return false }
        if sent.name.contains("["), sent.name.prefix(while: { $0 != "[" }) == name.prefix(while: { $0 != "[" }) {
            return true
        }
        let schema = DocumentSchema([located], in: document)
        guard schema.types.contains("object") else { return false }
        return schema.properties[sent.name] != nil || schema.isOpen || schema.properties.isEmpty
    }
}

extension DocumentReader {
    /// The lowercase names of the document's API keys.
    fileprivate var keyNames: Set<String> {
        let schemes = json["components"]?["securitySchemes"] ?? json["securityDefinitions"]
        return Set(
            (schemes?.objectValue ?? [:]).values.compactMap { resolving($0, at: "").json["name"]?.stringValue }
                .map { $0.lowercased() }
        )
    }

    /// Whether a schema allows any value.
    fileprivate func acceptsAnyValue(_ schema: LocatedSchema) -> Bool {
        let schema = DocumentSchema([schema], in: self)
        return schema.types.isEmpty && schema.alternatives(splitsTypes: false).isEmpty
    }
}

extension JSONSchema {
    /// Returns the schema of a form without the types of its fields, because all values are strings.
    ///
    /// A bracketed name such as `tags[]` or `price[amount]` is cut before the bracket, unless the document lists the
    /// whole name.
    fileprivate func withFieldNames(of other: DocumentSchema) -> JSONSchema {
        guard case .object(let properties) = form else { return self }
        let names = properties.map { property in
            other.properties[property.key] == nil ? String(property.key.prefix { $0 != "[" }) : property.key
        }
        return JSONSchema(
            .object(names.uniqued.map { Property($0, JSONSchema(.any, origin: .sampled), isRequired: false) })
        )
    }
}

extension DocumentReader.Contents {
    /// Returns the first listed JSON type if neither the given JSON type nor a range is listed; otherwise nil.
    fileprivate func otherJSON(than type: String) -> String? {
        let types = schemas.map(\.mediaType)
        guard MediaType(type).isJSON, !types.contains(type), !types.contains(where: { $0.contains("*") }) else {
            return nil
        }
        return types.first { MediaType($0).isJSON }
    }
}
