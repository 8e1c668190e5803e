import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Middleware of scopes")
struct UseTests {
    @Test("Middlewares run from the outermost scope to the innermost, each around the next, with the template")
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
}
