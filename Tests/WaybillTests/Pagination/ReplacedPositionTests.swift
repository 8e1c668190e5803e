import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting
import WaybillTransfers

/// Page numbers and offsets declared in addition to a scheme that sets them.
@Suite("Declared page numbers and offsets")
struct ReplacedPositionTests {
    private typealias Item = PaginationTests.Item

    enum Place: CaseIterable {
        case client, resource, operation, call
    }

    private static func items(
        _ stub: StubTransport,
        _ scheme: Paginated.Scheme,
        _ place: Place,
        @Scope.CallBuilder _ clauses: () -> Scope
    ) -> Resource<Item, ReadOnly> {
        let scope = clauses()
        let resource: Resource<Item, ReadOnly> = Shop(stub) { if place == .client { scope } }.resource("items") {
            Envelope("items")
            Paginated(scheme)
            if place == .resource { scope }
            On(.list) { if place == .operation { scope } }
        }
        return resource.with { if place == .call { scope } }
    }

    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let scheme: Paginated.Scheme
        let reason: String
        let clauses: @Sendable () -> Scope

        init(
            _ name: String,
            _ scheme: Paginated.Scheme,
            _ reason: String,
            @Scope.CallBuilder clauses: @escaping @Sendable () -> Scope
        ) {
            (testDescription, self.scheme, self.reason, self.clauses) = (name, scheme, reason, clauses)
        }
    }

    private static func advice(_ scheme: String, _ call: String) -> String {
        "Paginated(\(scheme)) sets it for each page, so this value would never be sent; leave it out, and request a"
            + " page by its position with \(call)"
    }

    static let rows = [
        Row(
            "a page number",
            .pageNumber(),
            "Query(\"page\", 3): \(advice("pageNumber(\"page\")", "page(at: .page(…))"))"
        ) { Query("page", 3) },
        Row(
            "a page number of another name",
            .pageNumber("p"),
            "Query(\"p\", 3): \(advice("pageNumber(\"p\")", "page(at: .page(…))"))"
        ) { Query("p", "3") },
        Row("an offset", .offset(), "Query(\"offset\", 40): \(advice("offset(\"offset\")", "page(at: .offset(…))"))") {
            Query("offset", 40)
        },
        Row(
            "a page number in brackets",
            .pageNumber("page[number]"),
            "Query(\"page[number]\", 3): \(advice("pageNumber(\"page[number]\")", "page(at: .page(…))"))"
        ) { Query(["page": ["number": 3]]) },
        Row(
            "a secret offset",
            .offset(),
            "Query(\"offset\", ‹redacted›): \(advice("offset(\"offset\")", "page(at: .offset(…))"))"
        ) { Query("offset", 40, secret: true) },
        Row(
            "a page number in a field",
            .pageNumber(.field("X-Page")),
            "Header(\"X-Page\"): \(advice("pageNumber(.field(\"X-Page\"))", "page(at: .page(…))"))"
        ) { Header("x-page", "3") },
        Row(
            "an offset in the body",
            .offset(.body("paging", "from")),
            "Body.Member(\"paging\", \"from\"): \(advice("offset(.body(\"paging\", \"from\"))", "page(at: .offset(…))"))"
        ) { Body.Member(["paging", "from"], 40) },
    ]

    @Test("A position that the scheme would replace is an error in every scope", arguments: rows, Place.allCases)
    func replaced(row: Row, place: Place) async throws {
        let stub = StubTransport { _ in PaginationTests.page([]) }
        let items = Self.items(stub, row.scheme, place) { row.clauses() }
        let errors = [
            await failure { try await items.page() }, await failure { try await items.all.collect() },
            await failure { try await items.all(streaming: true).collect() },
            await failure { try items.endpoints.list().pagePlan() },
        ]
        for error in errors {
            guard case .request(let failure) = error else {
                Issue.record("expected a request failure, got \(String(describing: error))")
                continue
            }
            #expect(failure.declarationErrors.map(\.description) == [row.reason])
        }
        #expect(stub.requests.isEmpty)
    }

    @Test("A declared page number is sent by list(), which does not paginate")
    func list() async throws {
        let stub = StubTransport(["GET items": .response(PaginationTests.page([7]))])
        let items = Self.items(stub, .pageNumber(), .call) { Query("page", 3) }
        #expect(try await items.list().map(\.id) == [7])
        #expect(stub.requests.map(\.query) == ["page=3"])
    }

    @Test("A page size, a removed page number and a token for the first page are allowed")
    func allowed() async throws {
        let stub = StubTransport { _ in PaginationTests.page([]) }
        let sized = Self.items(stub, .pageNumber(size: .query("size", 50)), .call) { Query("size", 10) }
        _ = try await sized.page()
        let removed = Self.items(stub, .pageNumber(), .client) { Query("page", 3) }.with { Query(removing: "page") }
        _ = try await removed.page()
        let token = Self.items(stub, .cursor(at: "next", as: "after"), .call) { Query("after", "x") }
        _ = try await token.page()
        #expect(stub.requests.map(\.query) == ["size=10&page=1", "page=1", "after=x"])
    }

    @Test("An offset in the body of a search is a declaration error, and null is allowed")
    func body() async throws {
        struct Filter: RequestContent { var offset: Int? }
        let stub = StubTransport { _ in PaginationTests.page([]) }
        func items(_ filter: Filter) -> Endpoint<[Item]> {
            Shop(stub).endpoint {
                POST("items/search")
                Body(filter)
                Envelope("items")
                Paginated(.offset(.body("offset"), size: .body("limit", count: 5)))
            }
        }
        let error = await failure { try await items(Filter(offset: 40)).page() }
        #expect(error?.description.contains("Body(\"offset\"): Paginated(offset(.body(\"offset\")))") == true)
        _ = try await items(Filter(offset: nil)).page()
        _ = try await items(Filter(offset: nil)).page(at: .offset(40, size: 7))
        #expect(stub.requests.map(\.text) == [#"{"limit":5,"offset":0}"#, #"{"limit":7,"offset":40}"#])
    }
}
