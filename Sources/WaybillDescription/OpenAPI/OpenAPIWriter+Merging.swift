import Waybill

/// The calls of one method and path, which a document cannot tell apart: one operation, in which all of them are.
struct MergedOperation {
    /// The calls, in the order of the list.
    let calls: [DescribedOperation]

    /// The path, whose values have the names of the first call of all methods.
    let path: String

    var method: HTTPRequest.Method { calls[0].method }

    /// The calls of a description, each method and path once.
    static func all(_ operations: [DescribedOperation]) -> [MergedOperation] {
        var paths: [String: String] = [:]
        var merged: [MergedOperation] = []
        for operation in operations {
            let path = paths[operation.pathTemplate] ?? operation.path
            paths[operation.pathTemplate] = path
            let renamed = operation.renamed(path)
            if let index = merged.firstIndex(where: { $0.method == operation.method && $0.path == path }) {
                merged[index] = MergedOperation(calls: merged[index].calls + [renamed], path: path)
            } else {
                merged.append(MergedOperation(calls: [renamed], path: path))
            }
        }
        return merged
    }

    /// The names of the calls; nil if there is only one.
    var summary: String? {
        guard calls.count > 1 else { return nil }
        return "One of several calls: \(calls.map(\.identifier).joined(separator: ", "))."
    }

    /// The parameters of all calls, required if each call has them so, with their examples by the names of the calls.
    var parameters: [(parameter: DescribedOperation.Parameter, examples: [String: JSONValue])] {
        var all: [(parameter: DescribedOperation.Parameter, examples: [String: JSONValue])] = []
        for call in calls {
            for parameter in call.parameters {
                let index = all.firstIndex {
                    $0.parameter.name == parameter.name && $0.parameter.place == parameter.place
                }
                let example = parameter.example.map { [call.identifier: $0] } ?? [:]
                guard let index else {
                    all.append((parameter, example))
                    continue
                }
                all[index].parameter.schema = all[index].parameter.schema.joined(parameter.schema)
                all[index].examples.merge(example) { first, _ in first }
            }
        }
        return all.map { parameter, examples in
            var parameter = parameter
            parameter.isRequired = calls.allSatisfy { call in
                call.parameters.contains {
                    $0.name == parameter.name && $0.place == parameter.place && $0.isRequired
                }
            }
            return (parameter, examples)
        }
    }

    /// The bodies of all calls, each media type once, with their examples by the names of the calls.
    var bodies: [(body: DescribedOperation.Body, examples: [String: JSONValue])] {
        var all: [(body: DescribedOperation.Body, examples: [String: JSONValue])] = []
        for call in calls {
            guard let body = call.body else { continue }
            let example = body.example.map { [call.identifier: $0] } ?? [:]
            if let index = all.firstIndex(where: { $0.body.mediaType == body.mediaType }) {
                all[index].body.schema = all[index].body.schema.joined(body.schema)
                all[index].body.parts.merge(body.parts) { first, _ in first }
                all[index].examples.merge(example) { first, _ in first }
            } else {
                all.append((body, example))
            }
        }
        return all
    }

    /// Whether each call sends a body.
    var requiresBody: Bool { calls.allSatisfy { $0.body?.isRequired ?? false } }

    /// The responses of all calls, each status and media type once.
    var responses: [DescribedOperation.Response] {
        var all: [DescribedOperation.Response] = []
        for response in calls.flatMap(\.responses) {
            let index = all.firstIndex { $0.status == response.status && $0.mediaType == response.mediaType }
            guard let index else {
                all.append(response)
                continue
            }
            if let own = all[index].schema, let other = response.schema, all[index].isStream == response.isStream {
                all[index].schema = own.joined(other)
            }
        }
        return all
    }

    /// The credentials of each call, equal ones once; none for a call without any.
    var credentials: [[Authorization.Credential]] {
        var names: Set<[String]> = []
        return calls.map(\.credentials).filter { names.insert($0.map(\.schemeName)).inserted }
    }

    var tags: [String] { calls.compactMap(\.tag).uniqued }
}

extension JSONSchema {
    /// Returns a schema that allows what either of two schemas allows.
    fileprivate func joined(_ other: JSONSchema) -> JSONSchema {
        func options(_ schema: JSONSchema) -> [JSONSchema] {
            if case .anyOf(let schemas) = schema.form, !schema.isNullable { schemas } else { [schema] }
        }
        let all = (options(self) + options(other)).uniqued
        return self == other ? self : all.count == 1 ? all[0] : JSONSchema(.anyOf(all))
    }
}

extension DescribedOperation {
    /// Returns the operation at an equal path whose values have other names.
    fileprivate func renamed(_ other: String) -> DescribedOperation {
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
