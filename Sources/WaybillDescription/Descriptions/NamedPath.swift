import Waybill

/// A path with named parameters in OpenAPI notation, such as `products/{id}/reviews/{review}`.
struct NamedPath {
    private(set) var path = ""
    private(set) var parameters: [DescribedOperation.Parameter] = []

    /// The words of the literal segments, used to name the operation.
    private(set) var words: [String] = []

    private var names: Set<String> = []

    init(_ route: Route.Path) {
        let isOnlyValue = route.pieces.count { $0.isValue } == 1
        for piece in route.pieces {
            switch piece {
            case .literal(let text):
                let literal = path.isEmpty && text.hasPrefix("/") ? String(text.dropFirst()) : text
                path += literal
                words += literal.split(whereSeparator: { "/{}".contains($0) }).map(String.init)
            case .value(let text, let value):
                add(value, example: text, isID: isOnlyValue || value.isID)
            case .secret(_, let value):
                add(value, example: nil, isID: isOnlyValue || value.isID)
            case .segments(let segments):
                let schema = JSONSchema(.string(format: nil), origin: .inferred("the value has several segments"))
                append("segments", schema, .string(segments.joined(separator: "/")))
            case .placeholder: break
            }
        }
    }

    private mutating func add(_ value: DeclaredValue, example: String?, isID: Bool) {
        let schema = JSONSchema(ofText: value.type, example: example)
        let name = value.name ?? (isID ? "id" : (words.last.map { "\($0)_id" } ?? "id"))
        append(name, schema, example.map { schema.value(ofText: $0) })
    }

    private mutating func append(_ name: String, _ schema: JSONSchema, _ example: JSONValue?) {
        let name = names.insertUnique(name)
        path += "{\(name)}"
        parameters.append(
            DescribedOperation.Parameter(name: name, place: .path, schema: schema, isRequired: true, example: example)
        )
    }
}

extension Route.Path.Piece {
    fileprivate var isValue: Bool {
        switch self {
        case .value, .secret: true
        case .literal, .segments, .placeholder: false
        }
    }
}
