import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

/// The features of CRUDE-Futures, one by one.
@Suite("Seeds: CRUDE-Futures", .inTurn, .safetyNet)
struct CRUDEFuturesSeedTests {
    struct User: Entity, Equatable {
        let id: Int
        var name: String
        var nickname: String?
    }

    static let bo = #"{"id":1,"name":"Bo"}"#

    @Test("A model has either the chosen operations or all five")
    func operations() async throws {
        enum CRUDE: Creatable, Readable, Updatable, Deletable, Listable {}
        enum Enumerable: Listable {}
        let stub = StubTransport(["GET users": .json("[\(Self.bo)]"), "GET users/{}": .json(Self.bo)])
        let client = Client(Shop.url, transport: stub)
        let all: Resource<User, CRUDE> = client.resource("users")
        let some: Resource<User, Enumerable> = client.resource("users")
        #expect(try await some.list() == [all.read(1)])
    }

    @Test("An entity is read by its identifier, and refreshing it does not change the original")
    func refresh() async throws {
        let stub = StubTransport(["GET users/{}": .json(Self.bo)])
        let users: Resource<User, ReadOnly> = Client(Shop.url, transport: stub).resource("users")
        let old = User(id: 1, name: "old")
        let new = try await users.refresh(old)
        #expect(old.name == "old")
        #expect(new.name == "Bo")
    }

    @Test("Each operation can have a custom path")
    func paths() throws {
        let users: Resource<User, ReadWrite> = Client(Shop.url, transport: StubTransport([:])).resource("users") {
            On(.create) { POST("signup") }
            On(.read) { GET("people/\(.id)") }
            On(.update) { PUT("people/\(.id)/edit") }
            On(.delete) { DELETE("people/\(.id)/close") }
            On(.list) { GET("directory") }
        }
        let bo = User(id: 1, name: "Bo")
        let paths = try [
            users.endpoints.create(bo).url.path, users.endpoints.read(1).url.path,
            users.endpoints.update(bo).url.path,
            users.endpoints.delete(1).url.path, users.endpoints.list().url.path,
        ]
        #expect(
            paths == ["/v1/signup", "/v1/people/1", "/v1/people/1/edit", "/v1/people/1/close", "/v1/directory"]
        )
    }

    @Test("A single object and a list are wrapped in different keys")
    func keys() async throws {
        let stub = StubTransport([
            "GET users": .json(#"{"users":[\#(Self.bo)]}"#), "GET users/{}": .json(#"{"user":\#(Self.bo)}"#),
            "POST users": .json(#"{"user":\#(Self.bo)}"#),
        ])
        let users: Resource<User, ReadWrite> = Client(Shop.url, transport: stub).resource("users") {
            Envelope(item: "user", list: "users")
            Body.Format(item: "user", list: "users")
        }
        #expect(try await users.list() == [users.read(1)])
        _ = try await users.create(User(id: 1, name: "Bo"))
        #expect(stub.requests.last?.text == #"{"user":{"id":1,"name":"Bo"}}"#)
    }

    @Test("Members without a value are omitted, or sent as null if declared")
    func nulls() throws {
        let client = Client(Shop.url, transport: StubTransport([:]))
        let plain: Resource<User, ReadWrite> = client.resource("users")
        let explicit: Resource<User, ReadWrite> = client.resource("users") { Body.Format(nils: .null) }
        let bo = User(id: 1, name: "Bo")
        #expect(try plain.endpoints.update(bo).body == Data(#"{"id":1,"name":"Bo"}"#.utf8))
        #expect(try explicit.endpoints.update(bo).body == Data(#"{"id":1,"name":"Bo","nickname":null}"#.utf8))
    }

    @Test("A request whose response is irrelevant returns nothing")
    func noResponse() async throws {
        let stub = StubTransport(["POST ping": .text("whatever"), "PUT ping": .status(204)])
        let client = Client(Shop.url, transport: stub)
        let ping: Endpoint<Void> = client.endpoint { POST("ping") }
        try await ping.send()
        try await client.put("ping", body: 1)
    }

    @Test("Raw JSON is read as any value, an object or an array")
    func raw() async throws {
        let stub = StubTransport(["GET any": .json(#"[{"a":1.50}]"#), "GET object": .json(#"{"a":[true,null]}"#)])
        let client = Client(Shop.url, transport: stub)
        #expect(try await client.get("any", as: JSONValue.self)[0]?["a"]?.doubleValue == 1.5)
        #expect(try await client.get("any", as: [[String: JSONValue]].self).count == 1)
        #expect(try await client.get("object", as: [String: JSONValue].self) == ["a": [true, nil]])
    }

    @Test("A request in flight can be cancelled")
    func cancelling() async throws {
        let stub = StubTransport { _ in .never }
        let client = Client(Shop.url, transport: stub)
        let task = Task {
            await failure { try await client.get("slow", as: Int.self) }
        }
        _ = await stub.waitForRequests(count: 1)
        task.cancel()
        guard case .cancelled = await task.value else {
            Issue.record("expected a cancelled call")
            return
        }
    }

    @Test("A request can be paused and resumed")
    func pausing() async throws {
        try await LoopbackServer.run([
            "GET from": .redirect(to: "/export"), "GET export": .text("held"), "GET fine": .text("fine"),
        ]) { server async throws in
            let client = Client(server.url)
            let control = TransferControl()
            control.pause()
            let export = Task {
                try await client.get("from", as: Data.self) { Control(with: control) }
            }
            for _ in 0..<20 { _ = try await client.get("fine", as: Data.self) }
            #expect(server.requests.allSatisfy { $0.path == "/fine" })
            control.resume()
            #expect(try await export.value == Data("held".utf8))
        }
    }

    @Test("A failed response's list of errors reaches the caller")
    func errorLists() async throws {
        struct Errors: Decodable, Sendable { let errors: [String] }
        let stub = StubTransport(["POST users": .json(#"{"errors":["name is taken","name is rude"]}"#, status: 422)])
        let users: Resource<User, ReadWrite> = Client(Shop.url, transport: stub).resource("users") {
            Problem(Errors.self)
        }
        let error = await failure { try await users.create(User(id: 1, name: "x")) }
        #expect(error?.problem(as: Errors.self)?.errors == ["name is taken", "name is rude"])
    }
}
