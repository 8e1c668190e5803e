import CallSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Pagination scheme descriptions")
struct SchemeTextTests {
    @Test(
        "A pagination scheme is described as declared, with its paths",
        arguments: [
            (Paginated.Scheme.next(at: "links", "next"), #"next(at: "links", "next")"#),
            (.next(at: "links", 0, rel: "more"), #"next(at: "links", 0, rel: "more")"#),
            (.next(field: "Next-Page"), #"next(field: "Next-Page")"#), (.link(), "link()"),
            (.link(rel: "more"), #"link(rel: "more")"#),
            (.cursor(at: "meta", "next", as: "after"), #"cursor(at: "meta", "next", as: "after")"#),
            (
                .cursor(field: "X-Next", as: .body("paging", "token"), hasMore: .value("more")),
                #"cursor(field: "X-Next", as: .body("paging", "token"), hasMore: .value("more"))"#
            ),
            (
                .after(lastItem: "id", as: .field("X-After"), total: .field("X-Total")),
                #"after(lastItem: "id", as: .field("X-After"), total: .field("X-Total"))"#
            ),
            (.offset(total: .value("meta", "total")), #"offset("offset", total: .value("meta", "total"))"#),
            (.offset(.body("paging", "from")), #"offset(.body("paging", "from"))"#),
            (.pageNumber("p", pageCount: .value("pages")), #"pageNumber("p", pageCount: .value("pages"))"#),
            (Paginated.Scheme("shelf") { _ in nil as Paginated.Scheme.Request? }, "shelf"),
        ]
    )
    func description(scheme: Paginated.Scheme, text: String) throws {
        #expect("\(scheme)" == text)
        let list: Endpoint<[Int]> = Client(Shop.url, transport: StubTransport([:])).endpoint {
            GET("a")
            Paginated(scheme)
        }
        #expect(try list.explanation.contains("  Paginated: \(text)  "))
    }
}
