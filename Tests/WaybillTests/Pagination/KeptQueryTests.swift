import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Links without the list's query")
struct KeptQueryTests {
    private typealias Item = PaginationTests.Item

    private func items(
        _ stub: StubTransport,
        _ scheme: Paginated.Scheme,
        otherOrigins: [String] = []
    ) -> Endpoint<[Item]> {
        Shop(stub).endpoint {
            GET("items")
            Query("status", "open")
            Query("tag", ["a", "b"])
            Query("key", "secret-key", secret: true)
            Envelope("items")
            Paginated(scheme, otherOrigins: otherOrigins)
        }
    }

    struct Row: CustomTestStringConvertible {
        let link: String
        let keepsQuery: Bool
        var size: Paginated.Scheme.Size?
        let second: String

        var testDescription: String { "\(link), keepsQuery: \(keepsQuery)" }
    }

    static let rows = [
        Row(link: "/v1/items?page=2", keepsQuery: false, second: "page=2&key=secret-key"),
        Row(link: "/v1/items?page=2", keepsQuery: true, second: "page=2&status=open&tag=a&tag=b&key=secret-key"),
        Row(link: "?page=2&status=all", keepsQuery: true, second: "page=2&status=all&tag=a&tag=b&key=secret-key"),
        Row(
            link: "?page=2&status=open&tag=a&tag=b",
            keepsQuery: true,
            second: "page=2&status=open&tag=a&tag=b&key=secret-key"
        ),
        Row(
            link: "?page=2",
            keepsQuery: true,
            size: .query("limit", 2),
            second: "page=2&status=open&tag=a&tag=b&key=secret-key&limit=2"
        ),
        Row(
            link: "?page=2&limit=2",
            keepsQuery: true,
            size: .query("limit", 2),
            second: "page=2&limit=2&status=open&tag=a&tag=b&key=secret-key"
        ),
        Row(
            link: "?page=2",
            keepsQuery: true,
            size: .query("tag", 2),
            second: "page=2&status=open&tag=a&tag=b&key=secret-key"
        ),
    ]

    @Test("With keepsQuery, the next request has the query items that the link lacks", arguments: rows, [true, false])
    func links(_ row: Row, inBody: Bool) async throws {
        let stub = StubTransport { request in
            if request.query("page") != nil { return PaginationTests.page([3]) }
            return inBody
                ? PaginationTests.page([1, 2], "\"next\":\"\(row.link)\"")
                : PaginationTests.page([1, 2], headers: PaginationTests.field("Link", "<\(row.link)>; rel=next"))
        }
        let scheme: Paginated.Scheme =
            inBody
            ? .next(at: "next", size: row.size, keepsQuery: row.keepsQuery)
            : .link(size: row.size, keepsQuery: row.keepsQuery)
        #expect(try await items(stub, scheme).all.collect().map(\.id) == [1, 2, 3])
        #expect(stub.requests.map(\.query).last == row.second)
    }

    @Test("With keepsQuery, a stored cursor from a header field's link keeps the query")
    func stored() async throws {
        let stub = StubTransport { request in
            PaginationTests.page([1], headers: PaginationTests.field("Next-Page", "/v1/items?page=2"))
        }
        let endpoint = items(stub, .next(field: "Next-Page", keepsQuery: true))
        let cursor = try #require(try await endpoint.page().next)
        let stored = try JSONEncoder().encode(cursor)
        #expect(!String(decoding: stored, as: UTF8.self).contains("secret-key"))
        _ = try await endpoint.page(at: JSONDecoder().decode(Cursor.self, from: stored))
        #expect(stub.requests.last?.query == "page=2&status=open&tag=a&tag=b&key=secret-key")
    }

    @Test("A link to another origin is followed without the query")
    func otherOrigin() async throws {
        let stub = StubTransport { request in
            request.url.host() == "cdn.shop.example"
                ? PaginationTests.page([2])
                : PaginationTests.page([1], #""next":"https://cdn.shop.example/items?page=2""#)
        }
        let endpoint = items(stub, .next(at: "next", keepsQuery: true), otherOrigins: ["https://cdn.shop.example"])
        #expect(try await endpoint.all.collect().map(\.id) == [1, 2])
        #expect(stub.requests.last?.query == "page=2")
    }
}
