import Foundation
import Testing
import Waybill
import WaybillDescription
import WaybillTesting

@Suite("Call selection in mock servers")
struct MockSelectionTests {
    private let office: Office

    init() throws {
        office = Office(transport: StubTransport(try .mocking(Office())))
    }

    @Test(
        "A call is selected by the request's content, words, schema, values, names and numbers",
        arguments: [
            // Content: a form, an array and no body.
            ("content", nil, "a=1", "application/x-www-form-urlencoded", "form"),
            ("content", nil, #"[{"a": 1}]"#, "application/json", "array"),
            ("content", nil, nil, nil, "none"),
            // Words: the method selects the call, even if the request contains another call's number.
            ("words", nil, #"{"method": "count", "id": 1}"#, "application/json", "count"),
            ("words", nil, #"{"method": "name", "id": 2}"#, "application/json", "name"),
            ("words", nil, #"{"method": "name", "id": 77}"#, "application/json", "name"),
            // Schema: the required members select the call, even if the request contains another call's word.
            ("schema", nil, #"{"email": "a@b.example", "role": "admin"}"#, "application/json", "invitation"),
            ("schema", nil, #"{"name": "Ada", "role": "guest"}"#, "application/json", "user"),
            // Values: a text in a query language.
            ("values", nil, #"{"query": "{ name }"}"#, "application/json", "name"),
            ("values", nil, #"{"query": "{ count }", "variables": {}}"#, "application/json", "count"),
            // Names of query items.
            ("names", "q=x&limit=9", nil, nil, "limited"),
            ("names", "q=x", nil, nil, "plain"),
            // Numbers in the query.
            ("numbers", "kind=2", nil, nil, "second"),
            ("numbers", "kind=1", nil, nil, "first"),
        ]
    )
    func rules(path: String, query: String?, body: String?, type: String?, call: String) async throws {
        let client = office.client
        let target = try #require(URL(string: "https://mock.example/\(path)\(query.map { "?\($0)" } ?? "")"))
        let endpoint: Endpoint<JSONValue> =
            if let body, let type {
                client.endpoint {
                    POST(at: target)
                    Body(Data(body.utf8), contentType: type)
                }
            } else if query == nil {
                client.endpoint { POST(at: target) }
            } else {
                client.endpoint { GET(at: target) }
            }
        let response = try await endpoint.send()
        #expect(response[call] != nil, "\(response)")
    }

    @Test("A request without the word that distinguishes the calls gets 501 with the declared words") func missingWord()
        async throws
    {
        let call: Endpoint<JSONValue> = office.endpoint {
            POST("words")
            Body(["id": 1])
        }
        let error = await #expect(throws: APIError.self) { try await call.send() }
        #expect(error?.status == 501)
        let text = "\(error.map { "\($0)" } ?? "")"
        #expect(text.contains(#"the member method is missing, and the declared calls have "count", "name""#), "\(text)")
    }
}

/// A response with one member, named after its call.
private struct Named<Name: CallNaming>: Codable, Sendable {
    init(from decoder: any Decoder) throws {
        _ = try decoder.container(keyedBy: Key.self).decode(Int.self, forKey: Key(stringValue: Name.name))
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: Key(stringValue: Name.name))
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

private protocol CallNaming { static var name: String { get } }
private enum Form: CallNaming { static let name = "form" }
private enum Batch: CallNaming { static let name = "array" }
private enum None: CallNaming { static let name = "none" }
private enum Count: CallNaming { static let name = "count" }
private enum Name: CallNaming { static let name = "name" }
private enum User: CallNaming { static let name = "user" }
private enum Invitation: CallNaming { static let name = "invitation" }
private enum Limited: CallNaming { static let name = "limited" }
private enum Unlimited: CallNaming { static let name = "plain" }
private enum First: CallNaming { static let name = "first" }
private enum Second: CallNaming { static let name = "second" }

private struct Office: DescribedAPI {
    struct NewUser: RequestContent, ResponseContent { var name, role: String }
    struct NewInvitation: RequestContent, ResponseContent { var email, role: String }

    let client: Client

    init(_ url: URL = .mocked, transport: some Transport = .default) { client = Client(url, transport: transport) {} }

    private func call<Value: CallNaming>(
        _ type: Value.Type,
        _ path: Route.Path,
        _ body: Body
    ) -> Endpoint<Named<Value>> {
        endpoint {
            POST(path)
            body
        }
    }

    private var none: Endpoint<Named<None>> { endpoint { POST("content") } }

    private func procedure<Value: CallNaming>(_ type: Value.Type, _ id: Int) -> Endpoint<Named<Value>> {
        endpoint {
            POST("words")
            Body.Member("method", Value.name)
            Body.Member("id", id)
        }
    }

    private var limited: Endpoint<Named<Limited>> {
        endpoint {
            GET("names")
            Query("q", "a")
            Query("limit", 3)
        }
    }

    private var plain: Endpoint<Named<Unlimited>> {
        endpoint {
            GET("names")
            Query("q", "b")
        }
    }

    private func kind<Value: CallNaming>(_ type: Value.Type, _ kind: Int) -> Endpoint<Named<Value>> {
        endpoint {
            GET("numbers")
            Query("kind", kind)
        }
    }

    var calls: APIDescription {
        call(Form.self, "content", Body(form: ["a": "1"]))
        call(Batch.self, "content", Body([["a": 1]]))
        none
        procedure(Count.self, 1)
        procedure(Name.self, 2)
        call(User.self, "schema", Body(NewUser(name: "a", role: "admin")))
        call(Invitation.self, "schema", Body(NewInvitation(email: "b", role: "guest")))
        call(Count.self, "values", Body(["query": "{ count }"]))
        call(Name.self, "values", Body(["query": "{ name }"]))
        limited
        plain
        kind(First.self, 1)
        kind(Second.self, 2)
    }
}
