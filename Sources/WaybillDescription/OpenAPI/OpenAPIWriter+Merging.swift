import Waybill

/// The calls that share a method and a path, which OpenAPI can only describe as one operation.
struct MergedOperation {
    /// The calls, in listing order.
    private(set) var calls: [DescribedOperation]

    /// The path, with the parameter names of the first call at an equivalent path.
    let path: String

    var method: HTTPRequest.Method { calls[0].plan.method }

    /// Returns one operation for each method and path.
    static func all(_ operations: [DescribedOperation]) -> [MergedOperation] {
        var paths: [String: String] = [:]
        let each = operations.map { operation in
            // OpenAPI treats paths that differ only in parameter names as identical.
            let template = operation.path.withoutNames
            let path = paths[template] ?? operation.path
            paths[template] = path
            return MergedOperation(calls: [operation.renamingParameters(after: path)], path: path)
        }
        return each.merged(sharing: { ["\($0.method)", $0.path] }) { $0.calls += $1.calls }
    }

    /// A description that lists the merged calls; nil for a single call.
    var summary: String? {
        guard calls.count > 1 else { return nil }
        return "One of several calls: \(calls.map(\.identifier).joined(separator: ", "))."
    }

    /// The parameters of all calls, with examples keyed by call.
    ///
    /// A parameter is required only if every call requires it.
    var parameters: [(parameter: DescribedOperation.Parameter, examples: [String: JSONValue])] {
        let all = calls.flatMap { call in
            call.parameters.map { (parameter: $0, examples: $0.example.map { [call.identifier: $0] } ?? [:]) }
        }
        return all.merged(sharing: { [$0.parameter.place.rawValue, $0.parameter.name] }) { merged, other in
            merged.parameter.schema = merged.parameter.schema.union(other.parameter.schema)
            merged.examples.merge(other.examples) { first, _ in first }
        }.map { parameter, examples in
            var parameter = parameter
            parameter.isRequired = calls.allSatisfy { call in
                call.parameters.contains {
                    $0.name == parameter.name && $0.place == parameter.place && $0.isRequired
                }
            }
            return (parameter, examples)
        }
    }

    /// The bodies of all calls, merged by media type, with examples keyed by call.
    var bodies: [(body: DescribedOperation.Body, examples: [String: JSONValue])] {
        let all = calls.compactMap { call in
            call.body.map { (body: $0, examples: $0.example.map { [call.identifier: $0] } ?? [:]) }
        }
        return all.merged(sharing: \.body.mediaType) { merged, other in
            merged.body.schema = merged.body.schema.union(other.body.schema)
            merged.body.parts.merge(other.body.parts) { first, _ in first }
            merged.examples.merge(other.examples) { first, _ in first }
        }
    }

    /// Whether every call requires a body.
    var requiresBody: Bool { calls.allSatisfy { $0.body?.isRequired ?? false } }

    /// The responses of all calls, merged by status and media type.
    var responses: [DescribedOperation.Response] {
        calls.flatMap(\.responses).merged(sharing: { [$0.status, $0.mediaType] }) { merged, other in
            if let schema = merged.schema, let second = other.schema, merged.isStream == other.isStream {
                merged.schema = schema.union(second)
            }
        }
    }

    /// The distinct sets of credentials; an empty set for calls without credentials.
    var credentials: [[Authorization.Credential]] {
        var names: Set<[String]> = []
        return calls.map(\.plan.credentials).filter { names.insert($0.map(\.schemeName)).inserted }
    }

    var tags: [String] { calls.compactMap(\.tag).uniqued }
}

extension Array {
    /// Returns the elements, with those that share a key merged into the first one.
    fileprivate func merged<Key: Hashable>(
        sharing key: (Element) -> Key,
        _ merge: (inout Element, Element) -> Void
    ) -> [Element] {
        var indices: [Key: Int] = [:]
        return reduce(into: []) { all, element in
            let key = key(element)
            if let index = indices[key] {
                merge(&all[index], element)
            } else {
                indices[key] = all.count
                all.append(element)
            }
        }
    }
}

extension JSONSchema {
    /// Returns a schema that allows the values of either schema.
    func union(_ other: JSONSchema) -> JSONSchema {
        func options(_ schema: JSONSchema) -> [JSONSchema] {
            if case .anyOf(let schemas) = schema.form, !schema.isNullable { schemas } else { [schema] }
        }
        let all = (options(self) + options(other)).uniqued
        return self == other ? self : all.count == 1 ? all[0] : JSONSchema(.anyOf(all))
    }
}

extension String {
    /// The path with `{}` in place of each parameter.
    fileprivate var withoutNames: String {
        let parts = split(separator: "{", omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(String(parts.first ?? "")) { text, part in
            text + "{" + part.drop { $0 != "}" }
        }
    }
}

extension DescribedOperation {
    /// Returns the operation with the parameter names of an equivalent path.
    fileprivate func renamingParameters(after other: String) -> DescribedOperation {
        guard other != path else { return self }
        var operation = self
        let names = other.split(separator: "{").dropFirst().map { String($0.prefix { $0 != "}" }) }
        let values = parameters.indices.filter { parameters[$0].place == .path }
        guard names.count == values.count else { return self }
        for (index, name) in zip(values, names) { operation.parameters[index].name = name }
        operation.path = other
        return operation
    }
}
