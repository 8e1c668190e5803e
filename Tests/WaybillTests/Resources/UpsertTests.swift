import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Upserting an item")
struct UpsertTests {
    struct User: Entity, Hashable {
        let id: String
        var name: String
    }

    struct Note: Entity {
        let id: Int
        var text: String

        struct Replacement: RequestContent { var text: String }
    }

    private enum Store: Readable, Upsertable {}

    private static let bo = User(id: "bo", name: "Bo")
    private static let body = #"{"id":"bo","name":"Bo"}"#

    @Test(
        "A 201 status means that an upsert created the item; any other success means that it replaced it",
        arguments: [
            (StubResponse.json(body, status: 201), WriteResult.Upserted.created(bo)), (.json(body), .replaced(bo)),
            (.json(body, status: 202), .replaced(bo)),
        ]
    )
    func status(response: StubResponse, result: WriteResult.Upserted<User>) async throws {
        let stub = StubTransport(["PUT users/{}": .response(response)])
        let users: Resource<User, Store> = Shop(stub).resource("users")
        let upserted = try await users.upsert(Self.bo)
        #expect(upserted == result)
        #expect(upserted.value == Self.bo)
        #expect(upserted.isCreated == (response.status == 201))
        #expect(stub.requests.map { "\($0.method) \($0.path) \($0.text)" } == ["PUT /v1/users/bo \(Self.body)"])
    }

    @Test("A replacement of another type is sent under the given identifier")
    func replacement() async throws {
        let stub = StubTransport(["PUT notes/{}": .json(#"{"id":7,"text":"a"}"#, status: 201)])
        let notes: Resource<Note, Store> = Shop(stub).resource("notes")
        #expect(try await notes.upsert(7, .init(text: "a")).value.id == 7)
        #expect(stub.requests.map { "\($0.path) \($0.text)" } == [#"/v1/notes/7 {"text":"a"}"#])
    }

    @Test(
        "An empty response also indicates by its status whether the item was created",
        arguments: [(StubResponse.status(201), true), (.status(204), false)]
    )
    func emptyResponse(response: StubResponse, isCreated: Bool) async throws {
        let stub = StubTransport(["PUT users/{}": .response(response), "GET users/{}": .json(Self.body)])
        for source in [WriteResult(.sent), WriteResult(.merged), WriteResult(.reread)] {
            let users: Resource<User, Store> = Shop(stub).resource("users") { source }
            let upserted = try await users.upsert(Self.bo)
            #expect(upserted == (isCreated ? .created(Self.bo) : .replaced(Self.bo)))
        }
        #expect(stub.requests.map { "\($0.method)" } == ["PUT", "PUT", "PUT", "GET"])
    }

    @Test("An upsert applies the clauses for its operation and a condition")
    func clauses() async throws {
        let stub = StubTransport(["POST users/{}/put": .response(.status(412))])
        let users: Resource<User, Store> = Shop(stub).resource("users") {
            On(.upsert) { POST("\(.resource)/\(.id)/put") }
        }
        let error = await failure {
            try await users.with { IfNoneMatch(.any) }.upsert(Self.bo)
        }
        #expect(error?.status == 412)
        #expect(stub.requests.last?.headerFields[.ifNoneMatch] == "*")
    }
}
