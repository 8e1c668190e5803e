import Foundation
import Waybill
import WaybillDescription

/// The operations of a described API, backed by a store of entities.
struct MockAPI: Sendable {
    let operations: [MockOperation]
    let store: MockStore

    /// The test's responses to named calls, which replace the declared behavior.
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
        Self.nameEntities(of: &operations, described)
        for (index, operation) in operations.enumerated() where operation.place != nil {
            let others = operations.filter { $0.hasCollection(of: operation) }
            operations[index].createsByUpdate =
                operation.operation == .upsert
                || operation.operation == .update
                    && (others.contains { $0.operation == .upsert }
                        || !others.contains { $0.operation == .create || $0.operation == .createBatch })
            let read = others.first { $0.operation == .read }
            operations[index].reading = read.flatMap { read in read.place.map { (read.template, $0) } }
        }
        let resources = operations.compactMap(\.resource)
        for index in operations.indices { operations[index].resources = resources }
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
                        let operation: MockOperation
                        switch route.selection(for: request) {
                        case .operation(let found): operation = found
                        case .none(let reason): return .misuse(Self.text(of: reason, key: route.key))
                        }
                        if let name = operation.callName, let handler = replacements["\(operation.method) \(name)"] {
                            switch handler.assign(method: .get, path: "call").plan {
                            case .response(let response): return response
                            case .closure(let closure): return try await closure(request)
                            }
                        }
                        return MockHandler(operation: operation, store: store).response(to: request)
                    }
                )
            }
    }

    /// Returns the text of a 501: the reason, and how to override the response.
    static func text(of reason: String, key: String) -> String {
        "\(reason), or override the response: overriding: [\(key.debugDescription): …]"
    }

    /// Returns the responder for undeclared requests.
    ///
    /// For an undeclared method on a declared path, it responds with a 405. For an undeclared path, it responds with a
    /// 501 that lists the declared requests.
    func fallback(for responses: StubResponses) -> Responder {
        let table = ResponseTable(responses)
        let operations = operations
        return .response { request in
            let methods = table.methods(for: request.path)
            guard !methods.isEmpty else {
                return .misuse(table.noResponseText(method: request.method, path: request.path))
            }
            let allowed = methods.joined(separator: ", ")
            let reason = "The path does not support \(request.method), only \(allowed)."
            let response = operations.first?.problem(405, reason) ?? StubResponse(status: 405)
            return response.header("Allow", allowed)
        }
    }

    /// Returns a key's method and path in a canonical form.
    static func normalized(_ key: String) -> String {
        let parts = key.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return key }
        return "\(parts[0]) \(parts[1].split(separator: "/").joined(separator: "/"))"
    }
}
