import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("WriteResult(.reread, idAt:)")
struct CreatedIDTests {
    struct User: Entity, Equatable {
        let id: String
        var name: String

        struct Draft: RequestContent { var name: String }
    }

    private func users(
        _ response: StubResponse,
        at keys: (EnvelopeKey, EnvelopeKey?) = ("uuid", nil)
    ) -> (Resource<User, ReadWrite>, StubTransport) {
        let stub = StubTransport([
            "POST users": .response(response), "PUT users/{}": .status(204),
            "GET users/{}": .response {
                .json("{\"id\":\"\($0.path.split(separator: "/").last ?? "")\",\"name\":\"Bo\"}")
            },
        ])
        let clause = keys.1.map { WriteResult(.reread, idAt: keys.0, $0) } ?? WriteResult(.reread, idAt: keys.0)
        return (Shop(stub).resource("users") { clause }, stub)
    }

    @Test(
        "A created entity is fetched by the identifier in the response",
        arguments: [
            (#"{"uuid":"7f3e"}"#, ["uuid"], "7f3e"), (#"{"uuid":7}"#, ["uuid"], "7"),
            (#"{"data":{"id":"a b"}}"#, ["data", "id"], "a b"),
        ]
    )
    func created(body: String, keys: [String], id: String) async throws {
        let (users, stub) = users(
            .json(body, status: 201),
            at: (.key(keys[0]), keys.count > 1 ? .key(keys[1]) : nil)
        )
        let user = try await users.create(.init(name: "Bo"))
        #expect(user.name == "Bo")
        #expect(stub.requests.map { "\($0.method)" } == ["POST", "GET"])
        #expect(stub.requests.last?.url.pathComponents.last == id)
    }

    @Test("An update is followed by a read with the updated entity's identifier")
    func updated() async throws {
        let (users, stub) = users(.status(500))
        #expect(try await users.update(User(id: "u1", name: "x")) == User(id: "u1", name: "Bo"))
        #expect(stub.requests.map { "\($0.method)" } == ["PUT", "GET"])
    }

    @Test(
        "A response without a usable identifier is an error that reports the creation, and nothing is fetched",
        arguments: [
            (#"{"id":"7f3e"}"#, #"no value, only "id""#), ("{}", "no value"), (#"{"uuid":null}"#, "null"),
            (#"{"uuid":""}"#, #"the text """#), (#"{"uuid":".."}"#, #"the text "..""#),
            (#"{"uuid":1.5}"#, "a number"), (#"{"uuid":{}}"#, "an object"), (#""7f3e""#, "text without members"),
            ("created", "an unreadable body"), ("", "no body"),
        ]
    )
    func unusable(body: String, found: String) async throws {
        let (users, stub) = users(.text(body, status: 201))
        let error = try #require(
            await failure { () async throws(APIError) in try await users.create(.init(name: "Bo")) }
        )
        guard case .decoding(let failure) = error else {
            Issue.record("expected a decoding failure, got \(error)")
            return
        }
        let missing = try #require(failure.underlying as? WriteResult.MissingID)
        #expect(missing.path == "uuid")
        #expect(missing.description.contains("where the response has \(found); correct"))
        #expect(error.status == 201)
        #expect(error.description.contains("returned 201 Created, and the entity was created, but not fetched"))
        #expect(error.description.contains(missing.description))
        #expect(stub.requests.count == 1)
    }

    @Test("An identifier path for a source other than .reread is a declaration error", arguments: ["merged", "sent"])
    func otherSource(name: String) async throws {
        let source = try #require(WriteResult.Source(rawValue: name))
        let stub = StubTransport([:])
        let users: Resource<User, ReadWrite> = Shop(stub).resource("users") { WriteResult(source, idAt: "uuid") }
        let error = await failure { () async throws(APIError) in try await users.create(.init(name: "Bo")) }
        #expect(error?.description.contains("WriteResult(.\(name), idAt: \"uuid\"): only .reread fetches") == true)
        #expect(error?.description.contains("declare WriteResult(.reread, idAt: \"uuid\"), or leave idAt: out") == true)
        #expect(stub.requests.isEmpty)
    }
}
