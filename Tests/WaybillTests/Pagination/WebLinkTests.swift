import Testing
import Waybill

@Suite("Link fields (RFC 8288)")
struct WebLinkTests {
    @Test(
        "A Link field is read with its targets and relations",
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
        "A Link field with anything that is not a link has no links",
        arguments: ["a; rel=next", "<a; rel=next", "<a>; rel=next, garbage, <b>; rel=next", "/items?page=2", "<a> x"]
    )
    func rejects(value: String) { #expect(WebLink.links(in: value) == nil) }
}
