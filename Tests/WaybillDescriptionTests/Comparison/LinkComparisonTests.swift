import Foundation
import Testing
import Waybill
import WaybillDescription
import WaybillOperations
import WaybillTesting
import WaybillTransfers

@Suite("Comparing link origins")
struct LinkComparisonTests {
    private struct Thing: Entity, Equatable { let id: Int }

    private func things(
        _ url: URL = .mocked,
        isPaged: Bool = true,
        @Scope.Builder _ clauses: () -> Scope = { Scope() }
    ) -> ClauseRow.Listing {
        let client = Client(url, clauses)
        let things: Endpoint<[Thing]> = client.endpoint {
            GET("things")
            Paginated(isPaged ? .link() : .pageNumber())
        }
        let file: Endpoint<Void> = client.endpoint {
            POST("files")
            Body(HTTPBody(Data("a".utf8)), contentType: "text/plain")
            if isPaged { Resumable(.draft) }
        }
        return ClauseRow.Listing(client) {
            things
            file
        }
    }

    /// Returns the link findings against the API's own document with the given servers.
    private func findings(
        _ servers: [String],
        of url: URL = .mocked,
        isPaged: Bool = true,
        @Scope.Builder _ clauses: () -> Scope = { Scope() }
    ) throws -> [OpenAPIDocument.Finding] {
        let api = things(url, isPaged: isPaged, clauses)
        let document = try api.openAPI(title: "Things", version: "1").json
            .setting(.array(servers.map { ["url": .string($0)] }), at: ["servers"])
        return try api.compare(with: OpenAPIDocument(document)).filter { $0.clause == "Route.Links" }
    }

    @Test("Servers without TLS are a finding for calls that follow links without replacing the origin")
    func withoutTLS() throws {
        let found = try findings(["http://internal:8080"])
        #expect(
            found.map(\.description) == [
                "warning: GET things and 1 other call, Route.Links: it follows links in responses, which can be at"
                    + " http://internal:8080 like the document's servers, and rejects them because the base URL uses"
                    + " https; behind a proxy, configure the server to trust X-Forwarded-Proto and X-Forwarded-Host, or"
                    + " declare Route.Links(to: .baseOrigin) (#/servers)"
            ]
        )
        #expect(try findings(["http://internal:8080"]) { Route.Links(to: .baseOrigin) } == [])
        #expect(try findings(["http://internal:8080"], isPaged: false) == [])
    }

    @Test(
        "A TLS, relative or missing server is not a finding, nor is any server for a client without TLS",
        arguments: [["https://mock.example"], ["http://internal:8080", "https://mock.example"], ["/"], []]
    )
    func withTLS(servers: [String]) throws {
        #expect(try findings(servers) == [])
        let url = try #require(URL(string: "http://localhost:8080"))
        #expect(try findings(["http://localhost:8080"], of: url) == [])
    }

    @Test("In Swagger 2.0, the server is derived from the schemes and the host")
    func swagger() throws {
        let document: JSONValue = [
            "swagger": "2.0", "host": "internal:8080", "schemes": ["http"],
            "paths": ["/things": ["get": ["responses": ["200": ["description": "things"]]]]],
        ]
        func clauses(_ document: JSONValue) throws -> [String] {
            try things().compare(with: OpenAPIDocument(document)).map(\.clause)
        }
        #expect(try clauses(document).contains("Route.Links"))
        #expect(try !clauses(document.setting(["http", "https"], at: ["schemes"])).contains("Route.Links"))
    }
}
