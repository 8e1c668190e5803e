import Foundation
import Waybill
import WaybillDescription

/// The operations of a described API over a store of entities.
struct MockAPI: Sendable {
    private let operations: [MockOperation]
    private let store = MockStore()

    init(_ api: some DescribedAPI, seeds: [Seeds]) throws {
        let calls = api.calls
        let library = try calls.library()
        let described = try calls.operations(in: library)
        operations = described.map { MockOperation($0, in: library) }
        for seed in seeds { try plant(seed, described) }
    }

    /// The responders of all operations, by method and template.
    var responders: [(String, Responder)] {
        // A batch has the method and the path of another operation, and is told apart by its body.
        var keys: [(key: String, operations: [MockOperation])] = []
        for operation in operations {
            let key = "\(operation.method) \(operation.template)"
            if let index = keys.firstIndex(where: { $0.key == key }) {
                keys[index].operations.append(operation)
            } else {
                keys.append((key, [operation]))
            }
        }
        return keys.map { key, operations in
            (
                key,
                .response { request in
                    let isArray = (try? request.document(operations[0]))?.arrayValue != nil
                    let batch = operations.first { $0.operation?.isBatch ?? false }
                    let single = operations.first { !($0.operation?.isBatch ?? false) }
                    guard let operation = isArray ? batch ?? single : single ?? batch else { return .status(501) }
                    return MockHandler(operation: operation, store: store).response(to: request)
                }
            )
        }
    }

    /// Returns the responder for requests that the declaration does not know.
    ///
    /// It is 405 for another method on a declared path, and 501 with the declared requests for another path.
    func fallback(for responses: StubResponses) -> Responder {
        let table = ResponseTable(responses)
        let operations = operations
        return .response { request in
            let methods = table.methods(for: request.path)
            guard !methods.isEmpty else {
                return .misuse(table.noResponseText(method: request.method, path: request.path))
            }
            let allowed = methods.joined(separator: ", ")
            let reason = "The path has no \(request.method); it has \(allowed)."
            let response = operations.first?.problem(405, reason) ?? StubResponse(status: 405)
            return response.header("Allow", allowed)
        }
    }

    /// The method and the path of a key, in one form.
    static func normalized(_ key: String) -> String {
        let parts = key.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return key }
        return "\(parts[0]) \(parts[1].split(separator: "/").joined(separator: "/"))"
    }

    private func plant(_ seeds: Seeds, _ described: [DescribedOperation]) throws {
        let (path, operation) = try place(of: seeds, described)
        let values = try self.values(of: seeds, operation.settings)
        store.update(path) { collection in
            for value in values {
                let id = value[MockHandler.idKey(of: value)].map { $0.stringValue ?? $0.description }
                collection.items.append((id ?? "", value))
            }
        }
    }

    /// Returns the path of the collection that seeds belong in, with an operation on it.
    private func place(of seeds: Seeds, _ described: [DescribedOperation]) throws -> (
        path: String, operation: DescribedOperation
    ) {
        let holders = described.filter { $0.operation == .list || ($0.isSingleton && $0.operation == .read) }
        if let path = seeds.path {
            let segments = path.split(separator: "/")
            guard let holder = holders.first(where: { $0.template.matches(segments) }) else {
                throw SeedsError(
                    description: "No described resource is at \(path); the resources are at "
                        + holders.map(\.template).uniqued.joined(separator: ", ") + "."
                )
            }
            return (segments.joined(separator: "/"), holder)
        }
        let name = seeds.type?.name ?? ""
        let found = holders.filter { $0.element == seeds.type?.id }
        let templates = found.map(\.template).uniqued
        guard templates.count == 1, let holder = found.first, !holder.template.contains("{}") else {
            throw SeedsError(
                description: templates.isEmpty
                    ? "No resource of \(name) is described; list it, or say the path: Seeds(…, at: \"products\")."
                    : "Seeds of \(name) belong in one of \(templates.joined(separator: ", ")); say the path:"
                        + " Seeds(…, at: \"products/7/reviews\")."
            )
        }
        return (holder.template.split(separator: "/").joined(separator: "/"), holder)
    }

    private func values(of seeds: Seeds, _ settings: Scope.Settings) throws -> [JSONValue] {
        switch seeds.content {
        case .json(let text):
            let document = try WaybillJSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
            return document.arrayValue ?? [document]
        case .values(let values): return try values.map { try settings.json(of: $0) }
        }
    }
}

extension String {
    /// Whether a template has the segments of a path, with values in place of `{}`.
    fileprivate func matches(_ path: [Substring]) -> Bool {
        let own = split(separator: "/")
        return own.count == path.count && zip(own, path).allSatisfy { $0.contains("{") || $0 == $1 }
    }
}

extension Scope.Settings {
    /// Returns a value as the declared encoder writes it.
    fileprivate func json(of value: any Encodable & Sendable) throws -> JSONValue {
        let encoder: any RequestEncoder = self[Encode.self]?.encoder ?? JSONDefaults.requestEncoder
        return try WaybillJSONDecoder().decode(JSONValue.self, from: Self.encode(value, by: encoder))
    }

    private static func encode(_ value: some Encodable, by encoder: any RequestEncoder) throws -> Data {
        try encoder.encode(value)
    }
}

extension On.Operation {
    var isBatch: Bool { self == .createBatch || self == .updateBatch }
}
