import CallSupport
import Foundation
import Testing
import WaybillTesting

@testable import Waybill

@Suite("User information in server URLs")
struct UserInfoTests {
    @Test(
        "Removing user information leaves the rest of a URL unchanged",
        arguments: [
            ("https://user:pw@shop.example/a?b=c", "https://shop.example/a?b=c"),
            ("https://user@shop.example:8080", "https://shop.example:8080"),
            ("https://a@b@shop.example/", "https://shop.example/"), ("//user:pw@shop.example/a", "//shop.example/a"),
            ("https://:@shop.example?x", "https://shop.example?x"),
            ("https://shop.example/a@b", "https://shop.example/a@b"),
            ("https://shop.example?mail=a@b.example", "https://shop.example?mail=a@b.example"),
            ("https://shop.example#a@b", "https://shop.example#a@b"), ("/a//b@c/d", "/a//b@c/d"),
            ("a?u=https://user:pw@x", "a?u=https://user:pw@x"), ("", ""),
        ]
    )
    func removal(url: String, expected: String) {
        #expect(UserInfo.removed(from: url) == expected)
    }

    @Test("A cursor from a link drops its user information and continues with the client's credential")
    func cursors() async throws {
        let stub = StubTransport { request in
            request.url.query() == nil
                ? .json(#"[1]"#).header("Link", #"<https://user:pa55word@shop.example/items?page=2>; rel="next""#)
                : .json("[2]")
        }
        let client = Client(URL(string: "https://shop.example") ?? Shop.url, transport: stub) {
            Authorization(.bearer("token"))
        }
        let endpoint: Endpoint<[Int]> = client.endpoint {
            GET("items")
            Paginated(.link())
        }
        let cursor = try #require(try await endpoint.page().next)
        #expect(cursor.request.url == "https://shop.example/items?page=2")
        let stored = try JSONEncoder().encode(cursor)
        #expect(!String(decoding: stored, as: UTF8.self).contains("pa55word"))
        let second = try await endpoint.page(at: JSONDecoder().decode(Cursor.self, from: stored))
        #expect(second.items == [2])
        #expect(stub.requests.last?.headerFields[.authorization] == "Bearer token")
        var walked: [Int] = []
        for try await item in endpoint.all { walked.append(item) }
        #expect(walked == [1, 2])
    }
}
