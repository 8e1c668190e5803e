import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

/// The values that a server sends instead of a link, token, flag or number, and the outcome.
@Suite("Pagination values in unusual formats")
struct PaginationMisreadTests {
    enum Outcome: Sendable {
        /// The next page is requested with this target.
        case goesOn(String)
        case ends
        case fails(String)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var paginated = Paginated(.next(at: "next"))
        /// The members beside the items.
        var beside = ""
        var link: String?
        let outcome: Outcome

        init(_ beside: String, _ outcome: Outcome) { (self.beside, self.outcome) = (beside, outcome) }

        init(_ pagination: Paginated.Scheme, _ beside: String, _ outcome: Outcome) {
            (paginated, self.beside, self.outcome) = (Paginated(pagination), beside, outcome)
        }

        init(link: String, _ outcome: Outcome) {
            (paginated, self.link, self.outcome) = (Paginated(.link()), link, outcome)
        }

        var testDescription: String { link ?? beside }
    }

    private static let noURL = "the link to the next page is an object without href, url or uri as text"
    private static let noRelation = "the list of links has elements without a rel, so none is the next page"

    static let links = [
        Row(#""next":"/x?p=2""#, .goesOn("/x?p=2")),
        Row(#""next":{"href":"/x?p=2"}"#, .goesOn("/x?p=2")),
        Row(#""next":{"url":"/x?p=2"}"#, .goesOn("/x?p=2")),
        Row(#""next":{"uri":"/x?p=2"}"#, .goesOn("/x?p=2")),
        Row(#""next":["/x?p=2"]"#, .goesOn("/x?p=2")),
        Row(#""next":[{"href":"/x?p=2"}]"#, .goesOn("/x?p=2")),
        Row(#""next":[{"rel":"next","uri":"/x?p=2"}]"#, .goesOn("/x?p=2")),
        Row(#""next":[{"rel":"self","href":"/x"},{"rel":"last next","href":"/x?p=2"}]"#, .goesOn("/x?p=2")),
        Row(#""next":[{"rel":["next"],"href":"/x?p=2"}]"#, .goesOn("/x?p=2")),
        Row(#""next":null"#, .ends),
        Row(#""next":false"#, .ends),
        Row(#""next":"""#, .ends),
        Row(#""next":{}"#, .ends),
        Row(#""next":[]"#, .ends),
        Row(#""next":{"href":null}"#, .ends),
        Row(#""next":[{"rel":"self","href":"/x"}]"#, .ends),
        Row(#""next":{"link":{"href":"/x?p=2"}}"#, .fails(noURL)),
        Row(#""next":{"href":{"url":"/x?p=2"}}"#, .fails(noURL)),
        Row(
            #""next":{"self":"/x","next":"/x?p=2"}"#,
            .fails(#"the link to the next page is one key further down: add "next" to the path"#)
        ),
        Row(#""next":["/x?p=2","/x?p=3"]"#, .fails(noRelation)),
        Row(#""next":[{"href":"/x"},{"href":"/x?p=2"}]"#, .fails(noRelation)),
        Row(#""next":[{"rel":"self","href":"/x"},"/x?p=2"]"#, .fails(noRelation)),
        Row(#""next":[["/x?p=2"]]"#, .fails(noRelation)),
        Row(#""next":[{}]"#, .fails("the only element of the list of links is an empty object and not a link")),
        Row(#""next":[""]"#, .fails("the only element of the list of links is an empty text and not a link")),
        Row(#""next":[null]"#, .fails("the only element of the list of links is null and not a link")),
        Row(#""next":[false]"#, .fails("the only element of the list of links is a boolean and not a link")),
        Row(#""next":[{"href":null}]"#, .ends),
        Row(#""next":[{"rel":"","href":"/x?p=2"}]"#, .goesOn("/x?p=2")),
        Row(#""next":[{"rel":[],"href":"/x?p=2"}]"#, .goesOn("/x?p=2")),
        Row(#""next":[{"rel":"next"}]"#, .fails(noURL)),
        Row(#""next":[{"rel":"self","href":"/x"},{}]"#, .fails(noRelation)),
        Row(#""next":[{"rel":"next","link":"/x?p=2"}]"#, .fails(noURL)),
        Row(#""next":true"#, .fails("the link to the next page is a boolean, not text or an object")),
        Row(#""next":2"#, .fails("the link to the next page is a number, not text or an object")),
        Row(#""next":{"href":"/x{?p}","templated":true}"#, .fails(template)),
        Row(#""next":[{"rel":"next","href":"/x{?p}","templated":true}]"#, .fails(template)),
        Row(#""next":{"href":"/x?p=2","templated":true}"#, .goesOn("/x?p=2")),
        Row(#""next":{"href":"/x?p=2","templated":false}"#, .goesOn("/x?p=2")),
    ]

    private static let template =
        "the link to the next page is a template (RFC 6570) with variables to fill in; declare a scheme that"
        + " sends them, such as .pageNumber(…) or .offset(…)"

    static let fields = [
        Row(link: "</x?p=2>; rel=next", .goesOn("/x?p=2")),
        Row(link: "</x?p=1>; rel=prev", .ends),
        Row(link: "/x?p=2; rel=next", .fails("the Link field is not a list of links (RFC 8288)")),
        Row(link: "</x?p=2; rel=next", .fails("the Link field is not a list of links (RFC 8288)")),
    ]

    static let tokens = [
        Row(.cursor(at: "next", as: "p"), #""next":"2""#, .goesOn("?p=2")),
        Row(.cursor(at: "next", as: "p"), #""next":2"#, .goesOn("?p=2")),
        Row(.cursor(at: "next", as: "p"), #""next":0"#, .goesOn("?p=0")),
        Row(.cursor(at: "next", as: "p"), #""next":[]"#, .ends),
        Row(.cursor(at: "next", as: "p"), #""next":{}"#, .ends),
        Row(.cursor(at: "next", as: "p"), #""next":false"#, .ends),
        Row(
            .cursor(at: "next", as: "p"),
            #""next":true"#,
            .fails("the token for the next page is neither text nor a number, but a boolean")
        ),
        Row(
            .cursor(at: "next", as: "p"),
            #""next":["2"]"#,
            .fails(
                "the token for the next page is neither text nor a number, but an array; one of this kind goes into a"
                    + " JSON body only: as: .body(…)"
            )
        ),
    ]

    static let flags = [
        Row(.cursor(at: "next", as: "p", hasMore: .value("more")), #""next":2,"more":"yes""#, .goesOn("?p=2")),
        Row(.cursor(at: "next", as: "p", hasMore: .value("more")), #""next":2,"more":"False""#, .ends),
        Row(.cursor(at: "next", as: "p", hasMore: .value("more")), #""next":2,"more":0"#, .ends),
        Row(
            .cursor(at: "next", as: "p", hasMore: .value("more")),
            #""next":2,"more":"perhaps""#,
            .fails("the flag at more is text that is neither true nor false")
        ),
        Row(
            .after(lastItem: "id", as: "p", hasMore: .value("more")),
            #""more":{"value":true}"#,
            .fails("the flag at more is an object that is neither true nor false")
        ),
    ]

    static let counts = [
        Row(.offset("p", total: .value("total")), #""total":"2""#, .goesOn("?p=1")),
        Row(.offset("p", total: .value("total")), #""total":-1"#, .goesOn("?p=1")),
        Row(.offset("p", total: .value("total")), #""total":1"#, .ends),
        Row(
            .offset("p", total: .value("total")),
            #""total":{"value":2}"#,
            .fails(
                "the number of items or pages at total is an object that is not a whole number; leave it out of the"
                    + " scheme, which works without it"
            )
        ),
        Row(
            .offset("p", total: .value("total")),
            #""total":1.5"#,
            .fails(
                "the number of items or pages at total is a number that is not a whole number; leave it out of the"
                    + " scheme, which works without it"
            )
        ),
        Row(.offset("p", total: .value("total")), #""total":18446744073709551616"#, .fails(beyondInt)),
        Row(.offset("p", total: .value("total")), #""total":1e300"#, .fails(beyondInt)),
        Row(.offset("p", total: .value("total")), #""total":"18446744073709551616""#, .fails(beyondInt)),
        Row(.offset("p"), #""total":18446744073709551616"#, .goesOn("?p=1")),
        Row(
            .pageNumber("p", total: .value("total")),
            #""total":18446744073709551616"#,
            .fails(beyondInt)
        ),
        Row(
            .pageNumber("p", pageCount: .value("pages")),
            #""pages":"some""#,
            .fails(
                "the number of items or pages at pages is text that is not a whole number; leave it out of the scheme,"
                    + " which works without it"
            )
        ),
    ]

    private static let beyondInt =
        "the number of items or pages at total is beyond Int; leave it out of the scheme, which works without it"

    @Test(
        "An unintelligible link or token in a page is an error rather than the end of pagination",
        arguments: links + fields + tokens
    )
    func linksAndTokens(_ row: Row) async throws { try await check(row) }

    @Test("An unintelligible flag or number in a page is an error", arguments: flags + counts)
    func flagsAndCounts(_ row: Row) async throws { try await check(row) }

    @Test(
        "A page token that contains a secret of the call is an error, unless the secret is too short",
        arguments: [("key", "s3cret-credential", nil), ("name", "1234", "?p=ab1234cd")]
    )
    func secrets(name: String, secret: String, target: String?) async throws {
        let response = StubResponse.json("{\"items\":[{\"id\":1}],\"next\":\"ab\(secret)cd\"}")
        let shop = Shop(StubTransport(["GET items": .response(response)]))
        let endpoint: Endpoint<[PaginationTests.Item]> = shop.endpoint {
            GET("items")
            Envelope("items")
            Header("X-\(name)", secret, secret: true)
            Paginated(.cursor(at: "next", as: "p"))
        }
        if let target {
            let next = try #require(try await endpoint.page().next)
            #expect(try endpoint.pagePlan(at: next).url.absoluteString.hasSuffix(target))
        } else {
            let error = await #expect(throws: APIError.self) { try await endpoint.page() }
            guard case .pagination(let failure) = error else { return }
            #expect(
                failure.reason
                    == .unreadable(
                        "the token for the next page repeats a secret of the call, which a cursor must not contain"
                    )
            )
        }
    }

    private func check(_ row: Row) async throws {
        var response = StubResponse.json("{\"items\":[{\"id\":1}]\(row.beside.isEmpty ? "" : "," + row.beside)}")
        if let link = row.link { response.headerFields[.link] = link }
        let shop = Shop(StubTransport(["GET items": .response(response)]))
        let endpoint: Endpoint<[PaginationTests.Item]> = shop.endpoint {
            GET("items")
            Envelope("items")
            row.paginated
        }
        let page: Page<PaginationTests.Item>
        do throws(APIError) {
            page = try await endpoint.page()
        } catch {
            guard case .fails(let text) = row.outcome, case .pagination(let failure) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(failure.reason.description == text)
            return
        }
        switch row.outcome {
        case .goesOn(let target):
            let next = try #require(page.next as Cursor?)
            let url = try endpoint.pagePlan(at: next).url.absoluteString
            #expect(url.hasSuffix(target), "\(url)")
        case .ends: #expect(page.next == nil)
        case .fails: Issue.record("there is a page, and next is \(String(describing: page.next))")
        }
    }
}
