import Waybill

/// A reader of OpenAPI and Swagger documents that abstracts over the differences between versions.
struct DocumentReader {
    let json: JSONValue
    private let isSwagger: Bool

    init(_ document: OpenAPIDocument) {
        json = document.json
        isSwagger = json["swagger"] != nil
    }

    /// Returns the target of a reference within the document; nil if it does not exist.
    func resolve(_ reference: String) -> (json: JSONValue, place: String)? {
        guard reference.hasPrefix("#/") else { return nil }
        var value = json
        for step in reference.dropFirst(2).split(separator: "/", omittingEmptySubsequences: false) {
            // `~0` is replaced last, so `~01` becomes `~1` (RFC 6901, section 4).
            let key = step.percentDecoded.replacing("~1", with: "/").replacing("~0", with: "~")
            guard let next = value[key] ?? Int(key).flatMap({ value[$0] }) else { return nil }
            value = next
        }
        return (value, reference)
    }

    /// Returns an object of the document, or its target if the object is a reference.
    func resolving(_ json: JSONValue, at place: String) -> (json: JSONValue, place: String) {
        guard let reference = json["$ref"]?.stringValue, let target = resolve(reference) else { return (json, place) }
        return target
    }

    /// The unresolvable references, each with its first location, sorted by location.
    var brokenReferences: [(reference: String, place: String)] {
        var found: [String: String] = [:]
        addBrokenReferences(of: json, at: "#", to: &found)
        return found.map { ($0.key, $0.value) }.sorted { $0.place < $1.place }
    }

    private func addBrokenReferences(of json: JSONValue, at place: String, to found: inout [String: String]) {
        switch json {
        case .object(let members):
            if let reference = members["$ref"]?.stringValue, resolve(reference) == nil {
                found[reference] = found[reference].map { min($0, place) } ?? place
            }
            // A `$ref` in one of these members is data, not a reference.
            for (key, member) in members where !["example", "examples", "default", "enum", "const"].contains(key) {
                addBrokenReferences(of: member, at: "\(place)/\(key.replacingPointerCharacters)", to: &found)
            }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                addBrokenReferences(of: element, at: "\(place)/\(index)", to: &found)
            }
        default: break
        }
    }

    /// The possible paths of a client's base URL.
    ///
    /// The list is empty if the document does not determine them, for example if a server URL is relative.
    var serverPaths: [String] {
        if isSwagger { return json["basePath"]?.stringValue.map { [$0] } ?? [] }
        let servers = json["servers"]?.arrayValue ?? []
        return servers.allSatisfy { $0["url"]?.stringValue?.contains("://") ?? false } ? prefixes : []
    }

    /// The path prefixes of the document's servers, or its base path in Swagger 2.0.
    var prefixes: [String] {
        if isSwagger { return [json["basePath"]?.stringValue ?? ""] }
        return (json["servers"]?.arrayValue ?? []).compactMap { server in
            guard var url = server["url"]?.stringValue else { return nil }
            for (name, variable) in server["variables"]?.objectValue ?? [:] {
                url = url.split(separator: "{\(name)}", omittingEmptySubsequences: false)
                    .joined(separator: variable["default"]?.stringValue ?? "")
            }
            // Not parsed as a `URL`, which rejects the braces of undefined variables.
            guard let scheme = url.firstRange(of: "://") else { return url }
            return url[scheme.upperBound...].firstIndex(of: "/").map { String(url[$0...]) } ?? ""
        }
    }
}

extension DocumentReader {
    /// A parameter of an operation.
    struct Parameter {
        let name: String
        let place: String
        let location: String
        let isRequired: Bool
        let schema: JSONValue

        /// The style of arrays in a query; nil if no clause can produce it.
        let arrays: Query.ArrayStyle?

        /// The style in the terms of the document.
        let style: String
    }

    /// Returns the parameters of an operation, including those of its path item.
    func parameters(of operation: DocumentPaths.Operation) -> [Parameter] {
        let own = operation.json["parameters"]?.arrayValue ?? []
        let shared = operation.path.json["parameters"]?.arrayValue ?? []
        let all =
            own.enumerated().map { ($1, "\(operation.place)/parameters/\($0)") }
            + shared.enumerated().map { ($1, "\(operation.path.place)/parameters/\($0)") }
        var seen: Set<String> = []
        return all.compactMap { json, place in
            let (parameter, place) = resolving(json, at: place)
            guard let name = parameter["name"]?.stringValue, let location = parameter["in"]?.stringValue,
                seen.insert("\(location) \(name)").inserted
            else { return nil }
            let (arrays, style) = arrayStyle(of: parameter)
            return Parameter(
                name: name,
                place: place,
                location: location,
                isRequired: parameter["required"] == true,
                schema: parameter["schema"] ?? (isSwagger ? parameter : [:]),
                arrays: arrays,
                style: style
            )
        }
    }

