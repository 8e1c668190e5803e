import Foundation
import Testing
import Waybill
import WaybillTesting

/// The features of RepositoryKit, line by line, except storage and synchronisation.
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

    @Test("Entities are created, listed, read by id, updated and deleted")
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

    @Test("What the server adds is merged over what was sent")
    func merging() async throws {
        let stub = StubTransport([
            "POST messages": .json(#"{"id":1}"#, status: 201), "PUT messages/{}": .json(#"{"at":"now"}"#),
        ])
        let messages = messages(stub) { WriteResult(.merged) }
        let created = try await messages.create(.init(text: "hi"))
        #expect(created == Message(id: 1, text: "hi"))
        #expect(try await messages.update(created) == Message(id: 1, text: "hi", at: "now"))
    }

    @Test("An entity may be a dictionary with its id under a named key")
    func dictionaries() async throws {
        struct Entry: JSONEntity {
            static let idKey = "key"
            var fields: [String: JSONValue]
        }
        let stub = StubTransport([
            "GET entries": .json(#"[{"key":"a","n":1},{"key":2}]"#), "DELETE entries/{}": .status(204),
        ])
        let entries: Resource<Entry, ReadWrite> = Client(Shop.url, transport: stub).resource("entries")
        let list = try await entries.list()
        #expect(list.map(\.id) == ["a", 2])
        #expect(list.map { $0["n"] } == [1, nil])
        try await entries.delete("a")
        #expect(stub.requests.last?.path == "/v1/entries/a")
    }

    @Test("A patch has only the difference")
    func patch() async throws {
        let stub = StubTransport(["PATCH messages/{}": .json(#"{"id":1,"text":"ho","at":"x"}"#)])
        let messages = messages(stub)
        let old = Message(id: 1, text: "hi", at: "x")
        #expect(try await messages.patch(from: old, to: Message(id: 1, text: "ho", at: "x")).text == "ho")
        #expect(stub.requests.map(\.text) == [#"{"text":"ho"}"#])
    }

    @Test("Calls are made one after the other, and the last one reports")
    func chaining() async throws {
        let stub = StubTransport(["GET messages": .json(#"[{"id":1,"text":"a"}]"#), "DELETE messages/{}": .status(204)])
        let messages = messages(stub)
        var report: [String] = []
        for message in try await messages.list() {
            try await messages.delete(message.id)
            report.append("deleted \(message.id)")
        }
        #expect(report == ["deleted 1"])
    }

    @Test("A request has header fields of its own")
    func headers() async throws {
        let stub = StubTransport(["GET messages": .json("[]")])
        let client = Client(Shop.url, transport: stub)
        _ = try await client.get("messages", as: [Message].self) { Header("X-Trace", "1") }
        _ = try await client.get("messages", as: [Message].self) { Header("X-Trace", "2") }
        let name = try #require(HTTPField.Name("X-Trace"))
        #expect(stub.requests.map { $0.headerFields[name] } == ["1", "2"])
    }
}
