import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("JSON with other media types")
struct OtherMediaTypeTests {
    struct Complaint: Decodable, Sendable, Equatable { let code: String }

    static let types = [
        "application/json", "application/x-amz-json-1.0", "text/plain", "application/.json", "text/html",
        "application/octet-stream", "binary/octet-stream; charset=utf-8",
    ]

    private static func response(_ text: String, _ type: String, status: HTTPResponse.Status = 200) -> StubResponse {
        let field = HTTPField(name: .contentType, value: type)
        return .bytes(Data(text.utf8), status: status, headers: HTTPFields([field].compactMap { $0 }))
    }

    private static func client(
        _ response: StubResponse,
        @Scope.Builder _ clauses: () -> Scope = { Scope() }
    ) -> Client { Client(Shop.url, transport: StubTransport { _ in response }, clauses) }

    @Test("Undecodable JSON is diagnosed regardless of its media type", arguments: types)
    func diagnosis(_ type: String) async throws {
        let bodies = [
            (#"{"id":7}"#, #"line 1, column 1: the key "name" is missing; there is only "id""#),
            ("\u{FEFF} {\"id\":\"x\"}", #"id (line 1, column 8): expected an integer (Int), found the string "x""#),
            (#"{"id":7,"#, "line 1, column 9: expected a key in double quotes after ','"),
            ("[]", "line 1, column 1: expected an object, found an empty array"),
        ]
        for (body, text) in bodies {
            let client = Self.client(Self.response(body, type))
            let error = await failure { try await client.get("a", as: Product.self) }
            let description = try #require(error).description
            #expect(description.contains(text), "\(description)")
            #expect(!description.contains("not JSON"))
        }
    }

    @Test(
        "Text that only begins like JSON might be a token and is not shown",
        arguments: ["[note] t0k3n", "t0k3n", "{t0k3n}"]
    )
    func token(_ text: String) async throws {
        let client = Self.client(Self.response(text, "text/plain"))
        let error = await failure { try await client.get("a", as: Product.self) }
        #expect(try #require(error).description.contains("the body is text/plain and not JSON"))
        #expect(try !#require(error).description.contains("t0k3n"))
    }

    @Test("The JSON body of a failed response is decoded as a problem regardless of its media type", arguments: types)
    func problem(_ type: String) async {
        let client = Self.client(Self.response(#"{"code":"x"}"#, type, status: 500)) { Problem(Complaint.self) }
        let error = await failure { try await client.get("a", as: Product.self) }
        #expect(error?.problem(as: Complaint.self) == Complaint(code: "x"))
    }

    struct TextRow: CustomTestStringConvertible {
        let testDescription: String
        let type: String
        let body: String
        let problem: String?
        var contentTypes: [String] = []
        var condition: @Sendable (String) -> Bool = { _ in true }
    }

    @Test(
        "Problem(String.self) is the text of a failed response",
        arguments: [
            TextRow(testDescription: "a text", type: "text/plain", body: "down", problem: "down"),
            TextRow(
                testDescription: "a text of another character set",
                type: "text/plain; charset=utf-16le",
                body: "d\0o\0",
                problem: "do"
            ),
            TextRow(testDescription: "a JSON string", type: "application/json", body: #""down""#, problem: "down"),
            TextRow(testDescription: "JSON as text", type: "text/plain", body: #"{"a":1}"#, problem: #"{"a":1}"#),
            TextRow(testDescription: "bytes", type: "application/octet-stream", body: "down", problem: nil),
            TextRow(testDescription: "an HTML page", type: "text/html", body: "<p>down", problem: nil),
            TextRow(
                testDescription: "an HTML page of a declared type",
                type: "text/html",
                body: "<p>down",
                problem: "<p>down",
                contentTypes: ["text/html"]
            ),
            TextRow(
                testDescription: "a text of another type than declared",
                type: "text/plain",
                body: "down",
                problem: nil,
                contentTypes: ["text/html"]
            ),
            TextRow(
                testDescription: "a text that is no problem by the condition",
                type: "text/plain",
                body: "down",
                problem: nil,
                condition: { $0 == "up" }
            ),
        ]
    )
    func text(_ row: TextRow) async {
        let client = Self.client(Self.response(row.body, row.type, status: 500)) {
            Problem(String.self, contentTypes: row.contentTypes, when: row.condition)
        }
        let error = await failure { try await client.get("a", as: Product.self) }
        #expect(error?.status == 500)
        #expect(error?.problem(as: String.self) == row.problem)
    }

    @Test("A text problem is printed with secrets redacted")
    func secretText() async throws {
        let body = #"bad request: {"password":"hunter2"}"#
        let client = Self.client(Self.response(body, "text/plain", status: 500)) { Problem(String.self) }
        let error = await failure { try await client.get("a", as: Product.self) }
        #expect(error?.problem(as: String.self) == body)
        #expect(try #require(error).description.contains("problem: bad request"))
        #expect(try !#require(error).description.contains("hunter2"))
    }

    @Test("Problem(contentTypes:) ignores JSON with other media types")
    func contentTypes() async {
        let types = [("application/problem+json", true), ("application/json", false), ("text/plain", false)]
        for (type, isProblem) in types {
            let client = Self.client(Self.response(#"{"code":"x"}"#, type, status: 500)) {
                Problem(Complaint.self, contentTypes: ["application/problem+json"])
            }
            let error = await failure { try await client.get("a", as: Product.self) }
            #expect((error?.problem(as: Complaint.self) != nil) == isProblem, "\(type)")
        }
    }

    struct BodyRow: CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let endpoint: @Sendable (Client) -> Endpoint<Void>

        init(_ name: String, _ text: String, _ endpoint: @escaping @Sendable (Client) -> Endpoint<Void>) {
            testDescription = name
            self.text = text
            self.endpoint = endpoint
        }
    }

    @Test(
        "Body.Member adds to a JSON body regardless of its media type",
        arguments: [
            BodyRow("a value", #"{"api":"v1","name":"L"}"#) { client in
                client.endpoint {
                    POST("a")
                    Body(Product.Draft(name: "L"))
                }
            },
            BodyRow("no body", #"{"api":"v1"}"#) { client in client.endpoint { POST("a") } },
            BodyRow("bytes", #"{"api":"v1","a":1}"#) { client in
                client.endpoint {
                    POST("a")
                    Body(Data(#"{"a":1}"#.utf8), contentType: "application/x-amz-json-1.0")
                }
            },
        ]
    )
    func members(_ row: BodyRow) throws {
        let client = Self.client(.status(204)) {
            Encode(keys: .convertToSnakeCase, contentType: "application/x-amz-json-1.0")
            Body.Member("api", "v1")
        }
        let plan = try row.endpoint(client).plan()
        #expect(plan.headerFields[.contentType] == "application/x-amz-json-1.0")
        let sent = try JSONDecoder().decode(JSONValue.self, from: plan.body?.bytes ?? Data())
        #expect(sent == (try JSONDecoder().decode(JSONValue.self, from: Data(row.text.utf8))))
    }

    @Test("Body.Member for a non-JSON body is a declaration error")
    func noMember() {
        let endpoint: Endpoint<Void> = Self.client(.status(204)).endpoint {
            POST("a")
            Body(Data("a,b".utf8), contentType: "text/csv")
            Body.Member("api", "v1")
        }
        #expect(throws: APIError.self) { try endpoint.plan() }
    }

    @Test("Secrets in a JSON body with another media type are redacted in errors and curl commands")
    func secrets() async throws {
        let client = Self.client(Self.response("no such user with hunter2", "text/plain", status: 400)) {
            Encode(contentType: "application/x-amz-json-1.0")
        }
        let endpoint: Endpoint<Void> = client.endpoint {
            POST("a")
            Body(["password": "hunter2"])
        }
        let error = await failure { try await endpoint.send() }
        #expect(try !#require(error).description.contains("hunter2"))
        #expect(try !endpoint.plan().curl().contains("hunter2"))
    }

    @Test("WriteResult(.merged) and patch(from:to:) support a JSON encoder with another media type")
    func writes() async throws {
        let responses: StubResponses = [
            "POST products": .json(#"{"id":7}"#), "PATCH products/7": .json(#"{"id":7,"name":"M"}"#),
        ]
        let shop = Shop(responses: responses) {
            Encode(contentType: "application/x-amz-json-1.0")
            WriteResult(.merged)
            On(.patch) { Body.Differences(as: .mergePatch) }
        }
        let created = try await shop.products.create(.init(name: "L"))
        #expect(created.name == "L")
        let changed = try await shop.products.patch(from: created, to: Product(id: 7, name: "M"))
        #expect(changed.name == "M")
    }
}
