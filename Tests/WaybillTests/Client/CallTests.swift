import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("A call, from declaration to value")
struct CallTests {
    @Test("Void, optionals, bytes and values are decoded from a response with or without a body")
    func values() async throws {
        let shop = Shop(responses: [
            "GET empty": .status(204), "GET null": .json("null"), "GET lamp": .json(#"{"id":1,"name":"Lamp"}"#),
            "GET text": .text("not JSON"),
        ])
        let client = shop.client
        try await client.endpoint { GET("empty") }.send()
        try await client.endpoint { GET("text") }.send()
        try await client.endpoint(Void.self) { GET("text") }.send()
        try await client.get("empty", as: Void.self)
        try await client.get("text", as: Void.self)
        #expect(try await client.get("empty", as: Product?.self) == nil)
        #expect(try await client.get("null", as: Product?.self) == nil)
        #expect(try await client.get("lamp", as: Product?.self)?.name == "Lamp")
        #expect(try await client.get("lamp", as: Product.self).id == 1)
        #expect(try await client.get("text", as: Data.self) == Data("not JSON".utf8))
        #expect(try await client.get("empty", as: Data.self).isEmpty)
    }

    @Test("A response exposes the trailer fields that follow its body")
    func trailerFields() async throws {
        struct Trailing: Transport {
            func send(_ request: HTTPRequest, options: TransferOptions) async throws(TransportError) -> HTTPResponse {
                let body = AsyncStream { continuation in
                    continuation.yield(Data("[1]".utf8))
                    continuation.finish()
                }
                return HTTPResponse(status: 200, body: HTTPBody(body) { [HTTPField(name: .eTag, value: "7")] })
            }
        }
        let sums: Endpoint<[Int]> = Client(Shop.url, transport: Trailing()).endpoint { GET("sums") }
        let response = try await sums.response()
        #expect(response.value == [1])
        #expect(response.map(\.count).trailerFields[.eTag] == "7")
    }

    @Test("A one-line Void call sends its body and clauses and does not decode the response")
    func oneLineVoid() async throws {
        let stub = StubTransport { _ in .text("not JSON") }
        let client = Client(Shop.url, transport: stub)
        try await client.get("p", as: Void.self) { Query("x", 1) }
        try await client.post("p", as: Void.self)
        try await client.post("p", body: 1, as: Void.self)
        try await client.put("p", body: 2, as: Void.self)
        try await client.patch("p", body: 3, as: Void.self) { Query("x", 2) }
        #expect(
            stub.requests.map { "\($0.method) \($0.path)\($0.query.map { "?" + $0 } ?? "") \($0.text)" } == [
                "GET /v1/p?x=1 ", "POST /v1/p ", "POST /v1/p 1", "PUT /v1/p 2", "PATCH /v1/p?x=2 3",
            ]
        )
    }

    @Test("The error for a one-line call with an empty body suggests Void, and the same call as Void succeeds")
    func emptyBody() async throws {
        let client = Client(Shop.url, transport: StubTransport { _ in .status(200) })
        let error = await failure { try await client.get("ping", as: Int.self) }
        #expect(error?.description.contains("declare `Void` or an optional where that is expected") == true)
        try await client.get("ping", as: Void.self)
        #expect(try await client.get("ping", as: Int?.self) == nil)
    }

    @Test("One-line calls with bytes fail before sending, and the error explains how to send bytes")
    func bytes() async throws {
        let stub = StubTransport { _ in .json("{}") }
        let client = Client(Shop.url, transport: stub)
        let errors = await (BytesCalls() as any FailingCalls).errors(of: client)
        #expect(errors.count == 6)
        for error in errors { #expect(error?.description.contains("Body(bytes, contentType: \"image/png\")") == true) }
        #expect(stub.requests.isEmpty)
    }

    @Test("One-line calls accept clauses and are sent like endpoints")
    func oneLine() async throws {
        let stub = StubTransport { request in
            request.method == .get || request.method == .post || request.method == .put || request.method == .patch
                ? .json(#"{"id":1,"name":"L"}"#) : .status(204)
        }
        let client = Client(Shop.url, transport: stub)
        #expect(try await client.get("p/\(1)", as: Product.self) { Query("x", 1) }.id == 1)
        let posted: Product = try await client.post("p", body: ["name": "L"])
        #expect(posted.name == "L")
        try await client.post("p", body: ["name": "L"])
        try await client.post("p/1/activate")
        _ = try await client.put("p/1", body: ["name": "L"], as: JSONValue.self)
        try await client.put("p/1", body: ["name": "L"])
        _ = try await client.patch("p/1", body: ["name": "L"], as: [String: JSONValue].self)
        try await client.patch("p/1", body: ["name": "L"])
        try await client.delete("p/1")
        _ = try await client.head("p")
        #expect(
            stub.requests.map { "\($0.method) \($0.path)\($0.query.map { "?" + $0 } ?? "") \($0.text)" } == [
                "GET /v1/p/1?x=1 ", #"POST /v1/p {"name":"L"}"#, #"POST /v1/p {"name":"L"}"#, "POST /v1/p/1/activate ",
                #"PUT /v1/p/1 {"name":"L"}"#, #"PUT /v1/p/1 {"name":"L"}"#, #"PATCH /v1/p/1 {"name":"L"}"#,
                #"PATCH /v1/p/1 {"name":"L"}"#, "DELETE /v1/p/1 ", "HEAD /v1/p ",
            ]
        )
    }
}

/// Calls to deprecated functions.
///
/// Calling them through this protocol does not produce a warning.
private protocol FailingCalls {
    func errors(of client: Client) async -> [APIError?]
}

private struct BytesCalls: FailingCalls {
    @available(*, deprecated)
    func errors(of client: Client) async -> [APIError?] {
        let bytes = Data([1])
        return [
            await failure { try await client.post("p", body: bytes) },
            await failure { try await client.post("p", body: bytes, as: JSONValue.self) },
            await failure { try await client.put("p", body: bytes) },
            await failure { try await client.put("p", body: bytes, as: JSONValue.self) },
            await failure { try await client.patch("p", body: bytes) },
            await failure { try await client.patch("p", body: bytes, as: JSONValue.self) },
        ]
    }
}
