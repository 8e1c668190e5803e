import Foundation
import Waybill
import WaybillTransfers

// The calls made by the rows.
nonisolated extension OffTable {
    struct Thing: Entity, Equatable {
        let id: Int
        var unitPrice: Int?
        var note: String?
    }

    struct Fault: ResponseContent { let error: String }

    enum Access: Creatable, Patchable, BatchCreatable {}

    /// A signer that adds a header field.
    struct Signature: Signed.Signer {
        func sign(_ request: inout HTTPRequest, body: Data?) async throws { request.headerFields["X-Signature"] = "a" }
    }

    /// A middleware that adds a header field.
    struct Marking: Middleware {
        func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
            var request = request
            request.headerFields["X-Mark"] = "a"
            return try await next(request)
        }
    }

    static let read: @Sendable (Client, Scope) async throws -> String = { client, scope in
        "\(try await client.get("things/\(1)", as: Thing.self) { scope })"
    }

    static let readTwice: @Sendable (Client, Scope) async throws -> String = { client, scope in
        try await read(client, scope) + read(client, scope)
    }

    static let paged: @Sendable (Client, Scope) async throws -> String = { client, scope in
        let things: Resource<Thing, ReadOnly> = client.resource("things") { scope }
        return "\(try await things.all.collect())"
    }

    static let listed: @Sendable (Client, Scope) async throws -> String = { client, scope in
        let things: Resource<Thing, ReadOnly> = client.resource("things") { scope }
        return "\(try await things.list())"
    }

    static let retried: @Sendable (Client, Scope) async throws -> String = { client, scope in
        let endpoint: Endpoint<Thing> = client.endpoint {
            GET("things")
            Retry(attempts: 4, backoff: .none)
            scope
        }
        return "\(try await endpoint.send())"
    }

    static let moved: @Sendable (Client, Scope) async throws -> String = { client, scope in
        "\(try await client.get("old", as: Thing.self) { scope })"
    }

    static let posted: @Sendable (Client, Scope) async throws -> String = { client, scope in
        let endpoint: Endpoint<Thing> = client.endpoint {
            POST("things")
            Body(Thing(id: 1, unitPrice: 2))
            scope
        }
        return "\(try await endpoint.send())"
    }

    static let uploaded: @Sendable (Client, Scope) async throws -> String = { client, scope in
        let endpoint: Endpoint<Thing> = client.endpoint {
            POST("things")
            Body(Data(repeating: 0x61, count: 5_000), contentType: "text/plain")
            scope
        }
        return "\(try await endpoint.send())"
    }

    static let created: @Sendable (Client, Scope) async throws -> String = { client, scope in
        "\(try await things(client, scope).create(Thing(id: 1)))"
    }

    static let createdTogether: @Sendable (Client, Scope) async throws -> String = { client, scope in
        "\(try await things(client, scope).create([Thing(id: 1)]))"
    }

    static let patched: @Sendable (Client, Scope) async throws -> String = { client, scope in
        let old = Thing(id: 1)
        let new = Thing(id: 1, unitPrice: 2)
        return "\(try await things(client, scope).patch(from: old, to: new))"
    }

    static let streamed: @Sendable (Client, Scope) async throws -> String = { client, scope in
        let endpoint: Endpoint<[Thing]> = client.endpoint {
            GET("things")
            scope
        }
        var things: [Thing] = []
        for try await thing in try await endpoint.stream() { things.append(thing) }
        return "\(things)"
    }

    static let events: @Sendable (Client, Scope) async throws -> String = { client, scope in
        let endpoint: Endpoint<Events<Thing>> = client.endpoint {
            GET("things")
            Events.Reconnection.none
            scope
        }
        var things: [Thing] = []
        for try await event in try await endpoint.stream() { things.append(event.data) }
        return "\(things)"
    }

    private static func things(_ client: Client, _ scope: Scope) -> Resource<Thing, Access> {
        client.resource("things") { scope }
    }
}
