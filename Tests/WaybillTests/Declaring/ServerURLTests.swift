import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

/// Requests to URLs provided by the server, such as a `Location`.
@Suite("Server-provided URLs")
struct ServerURLTests {
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let request: String
        let clauses: @Sendable () -> Scope

        init(_ name: String, _ request: String, @Scope.EndpointBuilder _ clauses: @escaping @Sendable () -> Scope) {
            (testDescription, self.request, self.clauses) = (name, request, clauses)
        }
    }

    static let rows = [
        Row("no item of the client is added", "/v1/items?lang=en&sig=a%2Bb") { GET(at: "/v1/items?lang=en&sig=a%2Bb") },
        Row("no item of the client is added to a URL without a query", "/v1/items/7") { GET(at: "/v1/items/7") },
        Row("an item beside it is appended", "/v1/items?sig=a&digest=y") {
            GET(at: "/v1/items?sig=a")
            Query("digest", "y")
        },
        Row("an item before it is appended too", "/v1/items?sig=a&lang=fr") {
            Query("lang", "fr")
            GET(at: "/v1/items?sig=a")
        },
        Row("the fragment is never sent", "/v1/items?a=1") { GET(at: "/v1/items?a=1#part") },
        Row("the bytes of its query stay", "/v1/items?q=a+b&&x=%7e&flag") { GET(at: "/v1/items?q=a+b&&x=%7e&flag") },
    ]

    @Test(arguments: rows)
    func request(_ row: Row) throws {
        let shop = Shop(StubTransport([:])) {
            Query("lang", "de")
            Query("filter[]", "a")
        }
        let plan = try RequestBuilder(client: shop.client.scopes, scopes: row.clauses().flattened).plan()
        #expect(plan.url.absoluteString == "https://shop.example" + row.request)
    }

    @Test("A secret query item of the client is added to a URL that lacks it", arguments: [true, false])
    func secret(isPresent: Bool) async throws {
        let stub = StubTransport { _ in .json("1") }
        let client = Client(Shop.url, transport: stub) {
            Secret("%key")
            Query("%key", "client")
        }
        let url = "/v1/items?a=1" + (isPresent ? "&%25key=server" : "")
        _ = try await client.endpoint(of: Int.self, at: url).send()
        #expect(stub.requests.map(\.pathAndQuery) == [isPresent ? url : url + "&%25key=client"])
    }

    @Test("A created entity is read at its Location without the query items of the client and resource")
    func reread() async throws {
        let stub = StubTransport { request in
            request.method == .post
                ? .status(201, headers: [HTTPField(name: .location, value: "/v1/products/7?lang=en&sig=a%2Bb")])
                : .json(#"{"id":7,"name":"Lamp","price":30}"#)
        }
        let shop = Shop(stub) { Query("lang", "de") }
        let products: Resource<Product, ReadWrite> = shop.resource("products") {
            Query("tenant", 3)
            WriteResult(.reread)
        }
        _ = try await products.create(.init(name: "Lamp"))
        let sent = stub.requests.map(\.pathAndQuery)
        #expect(sent == ["/v1/products?lang=de&tenant=3", "/v1/products/7?lang=en&sig=a%2Bb"])
    }

    struct Walk: CustomTestStringConvertible {
        let testDescription: String
        let url: String
        let scheme: Paginated.Scheme
        let pages: [String]
        let items: [Int]
        let requests: [String]
    }

    static let walks = [
        Walk(
            testDescription: "numbers continue at that of the URL, with its size",
            url: "/v1/items?page=3&sig=x",
            scheme: .pageNumber(size: .query("size", 50), total: .value("total")),
            pages: [#"{"items":[5,6],"total":8}"#, #"{"items":[7,8],"total":8}"#, #"{"items":[],"total":8}"#],
            items: [5, 6, 7, 8],
            requests: ["/v1/items?page=3&sig=x", "/v1/items?page=4&sig=x", "/v1/items?page=5&sig=x"]
        ),
        Walk(
            testDescription: "a URL without a number is the first page",
            url: "/v1/items?sig=x",
            scheme: .pageNumber(total: .value("total")),
            pages: [#"{"items":[1,2],"total":3}"#, #"{"items":[3],"total":3}"#],
            items: [1, 2, 3],
            requests: ["/v1/items?sig=x", "/v1/items?sig=x&page=2"]
        ),
        Walk(
            testDescription: "a URL without a query gets one with the position alone",
            url: "/v1/items",
            scheme: .pageNumber(total: .value("total")),
            pages: [#"{"items":[1,2],"total":3}"#, #"{"items":[3],"total":3}"#],
            items: [1, 2, 3],
            requests: ["/v1/items", "/v1/items?page=2"]
        ),
        Walk(
            testDescription: "offsets continue at that of the URL",
            url: "/v1/items?offset=4&limit=2",
            scheme: .offset(size: .query("limit", 50), total: .value("total")),
            pages: [#"{"items":[5,6],"total":7}"#, #"{"items":[7],"total":7}"#],
            items: [5, 6, 7],
            requests: ["/v1/items?offset=4&limit=2", "/v1/items?offset=6&limit=2"]
        ),
        Walk(
            testDescription: "a token takes the place of the one in the URL",
            url: "/v1/items?cursor=A&kind=new",
            scheme: .cursor(at: "next", as: "cursor", size: .query("limit", 50), total: .value("total")),
            pages: [#"{"items":[5],"next":"B","total":6}"#, #"{"items":[6],"total":6}"#],
            items: [5, 6],
            requests: ["/v1/items?cursor=A&kind=new", "/v1/items?cursor=B&kind=new"]
        ),
        Walk(
            testDescription: "a link takes the place of the URL",
            url: "/v1/items?page=3",
            scheme: .next(at: "next", total: .value("total")),
            pages: [#"{"items":[5],"next":"?page=4","total":6}"#, #"{"items":[6],"total":6}"#],
            items: [5, 6],
            requests: ["/v1/items?page=3", "/v1/items?page=4"]
        ),
    ]

    @Test("Pagination starts at a server-provided URL and replaces the position in it", arguments: walks)
    func pages(_ walk: Walk) async throws {
        let transport = StubTransport(["GET v1/items": .sequence(walk.pages.map { .json($0) })])
        let client = Client(Shop.url, transport: transport) {
            Envelope("items")
            Query("lang", "de")
        }
        let endpoint: Endpoint<[Int]> = client.endpoint {
            GET(at: walk.url)
            Paginated(walk.scheme)
        }
        #expect(try await endpoint.all.collect() == walk.items)
        #expect(transport.requests.map(\.pathAndQuery) == walk.requests)
    }
}

extension Client {
    fileprivate func endpoint<Value: Decodable & Sendable>(of type: Value.Type, at url: String) -> Endpoint<Value> {
        endpoint { GET(at: url) }
    }
}

extension ReceivedRequest {
    /// The path and query of the URL.
    fileprivate var pathAndQuery: String { String(url.absoluteString.dropFirst("https://shop.example".count)) }
}
