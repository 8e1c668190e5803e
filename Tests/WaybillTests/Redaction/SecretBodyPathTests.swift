import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Secrets at a path in the request body")
struct SecretBodyPathTests {
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let secret: Secret
        let body: JSONValue
        let shown: String
    }

    private static let call: JSONValue = ["method": "login", "params": ["shop", "ann", "pa55word"], "id": 7]

    static let rows = [
        Row(
            testDescription: "an element of an array",
            secret: Secret(body: "params", 2),
            body: call,
            shown: #"{"id":7,"method":"login","params":["shop","ann","‹redacted›"]}"#
        ),
        Row(
            testDescription: "the last element",
            secret: Secret(body: "params", -1),
            body: call,
            shown: #"{"id":7,"method":"login","params":["shop","ann","‹redacted›"]}"#
        ),
        Row(
            testDescription: "a short number within an object",
            secret: Secret(body: "params", 0, "pin"),
            body: ["params": [["pin": 12, "user": "ann"]]],
            shown: #"{"params":[{"pin":"‹redacted›","user":"ann"}]}"#
        ),
        Row(
            testDescription: "an array as a whole",
            secret: Secret(body: "params"),
            body: call,
            shown: #"{"id":7,"method":"login","params":"‹redacted›"}"#
        ),
        Row(
            testDescription: "an element of a body that is an array",
            secret: Secret(body: 1),
            body: ["ann", "pa55word"],
            shown: #"["ann","‹redacted›"]"#
        ),
        Row(
            testDescription: "an element that is missing",
            secret: Secret(body: "params", 3),
            body: call,
            shown: call.description
        ),
        Row(
            testDescription: "null",
            secret: Secret(body: "session"),
            body: ["session": nil],
            shown: #"{"session":null}"#
        ),
    ]

    private static func endpoint(_ client: Client, _ body: JSONValue, _ secret: Secret) -> Endpoint<JSONValue> {
        client.endpoint {
            POST("rpc")
            Body(body)
            secret
        }
    }

    @Test("A curl command redacts only the secret at the path, and the request sends the full body", arguments: rows)
    func curl(_ row: Row) async throws {
        let stub = StubTransport { _ in .json("1") }
        let endpoint = Self.endpoint(Shop(stub).client, row.body, row.secret)
        let plan = try endpoint.plan()
        #expect(plan.curl().contains("--data-raw '\(row.shown)'"), "\(plan.curl())")
        #expect(plan.curl(revealingSecrets: true).contains("--data-raw '\(row.body)'"))
        _ = try await endpoint.send()
        #expect(stub.requests.map(\.text) == [row.body.description])
    }

    @Test("A response member at the secret's path is shown, but an echo of the secret is redacted")
    func response() async throws {
        let stub = StubTransport { _ in
            .json(#"{"params":[4711,"ann"],"error":"no user with pa55word"}"#, status: 400)
        }
        let endpoint = Self.endpoint(Shop(stub).client, Self.call, Secret(body: "params", 2))
        let error = try #require(await failure { try await endpoint.send() })
        #expect(error.description.contains(#""params":[4711,"ann"]"#))
        #expect(error.description.contains("no user with ‹redacted›"))
        #expect(!"\(error) \(String(reflecting: error))".contains("pa55word"))
    }

    @Test("A cursor remains valid when a secret in the body changes")
    func cursor() async throws {
        func list(_ session: String, _ id: Int) -> Endpoint<[PaginationTests.Item]> {
            Shop(StubTransport { _ in PaginationTests.page([id]) }).endpoint {
                POST("items")
                Body(["params": [.string(session)]] as JSONValue)
                Secret(body: "params", 0)
                Envelope("items")
                Paginated(.offset(.body("params", 1)))
            }
        }
        let next = try #require(try await list("first-session", 1).page().next)
        _ = try await list("other-session", 2).page(at: next)
        #expect(try !String(decoding: JSONEncoder().encode(next), as: UTF8.self).contains("first-session"))
    }

    @Test("An explanation lists the paths of secrets")
    func explanation() throws {
        let endpoint = Self.endpoint(Shop().client, Self.call, Secret(body: "params", 2))
        #expect(try endpoint.explanation.contains("params[2] of the body"))
    }

    struct Mistake: CustomTestStringConvertible {
        let testDescription: String
        let secret: Secret
        let body: Body
        let reason: String
    }

    private static let wayOut =
        "so the secret would be shown; correct the path, or declare the clause only for calls whose bodies have it"

    static let mistakes = [
        Mistake(
            testDescription: "an index of an object",
            secret: Secret(body: "params", 0),
            body: Body(["params": ["pin": 1]] as JSONValue),
            reason: #"Secret(body: "params", 0): params is an object in the body, which has no elements, "# + wayOut
        ),
        Mistake(
            testDescription: "a key of an array",
            secret: Secret(body: "params", "pin"),
            body: Body(["params": [1]] as JSONValue),
            reason: #"Secret(body: "params", "pin"): params is an array in the body, which has no members, "# + wayOut
        ),
        Mistake(
            testDescription: "a key of a body that is an array",
            secret: Secret(body: "pin"),
            body: Body([1] as JSONValue),
            reason: #"Secret(body: "pin"): the body is an array, which has no members, "# + wayOut
        ),
        Mistake(
            testDescription: "an item of a form",
            secret: Secret(body: "pin"),
            body: Body(form: ["pin": "1234"]),
            reason:
                #"Secret(body: "pin"): the body is a form, which has no paths; hide its item by name: Secret("pin")"#
        ),
    ]

    @Test("A path that cannot match the body is a declaration error", arguments: mistakes)
    func mistake(_ row: Mistake) throws {
        let endpoint: Endpoint<Void> = Shop().endpoint {
            POST("rpc")
            row.body
            row.secret
        }
        let error = #expect(throws: APIError.self) { try endpoint.plan() }
        #expect("\(error.map { "\($0)" } ?? "")".contains(row.reason), "\(String(describing: error))")
    }

    @Test("A path declared on the client does not affect calls without a body or with a non-JSON body")
    func otherCalls() throws {
        let client = Shop { Secret(body: "params", 0) }.client
        let get: Endpoint<Void> = client.endpoint { GET("a") }
        let form: Endpoint<Void> = client.endpoint {
            POST("a")
            Body(form: ["q": "lamp"])
        }
        let bytes: Endpoint<Void> = client.endpoint {
            POST("a")
            Body(Data("lamp".utf8), contentType: "text/plain")
        }
        for endpoint in [get, form, bytes] { #expect(throws: Never.self) { try endpoint.plan() } }
    }
}
