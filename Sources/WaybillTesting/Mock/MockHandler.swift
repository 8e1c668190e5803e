import Foundation
import Waybill
import WaybillDescription

/// Handles the requests of one operation.
struct MockHandler: Sendable {
    let operation: MockOperation
    let store: MockStore

    /// Returns the response to a request.
    func response(to request: ReceivedRequest) -> StubResponse {
        if let rejection = rejection(of: request) { return rejection }
        let segments = request.path.split(separator: "/").map { $0.removingPercentEncoding ?? String($0) }
        let isSingleton = operation.isSingleton
        switch operation.operation {
        case .list: return list(request, segments.joined(separator: "/"))
        case .create where isSingleton: return replace(request, nil, segments)
        case .create: return create(request, segments.joined(separator: "/"))
        case .createBatch, .updateBatch: return batch(request, segments.joined(separator: "/"))
        case .read: return read(request, isSingleton ? nil : segments.last, segments)
        case .update: return replace(request, isSingleton ? nil : segments.last, segments)
        case .patch: return patch(request, isSingleton ? nil : segments.last, segments)
        case .delete: return delete(request, isSingleton ? nil : segments.last, segments)
        case nil: return example(request)
        }
    }

    /// The member of an entity that has its id.
    static func idKey(of value: JSONValue) -> String {
        let keys = value.objectValue?.keys.sorted() ?? []
        return ["id", "_id", "ID", "uuid"].first(where: keys.contains) ?? keys.first { $0.lowercased().hasSuffix("id") }
            ?? "id"
    }

    /// Returns the value of a request's body, without the keys around it.
    func value(of request: ReceivedRequest) -> JSONValue? {
        (try? request.document(operation)).flatMap { document in
            operation.bodyKeys.reduce(document) { $0?[$1] }
        }
    }

    /// Returns the response to a body that does not fit; nil if it fits.
    private func rejection(of request: ReceivedRequest) -> StubResponse? {
        guard let schema = operation.body, let type = operation.bodyType else { return nil }
        let sent = request.headerFields[.contentType].map { MediaType($0) }
        guard let sent, sent.essence == type || (sent.isJSON && MediaType(type).isJSON) else {
            return operation.problem(
                415,
                "The body is \(sent?.essence ?? "of no media type"), and \(type) is declared."
            )
        }
        guard sent.isJSON else { return nil }
        guard let document = try? request.document(operation) else {
            return operation.problem(400, "The body is not JSON.")
        }
        // A merge patch leaves out what does not change, and has null for what is removed.
        if operation.operation == .patch || operation.operation == .updateBatch { return nil }
        return operation.schemas.problem(of: document, schema).map { operation.problem(422, "In the body \($0).") }
    }

    private func example(_ request: ReceivedRequest) -> StubResponse {
        switch operation.content {
        case .ignored: return .status(operation.status(204))
        case .bytes, .text:
            let type = MediaType(operation.mediaType)
            let text = operation.content == .bytes ? "bytes" : "text"
            return StubResponse(
                status: operation.status(200),
                headerFields: [HTTPField(name: .contentType, value: operation.mediaType)],
                body: Data((type.isJSON ? JSONValue.string(text).description : text).utf8)
            )
        case .events:
            let data = operation.schemas.example(of: operation.value)
            return .text("data: \(data)\n\n", status: operation.status(200))
                .header("Content-Type", "text/event-stream")
        case .value:
            return operation.response(operation.schemas.example(of: operation.value))
        }
    }
}

extension ReceivedRequest {
    /// Returns the body as JSON.
    func document(_ operation: MockOperation) throws -> JSONValue {
        try WaybillJSONDecoder().decode(JSONValue.self, from: body)
    }
}
