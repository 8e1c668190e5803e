import Foundation
import Testing
import Waybill
import WaybillDescription
import WaybillOperations
import WaybillTesting

@Suite("Links in mock server responses")
struct MockLinkTests {
    private struct Thing: Entity, Equatable { let id: Int }

    private struct Things: DescribedAPI {
        let client: Client
        let scheme: Paginated.Scheme
        let mocked: Scope

        init(
            _ url: URL = .mocked,
            _ scheme: Paginated.Scheme,
            transport: some Transport = .default,
            @Scope.Builder _ clauses: () -> Scope = { MockLinkTests.replacing() }
        ) {
            client = Client(url, transport: transport)
            self.scheme = scheme
            mocked = clauses()
        }

        var calls: APIDescription {
            things
            report
        }

        var things: Resource<Thing, ReadWrite> {
            resource("things") {
                On(.list) {
                    Envelope("items")
                    Paginated(scheme)
                }
                WriteResult(.reread)
                mocked
            }
        }

        var report: Endpoint<Thing> {
            endpoint {
                POST("reports")
                LongRunning(
                    at: .field("Operation-Location"),
                    state: .member("status", running: ["running"], done: ["done"], failed: ["failed"]),
                    result: .link(.member("result"))
                )
                mocked
            }
        }
    }

    private static let seeds = (1...3).map { Thing(id: $0) }

    @Test(
        "A mock sends links with another origin to a call that replaces the origin",
        arguments: [Paginated.Scheme.link(size: .query("limit", 2)), .next(at: "next", size: .query("limit", 2))]
    )
    func otherOrigin(_ scheme: Paginated.Scheme) async throws {
        let server = try MockServer(Things(.mocked, scheme)) { Seeds(Self.seeds) }
        let api = Things(server.url, scheme)
        let page = try await api.things.page()
        let text = "\(page.response.headerFields)\(String(decoding: page.response.body, as: UTF8.self))"
        #expect(text.contains("http://internal.invalid/things?"))
        #expect(try await api.things.all.collect() == Self.seeds)
        #expect(try await api.things.create(Thing(id: 4)) == Thing(id: 4))
        _ = try await api.report.send()
        // Following any of the links fails without origin replacement.
        let plain = Things(server.url, scheme) { Route.Links(to: .linkedOrigin) }
        await #expect(throws: APIError.self) { try await plain.things.all.collect() }
        await #expect(throws: APIError.self) { try await plain.things.create(Thing(id: 5)) }
        await #expect(throws: APIError.self) { try await plain.report.send() }
    }

    @Test("A mocking stub sends links with another origin only to a call that replaces the origin")
    func stubs() async throws {
        let scheme = Paginated.Scheme.next(at: "next", size: .query("limit", 2))
        for isDeclared in [true, false] {
            let clauses = isDeclared ? Self.replacing() : Scope()
            let stub = StubTransport(try .mocking(Things(.mocked, scheme) { clauses }) { Seeds(Self.seeds) })
            let things = Things(.mocked, scheme, transport: stub) { clauses }.things
            let body = try await things.page().response.body
            #expect(String(decoding: body, as: UTF8.self).contains("internal.invalid") == isDeclared)
            #expect(try await things.all.collect() == Self.seeds)
        }
    }

    @Scope.Builder private static func replacing() -> Scope { Route.Links(to: .baseOrigin) }
}
