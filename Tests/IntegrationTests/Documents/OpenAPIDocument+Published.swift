import Foundation
import Waybill
import WaybillDescription

extension OpenAPIDocument {
    /// Returns a running server's own OpenAPI document.
    static func published(at path: String, by server: Server) async throws -> OpenAPIDocument {
        let client = Client(server.url) {}
        let document: Endpoint<Data> = client.endpoint { GET("\(path)") }
        return try OpenAPIDocument(try await document.send())
    }
}

extension JSONValue {
    /// Returns the document with the value at a path of keys replaced; a nil value removes the member.
    func changing(_ path: [String], to value: (JSONValue?) -> JSONValue?) -> JSONValue {
        guard let key = path.first, var members = objectValue else { return self }
        let inner = members[key]
        members[key] = path.count == 1 ? value(inner) : inner?.changing(Array(path.dropFirst()), to: value)
        return .object(members)
    }
}
