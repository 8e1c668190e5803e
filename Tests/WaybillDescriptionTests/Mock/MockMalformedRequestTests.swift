import Foundation
import TestSupport
import Testing
import Waybill
import WaybillDescription
import WaybillTesting

@Suite("Malformed requests to mock servers")
struct MockMalformedRequestTests {
    /// One mock for all requests, because rejected ones change nothing.
    private static let mock = Result {
        StubTransport(try StubResponses.mocking(Shop()) { Seeds([Shop.Product.lamp]) })
    }

    @Test(
        "A malformed request gets an expected status, and the next request succeeds",
        arguments: Thoroughness.some(MalformedRequest.all, oneIn: 4)
    )
    func rejected(_ request: MalformedRequest) async throws {
        let stub = try Self.mock.get()
        let url = try #require(URL(string: "https://shop.example/\(request.path)"))
        let response = try await stub.send(
            HTTPRequest(
                method: try #require(HTTPRequest.Method(request.method)),
                url: url,
                headerFields: HTTPFields([HTTPField(name: .contentType, value: request.type)]),
                body: request.body.isEmpty ? nil : HTTPBody(Data(request.body.utf8))
            )
        )
        #expect(request.statuses.contains(response.status.code), "\(response.status)")
        #expect(try await Shop(transport: stub).products.read(1) == .lamp)
    }
}

struct MalformedRequest: Sendable, CustomTestStringConvertible {
    let method: String
    let path: String
    var type = "application/json"
    var body = ""
    var statuses: ClosedRange<Int> = 400...499

    var testDescription: String { "\(method) \(path) \(type) \(body.prefix(40))" }

    static let all =
        bodies.map { MalformedRequest(method: "POST", path: "products", body: $0) }
        + bodies.map { MalformedRequest(method: "PATCH", path: "products/1", type: mergePatch, body: $0) }
        + bodies.map { MalformedRequest(method: "PUT", path: "products/1", body: $0) }
        + types.map { MalformedRequest(method: "POST", path: "products", type: $0, body: product) }
        + [
            MalformedRequest(method: "GET", path: "products/99999999999999999999999999"),
            MalformedRequest(method: "GET", path: "products/-0"),
            MalformedRequest(method: "GET", path: "products/%00"),
            MalformedRequest(method: "GET", path: "products/%FF%FE"),
            MalformedRequest(method: "GET", path: "products/..%2F1"),
            MalformedRequest(method: "DELETE", path: "products/1e400"),
            MalformedRequest(method: "PATCH", path: "products", body: #"[{"id": 1e999}]"#),
            MalformedRequest(method: "PATCH", path: "products", body: #"[[], null, 7]"#),
            MalformedRequest(method: "BREW", path: "products"),
            MalformedRequest(method: "POST", path: "products/1"),
            MalformedRequest(method: "GET", path: "products//1", statuses: 400...501),
            MalformedRequest(method: "GET", path: "x/\(String(repeating: "a/", count: 500))", statuses: 400...501),
            MalformedRequest(
                method: "GET",
                path: "products?page=99999999999999999999&per_page=-1",
                statuses: 200...200
            ),
            MalformedRequest(method: "GET", path: "products?page&per_page=&=&&=1&page=x", statuses: 200...200),
        ]

    private static let mergePatch = "application/merge-patch+json"
    private static let product = #"{"name": "Chair", "unit_price": 1}"#
    private static let types = ["text/plain", "application/xml", "", ";", "/", "application/", "a/b; =\u{7E}"]

    private static let bodies = [
        "{", "[", "\"", "nul", "\u{FEFF}", "{\"name\": \"\\ud800\"}", "7", "\"text\"", "true", "[7]",
        #"{"name": 7}"#, #"{"unit_price": "x", "name": "a"}"#, #"{"name": {"a": []}}"#, #"{"unit_price": [1e999]}"#,
        String(repeating: "[", count: 100_000), String(repeating: #"{"name":"#, count: 10_000),
    ]
}
