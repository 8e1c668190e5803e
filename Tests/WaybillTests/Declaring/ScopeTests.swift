import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Scopes")
struct ScopeTests {
    private struct Site: API {
        let client: Client

        init(@Scope.Builder _ clauses: () -> Scope) {
            client = Client(Shop.url, transport: StubTransport([:]), clauses)
        }

        var products: Resource<Product, ReadWrite> { resource("products") }
    }

    @Test("Inner query items and header fields replace those with the same name and add to the others")
    func queryAndHeaders() throws {
        let site = Site {
            Query("key", "client")
            Query("lang", "en")
            Header("X-A", "client")
            Header("X-B", "client")
        }
        let resource: Resource<Product, ReadOnly> = site.resource("products") {
            Query("key", "resource")
            Header("x-a", "resource")
            Query("sort", "name")
        }
        let endpoint: Endpoint<[Product]> = resource.endpoint {
            GET("\(.resource)/new")
            Query("sort", "date")
            Query("sort", "price")
        }
        #expect(
            try text(of: endpoint.plan()) == """
                GET https://shop.example/v1/products/new?lang=en&key=resource&sort=date&sort=price
                X-B: client
                x-a: resource
                """
        )
    }

    @Test("Only header fields with secret names are sensitive")
    func sensitiveFields() throws {
        let site = Site {
            Secret("X-Second", "X-Third")
            Header("X-First", "1")
            Header("X-Second", "2")
        }
        let endpoint: Endpoint<Void> = site.endpoint {
            GET("a")
            Header("X-Third", "3")
            Header("X-Api-Key", "4")
            Header("X-Last", "5")
        }
        let fields = try endpoint.plan().headerFields.filter { $0.name != .accept }
        #expect(fields.map(\.isSensitive) == [false, true, true, true, false])
    }

    @Test("A scope shared by several declarations is not modified")
    func sharedScope() throws {
        func scope(@Scope.Builder _ clauses: () -> Scope) -> Scope { clauses() }
        let shared = scope {
            Query("a", 1)
            Header("X-A", "1")
        }
        var changed = shared
        Header("X-B", "2").declare(in: &changed)
        let requests = try [
            Site { shared },
            Site {
                shared
                Query("b", 2)
            },
            Site {
                Query("c", 3)
                shared
            },
            Site { changed },
            Site { shared },
        ].map { site in try text(of: site.products.with { Header(removing: .accept) }.endpoints.read(7).plan()) }
        #expect(
            requests == [
                "GET https://shop.example/v1/products/7?a=1\nX-A: 1",
                "GET https://shop.example/v1/products/7?a=1&b=2\nX-A: 1",
                "GET https://shop.example/v1/products/7?c=3&a=1\nX-A: 1",
                "GET https://shop.example/v1/products/7?a=1\nX-A: 1\nX-B: 2",
                "GET https://shop.example/v1/products/7?a=1\nX-A: 1",
            ]
        )
    }

    @Test("A declaration of an outer scope can be removed")
    func removal() throws {
        let site = Site {
            Query("key", "client")
            Header("X-A", "client")
        }
        let endpoint: Endpoint<Void> = site.endpoint {
            GET("a")
            Query(removing: "key")
            Header(removing: .accept)
        }
        #expect(try text(of: endpoint.plan()) == "GET https://shop.example/v1/a\nX-A: client")
    }

    @Test("A style acts as an outer scope, and the later of two styles wins")
    func styles() throws {
        let first = Style("first") {
            Query("a", 1)
            Query("b", 1)
            Query("c", 1)
        }
        let second = Style("second") {
            first
            Query("b", 2)
            Query("c", 2)
        }
        let site = Site {
            Query("c", 3)
            second
        }
        #expect(
            try site.products.endpoints.list().url.absoluteString
                == "https://shop.example/v1/products?a=1&b=2&c=3"
        )
    }

    @Test("A client's On clause applies to all resources, and a resource can override it")
    func operations() throws {
        let site = Site {
            On(.update) { PATCH() }
            On(.list) { Query("all", true) }
        }
        let lamp = Product(id: 7, name: "Lamp")
        #expect(try site.products.endpoints.update(lamp).plan().method == .patch)
        #expect(try site.products.endpoints.update(lamp).plan().template == "products/{}")
        #expect(try site.products.endpoints.list().url.query == "all=true")

        let people: Resource<Product, ReadWrite> = site.resource("people") {
            On(.update, .read) { Route("POST", "persons/\(.id)/profile") }
            On(.list) { GET("\(.resource)/active") }
        }
        #expect(try people.endpoints.update(lamp).plan().template == "persons/{}/profile")
        #expect(try people.endpoints.update(lamp).plan().method == .post)
        #expect(try people.endpoints.read(7).url.path == "/v1/persons/7/profile")
        #expect(
            try people.endpoints.list().url.absoluteString == "https://shop.example/v1/people/active?all=true"
        )
        #expect(try people.endpoints.delete(7).url.path == "/v1/people/7")
    }

    @Test("A declaration produces the same bytes each time")
    func determinism() throws {
        struct Payload: Encodable, Sendable {
            var map = Dictionary(uniqueKeysWithValues: (0..<20).map { ("k\($0)", $0) })
        }
        let texts = try (0..<20).map { _ in
            let endpoint: Endpoint<Void> = Site { Header("X-A", "1") }.endpoint {
                POST("a")
                Query(Payload())
                Body(Payload())
            }
            return try text(of: endpoint.plan())
        }
        #expect(Set(texts).count == 1)
    }

    @Test("An explanation lists each setting with its scope and what it overrides")
    func explanation() throws {
        let house = Style("house style") {
            Envelope("data")
            Header("X-Client", "ios")
        }
        let site = Site {
            house
            Authorization(.bearer("s3cret"))
            Query("api_key", "s3cret")
            Timeout(.seconds(30))
        }
        let endpoint: Endpoint<[Product]> = site.endpoint {
            GET("products/\(7)/parts")
            Query("q", "desk lamp")
            Envelope("results", "items")
            Timeout(.seconds(5))
            Observe(RequestLog { _ in })
        }
        #expect(
            try endpoint.explanation == """
                GET products/{}/parts              endpoint
                  https://shop.example/v1/products/7/parts?api_key=‹redacted›&q=desk%20lamp
                  Query api_key: ‹redacted›        client
                  Query q: desk lamp               endpoint
                  Header Accept: application/json  Waybill
                  Header X-Client: ios             house style
                  BodyLimits: 100000000 bytes      Waybill
                  Envelope: results.items          endpoint, before house style: data
                  Authorization: Bearer            client
                  Timeout: 5 s                     endpoint, before client: 30 s
                  Observe: RequestLog              endpoint
                """
        )
    }

    @Test("A custom setting is available to middleware")
    func ownSetting() async throws {
        struct Priority: Setting { let level: Int }
        struct Reader: Middleware {
            func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
                var request = request
                request.headerFields[.prefer] = "\(call.settings[Priority.self]?.level ?? 0)"
                return try await next(request)
            }
        }
        let stub = StubTransport { _ in .status(204) }
        let client = Client(Shop.url, transport: stub) {
            Use(Reader())
            Priority(level: 1)
        }
        let endpoint: Endpoint<Void> = client.endpoint {
            GET("a")
            Priority(level: 2)
        }
        try await endpoint.send()
        #expect(stub.requests.map { $0.headerFields[.prefer] } == ["2"])
    }
}
