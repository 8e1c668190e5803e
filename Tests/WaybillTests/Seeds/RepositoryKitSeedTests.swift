import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

/// The features of RepositoryKit except storage and synchronization, one by one.
@Suite("Seeds: RepositoryKit")
struct RepositoryKitSeedTests {
    struct Message: Entity, Equatable {
        let id: Int
        var text: String
        var at: String?

        struct Draft: Encodable, Sendable { var text: String }
    }

    private func messages(
        _ stub: StubTransport,
        @Scope.Builder _ clauses: () -> Scope = { Scope() }
    ) -> Resource<Message, ReadWrite> {
        Client(Shop.url, transport: stub).resource("messages", clauses)
    }

    @Test("Entities are created, listed, read by identifier, updated and deleted")
    func operations() async throws {
        let hi = #"{"id":1,"text":"hi"}"#
        let stub = StubTransport([
            "POST messages": .json(hi), "GET messages": .json("[\(hi)]"), "GET messages/{}": .json(hi),
            "PUT messages/{}": .json(hi), "DELETE messages/{}": .status(204),
        ])
        let messages = messages(stub)
        let created = try await messages.create(.init(text: "hi"))
        #expect(try await messages.list() == [created])
        #expect(try await messages.read(1) == created)
        #expect(try await messages.update(created) == created)
        try await messages.delete(1)
        #expect(
            stub.requests.map { "\($0.method) \($0.path)" } == [
                "POST /v1/messages", "GET /v1/messages", "GET /v1/messages/1", "PUT /v1/messages/1",
                "DELETE /v1/messages/1",
            ]
        )
    }

    @Test("Each request can have custom header fields")
    func headers() async throws {
        let stub = StubTransport(["GET messages": .json("[]")])
        let client = Client(Shop.url, transport: stub)
        _ = try await client.get("messages", as: [Message].self) { Header("X-Trace", "1") }
        _ = try await client.get("messages", as: [Message].self) { Header("X-Trace", "2") }
        let name = try #require(HTTPField.Name("X-Trace"))
        #expect(stub.requests.map { $0.headerFields[name] } == ["1", "2"])
    }
}
