import Foundation
import Waybill
import WaybillDescription

/// An example of a response; unless ``problem`` is set, no declared problem matches it.
struct MockExample: Sendable {
    /// The value, without its envelope.
    let value: JSONValue

    /// The declared metadata alongside the value.
    let metadata: [(path: [EnvelopeKey], value: JSONValue)]

    /// The declared problem that matches every candidate; nil if the example is a success.
    let problem: String?
}

/// A search for an example response that no declared problem matches.
struct MockExampleSearch {
    /// A part of a response: its path, schema and type.
    struct Part {
        let path: [EnvelopeKey]
        let schema: JSONSchema
        let type: Any.Type?

        init(_ path: [EnvelopeKey], _ schema: JSONSchema, _ type: Any.Type?) {
            (self.path, self.schema, self.type) = (path, schema, type)
        }
    }

    let value: Part
    let metadata: [Part]

    /// The problems declared for successful statuses, and the schemas of their types.
    let problems: [(rule: ProblemRule, schema: JSONSchema)]
    let schemas: JSONSchema.Document
    let decoder: any ResponseDecoder

    /// Whether each element of the value is a separate document, as in JSON Lines.
    let isSequence: Bool

    /// The example: the default document or, if a problem matches it, the first valid variant that no problem matches.
    var example: MockExample {
        let first = document
        guard let rule = problem(of: first) else { return parts(of: first, problem: nil) }
        let found = candidates(for: first).first { fits($0) && problem(of: $0) == nil }
        return parts(of: found ?? first, problem: found == nil ? rule.summary : nil)
    }

    private var document: JSONValue {
        var document = schemas.example(of: value.schema)
        if !isSequence { document = document.wrapped(at: value.path) }
        for part in metadata where !isSequence {
            document = document.setting(schemas.example(of: part.schema), at: part.path, keeps: true)
        }
        return document
    }

    private func parts(of document: JSONValue, problem: String?) -> MockExample {
        MockExample(
            value: (isSequence ? document : document.value(at: value.path)) ?? .null,
            metadata: metadata.map { ($0.path, document.value(at: $0.path) ?? .null) },
            problem: problem
        )
    }

    /// Returns the first problem that matches a document or, in a sequence, one of its texts.
    private func problem(of document: JSONValue) -> ProblemRule? {
        let texts = isSequence ? document.arrayValue ?? [document] : [document]
        return problems.lazy.map(\.rule).first { rule in
            texts.contains { text in
                var extraction = Extraction()
                extraction.extras = [rule.extra]
                let data = Data(text.description.utf8)
                let result = try? extraction.decode(IgnoredValue.self, from: data, with: decoder)
                return (result?.extras.first ?? nil) != nil
            }
        }
    }

    private func fits(_ document: JSONValue) -> Bool {
        let value = isSequence ? document : document.value(at: value.path)
        guard let value, fits(value, self.value) else { return false }
        return metadata.allSatisfy { part in
            guard !isSequence else { return true }
            return document.value(at: part.path).map { fits($0, part) } ?? false
        }
    }

    private func fits(_ value: JSONValue, _ part: Part) -> Bool {
        guard schemas.problem(of: value, part.schema, isStrict: true) == nil else { return false }
        guard let type = part.type else { return true }
        return EntityCoding(type, example: .null, decoder: decoder).problem(of: value) == nil
    }
}

extension MockExampleSearch {
    /// Returns variants of a document that change one or all of the members that a problem reads.
    private func candidates(for document: JSONValue) -> [JSONValue] {
        var paths = problems.flatMap { problem in
            let path = problem.rule.extra.path
            return self.paths(in: problem.schema, at: path, depth: 3) + (path.isEmpty ? [] : [path])
        }.uniqued
        if isSequence { paths = paths.map { [.index(0)] + $0 } }
        let changes: [[(JSONValue) -> JSONValue]] = paths.compactMap { path in
            document.value(at: path).map { alternatives(to: $0, at: path) }
        }
        let single = changes.flatMap { $0.map { change in change(document) } }
        let most = changes.map(\.count).max() ?? 0
        let joint = (0..<most).map { index in
            changes.reduce(document) { changed, changes in
                changes.indices.contains(index) ? changes[index](changed) : changed
            }
        }
        return single + joint
    }

    /// Returns the changes to try for a member: its removal, null, and other values of its kind.
    private func alternatives(to value: JSONValue, at path: [EnvelopeKey]) -> [(JSONValue) -> JSONValue] {
        var values: [JSONValue] = [.null]
        switch value {
        case .bool(let flag): values.append(.bool(!flag))
        case .integer, .number, .double, .numeral: values += [0, 1, 200, -1].map { JSONValue.integer($0) }
        case .string: values += ["", "ok", "OK", "success"]
        case .array: values.append([])
        case .object: values.append([:])
        case .null: break
        }
        values += enumeration(at: path)
        return [{ $0.removing(path) }] + values.map { value in { $0.setting(value, at: path) } }
    }

    /// Returns the cases of the enumeration at a path of the document.
    private func enumeration(at path: [EnvelopeKey]) -> [JSONValue] {
        (metadata + [value]).flatMap { part -> [JSONValue] in
            let prefix = isSequence ? [] : part.path
            guard path.starts(with: prefix) else { return [] }
            let inner = path.dropFirst(prefix.count).reduce(schemas.resolving(part.schema)) { schema, key in
                switch (schema?.form, key) {
                case (.object(let properties)?, .key(let name)):
                    properties.first { $0.key == name }.flatMap { schemas.resolving($0.schema) }
                case (.array(let element, _)?, .index): schemas.resolving(element)
                case (.dictionary(let element, _)?, .key): schemas.resolving(element)
                default: nil
                }
            }
            return if case .enumeration(let values, _)? = inner?.form { values } else { [] }
        }
    }

    /// Returns the paths of the members of a schema, up to a depth.
    private func paths(in schema: JSONSchema, at path: [EnvelopeKey], depth: Int) -> [[EnvelopeKey]] {
        guard depth > 0, case .object(let properties)? = schemas.resolving(schema)?.form else { return [] }
        return properties.flatMap { property -> [[EnvelopeKey]] in
            let path = path + [.key(property.key)]
            return [path] + paths(in: property.schema, at: path, depth: depth - 1)
        }
    }
}

extension JSONValue {
    /// Returns the document without the member at the given path.
    fileprivate func removing(_ path: [EnvelopeKey]) -> JSONValue {
        guard let first = path.first else { return self }
        let rest = Array(path.dropFirst())
        switch first {
        case .key(let name):
            guard var members = objectValue else { return self }
            members[name] = rest.isEmpty ? nil : members[name]?.removing(rest)
            return .object(members)
        case .index(let index):
            guard var elements = arrayValue, elements.indices.contains(index), !rest.isEmpty else { return self }
            elements[index] = elements[index].removing(rest)
            return .array(elements)
        }
    }
}