    /// Returns the array style of a parameter, as declared by a clause and in the terms of the document.
    private func arrayStyle(of parameter: JSONValue) -> (Query.ArrayStyle?, String) {
        if isSwagger {
            let format = parameter["collectionFormat"]?.stringValue ?? "csv"
            let known: [String: Query.ArrayStyle] = ["csv": .commaSeparated, "multi": .repeated]
            return (known[format], "collectionFormat \(format)")
        }
        let style = parameter["style"]?.stringValue ?? "form"
        let isExploded = parameter["explode"]?.boolValue ?? (style == "form")
        let name = "style \(style)\(isExploded ? "" : ", explode false")"
        guard style == "form" else { return (nil, name) }
        return (isExploded ? .repeated : .commaSeparated, name)
    }

    /// A media type and its schema.
    struct Content {
        let mediaType: String
        let located: LocatedSchema

        init(_ mediaType: String, _ schema: JSONValue, at place: String) {
            self.mediaType = mediaType
            located = LocatedSchema(json: schema, place: place)
        }
    }

    /// The contents of a body, one for each media type.
    struct Contents {
        let place: String
        let isRequired: Bool
        let schemas: [Content]
        /// The names of a response's header fields.
        var fields: [String] = []
    }

    /// Returns the request body of an operation; nil if it has none.
    func body(of operation: DocumentPaths.Operation) -> Contents? {
        if isSwagger {
            let types = mediaTypes("consumes", of: operation)
            let parameters = parameters(of: operation)
            guard let body = parameters.first(where: { $0.location == "body" }) else {
                return form(of: parameters, types, at: operation.place)
            }
            return Contents(
                place: body.place,
                isRequired: body.isRequired,
                schemas: types.map { Content($0, body.schema, at: "\(body.place)/schema") }
            )
        }
        guard let declared = operation.json["requestBody"] else { return nil }
        let (body, place) = resolving(declared, at: "\(operation.place)/requestBody")
        return Contents(place: place, isRequired: body["required"] == true, schemas: contents(of: body, at: place))
    }

    /// Returns the form fields of a Swagger 2.0 operation as a body; nil without form fields.
    private func form(of parameters: [Parameter], _ types: [String], at place: String) -> Contents? {
        let fields = parameters.filter { $0.location == "formData" }
        guard !fields.isEmpty else { return nil }
        let schema: JSONValue = [
            "type": "object",
            "properties": .object(Dictionary(fields.map { ($0.name, $0.schema) }) { first, _ in first }),
            "required": .array(fields.filter(\.isRequired).map { .string($0.name) }),
        ]
        let forms = types.filter { !MediaType($0).isJSON }
        let all = forms.isEmpty ? ["application/x-www-form-urlencoded", "multipart/form-data"] : forms
        return Contents(
            place: place,
            isRequired: fields.contains(where: \.isRequired),
            schemas: all.map { Content($0, schema, at: "\(place)/parameters") }
        )
    }

    /// Returns the responses of an operation, sorted by status.
    func responses(of operation: DocumentPaths.Operation) -> [(status: String, contents: Contents)] {
        (operation.json["responses"]?.objectValue ?? [:]).sorted { $0.key < $1.key }.map { status, declared in
            let (response, place) = resolving(declared, at: "\(operation.place)/responses/\(status)")
            let schemas =
                if isSwagger {
                    mediaTypes("produces", of: operation).compactMap { type in
                        response["schema"].map { Content(type, $0, at: "\(place)/schema") }
                    }
                } else {
                    contents(of: response, at: place)
                }
            let fields = (response["headers"]?.objectValue ?? [:]).keys.sorted()
            let contents = Contents(place: place, isRequired: false, schemas: schemas, fields: fields)
            return (status.uppercased(), contents)
        }
    }

    /// Returns the media types of a Swagger 2.0 operation under the given key, which default to those of the document.
    private func mediaTypes(_ key: String, of operation: DocumentPaths.Operation) -> [String] {
        (operation.json[key] ?? json[key])?.arrayValue?.compactMap(\.stringValue) ?? ["application/json"]
    }

    private func contents(of json: JSONValue, at place: String) -> [Content] {
        (json["content"]?.objectValue ?? [:]).sorted { $0.key < $1.key }.map { type, media in
            let keyword = media["schema"] == nil && media["itemSchema"] != nil ? "itemSchema" : "schema"
            let pointer = "\(place)/content/\(type.replacingPointerCharacters)/\(keyword)"
            return Content(MediaType(type).essence, media[keyword] ?? [:], at: pointer)
        }
    }
}
