import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Link fields (RFC 8288)")
struct WebLinkTests {
    @Test(
        "A Link field is parsed into targets and relations",
        arguments: [
            ("<a>; rel=next", ["next a"]), ("<a>;rel=\"next\"", ["next a"]), ("<a>; REL=NeXt", ["next a"]),
            ("<a>; rel=\"prev next\"", ["next a"]), ("<a>; title=\"x; rel=next\"; rel=last", []),
            ("<a>; rel=last, <b>; rel=next", ["next b"]), ("<a,b;c>; rel=next", ["next a,b;c"]),
            ("<a>; rel=last; rel=next", []), ("<a>; title=\"\\\"<b>\\\"\"; rel=next", ["next a"]),
            (" , <a> ; rel = next , ", ["next a"]), ("<a>; flag; rel=next", ["next a"]), ("", []),
            ("<>; rel=next", ["next "]), ("<a>; rel=\"next", ["next a"]),
        ]
    )
    func parse(value: String, links: [String]) throws {
        let parsed = try #require(WebLink.links(in: value))
        #expect(parsed.filter { $0.has(relation: "next") }.map { "next \($0.target)" } == links)
    }

    @Test(
        "A link applies to a page unless its first anchor is another resource or a fragment of the page",
        arguments: [
            ("<b>; rel=next", true), ("<b>; rel=next; anchor=\"\"", true), ("<b>; rel=next; anchor=\"?page=1\"", true),
            ("<b>; rel=next; anchor=\"/items?page=1\"", true), ("<b>; anchor=/items?page=1; rel=next", true),
            ("<b>; ANCHOR=\"https://SHOP.example:443/items?page=1\"; rel=next", true),
            ("<b>; rel=next; anchor=\"./x/../items?page=1\"", true),
            ("<b>; anchor=\"?page=1\"; anchor=\"/other\"; rel=next", true),
            ("<b>; anchor=\"/other\"; anchor=\"?page=1\"; rel=next", false),
            ("<b>; rel=next; anchor=\"/items\"", false), ("<b>; rel=next; anchor=\"/items?page=2\"", false),
            ("<b>; rel=next; anchor=\"#part\"", false),
            ("<b>; rel=next; anchor=\"https://other.example/items?page=1\"", false),
            ("<b>; rel=next; anchor=\"http://shop.example/items?page=1\"", false),
            ("<b>; rel=next; anchor=\"urn:isbn:1\"", false),
        ]
    )
    func anchors(value: String, isAboutPage: Bool) throws {
        let url = try #require(URL(string: "https://shop.example/items?page=1#top"))
        #expect(try #require(WebLink.links(in: value)?.first).isAbout(url) == isAboutPage)
    }

    @Test(
        "If origins are ignored, only an anchor's path and query determine the page",
        arguments: [
            ("http://internal:8080/items?page=1", true), ("//other.example/items?page=1", true), ("?page=1", true),
            ("http://internal:8080/items?page=2", false), ("http://internal:8080/other?page=1", false),
            ("http://internal:8080/items?page=1#part", false), ("urn:isbn:1", false),
        ]
    )
    func anchorsOnOtherOrigins(anchor: String, isAboutPage: Bool) throws {
        let url = try #require(URL(string: "https://shop.example/items?page=1"))
        let link = try #require(WebLink.links(in: "<b>; rel=next; anchor=\"\(anchor)\"")?.first)
        #expect(link.isAbout(url, ignoringOrigin: true) == isAboutPage)
    }

    @Test("Pagination follows the page's next link and ignores another resource's")
    func walk() async throws {
        let other = "</others?page=2>; rel=next; anchor=\"/others\""
        let stub = StubTransport([
            "GET items": .response { request in
                let page = request.query("page") ?? "1"
                let own = "</v1/items?page=2>; rel=next; anchor=\"/v1/items\""
                return .json("[\(page)]").header("Link", page == "1" ? "\(other), \(own)" : other)
            }
        ])
        let client = Client(Shop.url, transport: stub)
        let endpoint: Endpoint<[Int]> = client.endpoint {
            GET("items")
            Paginated(.link())
        }
        var items: [Int] = []
        for try await page in endpoint.pages { items += page.items }
        #expect(items == [1, 2])
    }

    @Test(
        "A Link field with an invalid link has no links",
        arguments: ["a; rel=next", "<a; rel=next", "<a>; rel=next, garbage, <b>; rel=next", "/items?page=2", "<a> x"]
    )
    func rejects(value: String) { #expect(WebLink.links(in: value) == nil) }
}
