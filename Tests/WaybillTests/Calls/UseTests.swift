import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Scoped middleware")
struct UseTests {
    @Test("Middleware runs from the outermost scope to the innermost, each around the next")
    func middleware() async throws {
        struct Mark: Middleware {
            let name: String
            func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
                var request = request
                let marks = request.headerFields[.prefer].map { $0 + " " } ?? ""
                request.headerFields[.prefer] = marks + name
                var response = try await next(request)
                let seen = response.headerFields[.vary].map { $0 + " " } ?? ""
                response.headerFields[.vary] = seen + name
                return response
            }
        }
        let stub = StubTransport { _ in .status(204) }
        let client = Client(Shop.url, transport: stub) {
            Use(Mark(name: "a"))
            Use(Mark(name: "b"))
        }
        let endpoint: Endpoint<Void> = client.endpoint {
            GET("x/\(1)")
            Use(Mark(name: "c"))
        }
        let response = try await endpoint.response()
        #expect(stub.requests.map { $0.headerFields[.prefer] } == ["a b c"])
        #expect(response.headerFields[.vary] == "c b a")
        #expect(stub.requests.map(\.template) == ["x/{}"])
    }

    private struct Name: Middleware, Hashable {
        let name: String
        func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
            var request = request
            request.headerFields[.prefer] = (request.headerFields[.prefer].map { $0 + " " } ?? "") + name
            return try await next(request)
        }
    }

    private func client(_ stub: StubTransport) -> Client {
        Client(Shop.url, transport: stub) {
            Use(Name(name: "call"))
            Use(Name(name: "attempt"), around: .eachAttempt)
        }
    }

    @Test("Use.none removes the middleware of outer scopes and keeps that of its own and inner scopes")
    func none() async throws {
        let stub = StubTransport { _ in .status(204) }
        let client = client(stub)
        try await client.endpoint { GET("a") }.send()
        let plain: Endpoint<Void> = client.endpoint {
            GET("b")
            Use.none
        }
        try await plain.send()
        try await plain.with { Use(Name(name: "inner"), around: .eachAttempt) }.send()
        for isFirst in [true, false] {
            try await client.endpoint {
                GET("c")
                if isFirst { Use.none }
                Use(Name(name: "own"))
                if !isFirst { Use.none }
            }.send()
        }
        #expect(stub.requests.map { $0.headerFields[.prefer] } == ["call attempt", nil, "inner", "own", "own"])
        let lines = try plain.explanation.split(separator: "\n")
        #expect(lines.contains { $0.contains(/Use: none +endpoint/) })
        #expect(lines.contains { $0.contains(/Use around each attempt: none +endpoint/) })
        #expect("\(Use.none)" == "Use.none")
    }

    @Test("Use.none in a resource removes the client's middleware and keeps that of the operations")
    func noneOfResource() async throws {
        let stub = StubTransport(["GET products/{}": .json(#"{"id":1,"name":"L"}"#)])
        let products: Resource<Product, ReadOnly> = client(stub).resource("products") {
            Use.none
            On(.read) { Use(Name(name: "read")) }
        }
        _ = try await products.read(1)
        #expect(stub.requests.map { $0.headerFields[.prefer] } == ["read"])
    }
}
