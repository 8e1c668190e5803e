import Foundation
import Waybill
import WaybillDescription

/// The operations of a described API over a store of entities.
struct MockAPI: Sendable {
    private let operations: [MockOperation]
    private let store: MockStore

    /// The responses of the test for calls with names, which take the place of the declared behavior.
    private let replacements: [String: RequestHandler]

    init(
        _ api: some DescribedAPI,
        seeds: [Seeds],
        overriding overrides: StubResponses = [:],
        changes: [MockServer.Changes] = []
    ) throws {
        store = MockStore(changes)
        let calls = api.calls
        let library = try calls.library()
        let described = try calls.operations(in: library)
        var operations = described.map { MockOperation($0, in: library) }
        for (index, operation) in operations.enumerated() {
            guard let place = operation.place else { continue }
            let others = operations.filter { $0.place?.template == place.template }
            operations[index].createsByUpdate =
                operation.operation == .upsert
                || operation.operation == .update
                    && (others.contains { $0.operation == .upsert }
                        || !others.contains { $0.operation == .create || $0.operation == .createBatch })
            let read = others.first { $0.operation == .read }
            operations[index].reading = read.flatMap { read in read.place.map { (read.template, $0) } }
        }
        self.operations = operations
        let names = operations.compactMap { operation in operation.callName.map { "\(operation.method) \($0)" } }
        replacements = Dictionary(
            overrides.entries.filter { names.contains($0.key) }
                .map { ($0.key, RequestHandler(StubResponses([("GET call", $0.responder)]))) }
        ) { first, _ in first }
        for seed in seeds { try add(seed, described) }
    }

    /// The responders of all operations, by method and template.
    var responders: [(String, Responder)] {
        MockRun.responders(of: operations.compactMap(\.longRunning), in: store)
            + MockRoute.all(operations).map { route in
                (
                    route.key,
                    .response { request in
                        let found = route.operations(for: request)
                        guard let operation = found.first else {
                            return .misuse(
                                "No declared call has the method and the path \(request.method) \(request.path)."
                            )
                        }
                        if let name = operation.callName, let handler = replacements["\(operation.method) \(name)"] {
                            switch handler.assign(method: .get, path: "call").plan {
                            case .response(let response): return response
                            case .closure(let closure): return try await closure(request)
                            }
                        }
                        guard found.allSatisfy({ $0.envelope == operation.envelope && $0.value == operation.value })
                        else {
                            let names = found.map(\.identifier).joined(separator: ", ")
                            return .misuse(
                                "The mock cannot tell these calls apart, whose requests are alike: \(names). Give a response"
                                    + " of your own: overriding: [\"\(operation.method) \(operation.template)\": …]"
                            )
                        }
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

    private func add(_ seeds: Seeds, _ described: [DescribedOperation]) throws {
        let (path, index) = try place(of: seeds, described)
        guard let coding = operations[index].entity else { return }
        let values = try self.values(of: seeds, operations[index], coding)
        store.update(path) { collection in
            for value in values {
                let id = operations[index].isSingleton ? "" : coding.id(of: value) ?? ""
                collection.add(id, value)
            }
        }
    }

    /// Returns the path of the collection that seeds belong in, with the index of an operation on it.
    private func place(of seeds: Seeds, _ described: [DescribedOperation]) throws -> (path: String, index: Int) {
        let holders = operations.indices.filter { operations[$0].place != nil }
            .sorted { operations[$0].rank < operations[$1].rank }
        if let path = seeds.path {
            let segments = path.split(separator: "/").map { $0.removingPercentEncoding ?? String($0) }
            let encoded = segments.map(PercentEncoding.encode).joined(separator: "/")
            if let index = holders.first(where: { operations[$0].place?.template.matches(segments) ?? false }) {
                return (encoded, index)
            }
            // The path of the list may be another one than that of the resource.
            for index in holders where operations[index].operation == .list {
                let template = operations[index].template
                guard template.matches(segments), let place = operations[index].place,
                    let own = place.collection((try? PathPattern(template))?.values(in: segments) ?? []).path
                else { continue }
                return (own, index)
            }
            throw Seeds.Failure(
                description: "No described resource is at \(path); the resources are at "
                    + holders.compactMap { operations[$0].place?.template }.uniqued.joined(separator: ", ") + "."
            )
        }
        let name = seeds.type?.name ?? ""
        let found = holders.filter { index in
            described[index].element.map { ObjectIdentifier($0) } == seeds.type?.id && seeds.type != nil
        }
        let templates = found.compactMap { operations[$0].place?.template }.uniqued
        guard templates.count == 1, let index = found.first, !templates[0].contains("{") else {
            throw Seeds.Failure(
                description: templates.isEmpty
                    ? "No resource of \(name) is described; list it, or say the path: Seeds(…, at: \"products\")."
                    : "Seeds of \(name) belong in one of \(templates.joined(separator: ", ")); say the path:"
                        + " Seeds(…, at: \"products/7/reviews\")."
            )
        }
        let segments = templates[0].split(separator: "/").map { $0.removingPercentEncoding ?? String($0) }
        return (segments.map(PercentEncoding.encode).joined(separator: "/"), index)
    }

    private func values(
        of seeds: Seeds,
        _ operation: MockOperation,
        _ coding: EntityCoding
    ) throws -> [JSONValue] {
        switch seeds.content {
        case .json(let text):
            let document = try WaybillJSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
            return document.arrayValue ?? [document]
        case .values(let values):
            return try values.enumerated().map { index, value in
                let document = try operation.coding.json(of: value)
                if let problem = coding.problem(of: document) {
                    throw Seeds.Failure(
                        description: "Seed \(index + 1) of \(seeds.type?.name ?? "") encodes to a document that the"
                            + " declared decoder does not read (\(problem)); give it as JSON: Seeds(json: …, at: …)."
                    )
                }
                return document
            }
        }
    }
}

extension MockOperation {
    /// The order in which operations are looked at for the coding of seeds: responses with entities first.
    fileprivate var rank: Int {
        switch operation {
        case .list: 0
        case .read: 1
        case .delete, nil: 3
        default: 2
        }
    }
}

extension String {
    /// Whether a template has the segments of a path, with values in place of `{}`.
    fileprivate func matches(_ path: [String]) -> Bool {
        let own = split(separator: "/")
        return own.count == path.count && zip(own, path).allSatisfy { $0.contains("{") || $0 == $1 }
    }
}
