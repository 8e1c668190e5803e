import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@testable import WaybillStore

/// A response with the first items of a longer list, or with all items.
struct ListForm: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var envelope = false
    var status = 200
    var fields: [(String, String)] = []
    /// The body's members other than the items, as JSON.
    var members = ""

    init(
        _ name: String,
        envelope: Bool = false,
        status: Int = 200,
        _ fields: [(String, String)] = [],
        _ members: String = ""
    ) {
        testDescription = name
        self.envelope = envelope || !members.isEmpty
        (self.status, self.fields, self.members) = (status, fields, members)
    }

    func response(_ ids: [Int]) -> StubResponse {
        let items = ids.map { JSONValue.product($0, "Item \($0)").description }.joined(separator: ",")
        let body = envelope ? "{\"items\":[\(items)]\(members.isEmpty ? "" : ",\(members)")}" : "[\(items)]"
        return fields.reduce(StubResponse.json(body, status: .init(code: status))) { $0.header($1.0, $1.1) }
    }

    /// Returns the resource with lists in this format, without declared pagination.
    func products(_ transport: StubTransport) -> Resource<Product, ReadWrite> {
        let envelope = envelope ? Envelope(list: "items") : .none
        return Shop(transport) { envelope }.products
    }

    /// Responses with items 1 and 2 of 5.
    static let partial: [ListForm] = [
        .init("Link", [("Link", "</products?page=2>; rel=\"next\"")]),
        .init("several links", [("Link", "</a>; rel=prev, <https://shop.example/products?page=2>; rel=\"next last\"")]),
        .init("status 206", status: 206, [("Content-Range", "items 0-1/5")]),
        .init("status 206 without a total", status: 206, [("Content-Range", "items 0-1/*")]),
        .init("a range with the status 200", [("Content-Range", "0-1/5")]),
        .init("X-Total-Count", [("X-Total-Count", "5")]), .init("X-Total", [("X-Total", "5")]),
        .init("X-Next-Page", [("X-Next-Page", "2")]), .init("X-Total-Pages", [("X-Total-Pages", "3")]),
        .init("Next-Page", [("Next-Page", "/products?after=2")]), .init("X-Has-More", [("X-Has-More", "true")]),
        .init("a continuation", [("x-ms-continuation", "abc")]),
        .init("count and next", [], #""count":5,"next":"https://shop.example/products?page=2""#),
        .init("has_more", [], #""has_more":true"#), .init("hasMore", [], #""hasMore":true"#),
        .init("next_page", [], #""next_page":2"#), .init("nextPageToken", [], #""nextPageToken":"abc""#),
        .init("meta.total", [], #""meta":{"total":5,"per_page":2}"#),
        .init("page.totalPages", [], #""page":{"number":0,"size":2,"totalPages":3}"#),
        .init("last is false", [], #""last":false"#), .init("done is false", [], #""done":false"#),
        .init("last_page", [], #""current_page":1,"last_page":3"#),
        .init("_links.next", [], #""_links":{"self":{"href":"/products"},"next":{"href":"/products?page=2"}}"#),
        .init("links", [], #""links":[{"rel":"next","href":"/products?page=2"}]"#),
        .init("@odata.nextLink", [], #""@odata.nextLink":"https://shop.example/products?$skip=2""#),
        .init("LastEvaluatedKey", [], #""LastEvaluatedKey":{"id":{"N":"2"}}"#),
        .init("metadata.continue", [], #""metadata":{"continue":"abc"}"#),
        .init("pageInfo.hasNextPage", [], #""pageInfo":{"hasNextPage":true}"#),
        .init("IsTruncated", [], #""IsTruncated":true"#), .init("a total as text", [], #""total":"5""#),
    ]

    /// Responses with all items, 1 and 2.
    static let whole: [ListForm] = [
        .init("an array"), .init("an envelope", envelope: true),
        .init("other links", [("Link", "</products?page=1>; rel=\"first\", </docs>; rel=\"help\"")]),
        .init("a link for another resource", [("Link", "</reviews?page=2>; rel=\"next\"; anchor=\"/reviews\"")]),
        .init("a range of all items", status: 206, [("Content-Range", "items 0-1/2")]),
        .init("empty fields", [("X-Next-Page", ""), ("X-Total", "2"), ("X-Total-Pages", "1")]),
        .init("no next", [], #""count":2,"next":null,"previous":null"#),
        .init("has_more is false", [], #""has_more":false,"next_cursor":"""#),
        .init("meta", [], #""meta":{"total":2,"next_page":null},"_links":{"next":{"href":null}}"#),
        .init("last", [], #""last":true,"totalElements":2,"totalPages":1,"size":20"#),
        .init("facets", [], #""facets":{"total":99,"next":"x"},"limit":50"#),
    ]
}

@Suite("Complete lists and possibly incomplete lists", .inTurn)
struct WholeListTests {
    /// Opens a store that has fetched items 1 to 5.
    ///
    /// Later responses come from a closure.
    private func open(
        _ form: ListForm,
        then next: @escaping @Sendable (Int) -> StubResponse,
        _ delta: Store.Delta? = nil
    ) async throws -> (store: Store, products: StoredCollection<Product, ReadWrite>) {
        let count = Locked(0)
        let transport = StubTransport { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number == 1 ? ListForm("all", envelope: form.envelope).response(Array(1...5)) : next(number - 1)
        }
        let store = try await Store.manual()
        let products = store.collection(form.products(transport)) { if let delta { delta } }
        #expect(try await store.synchronize().isComplete)
        return (store, products)
    }

    @Test(
        "A list that hints at further items removes no row, and is reported",
        arguments: Thoroughness.some(ListForm.partial, oneIn: 4)
    )
    func partial(form: ListForm) async throws {
        let (store, products) = try await open(form, then: { _ in form.response([1, 2]) })
        for _ in 0..<2 {
            let report = try await store.synchronize()
            #expect(report.failures.isEmpty)
            #expect(!report.isComplete)
            guard case .furtherItems(let sign) = report.collections.first?.incomplete else {
                Issue.record("\(report)")
                return
            }
            #expect(!sign.isEmpty)
        }
        #expect(try await products.count() == 5)
    }

    @Test("A list that does not hint at further items removes missing rows", arguments: ListForm.whole)
    func whole(form: ListForm) async throws {
        let (store, products) = try await open(form, then: { _ in form.response([1, 2]) })
        let report = try await store.synchronize()
        #expect(report.isComplete, "\(report)")
        #expect(try await products.elements().map(\.id) == [1, 2])
    }

    @Test("A list that becomes empty removes its rows once a second synchronization confirms it")
    func empty() async throws {
        let form = ListForm("an array")
        let (store, products) = try await open(form, then: { form.response([2: [1, 2], 5: [2]][$0] ?? []) })
        var reasons: [SynchronizationReport.Incompleteness?] = []
        var counts: [Int] = []
        for _ in 1...5 {
            reasons.append(try await store.synchronize().collections.first?.incomplete)
            counts.append(try await products.count())
        }
        #expect(reasons == [.becameEmpty, nil, .becameEmpty, nil, nil])
        #expect(counts == [5, 2, 2, 0, 1])
    }

    @Test("A list compared by its tag is fetched again after it has become empty")
    func emptyWithTag() async throws {
        let form = ListForm("an array", [("ETag", "\"1\"")])
        let (store, products) = try await open(
            form,
            then: { _ in form.response([]) },
            Store.Delta(.entityTag)
        )
        try await store.synchronize()
        #expect(try await products.count() == 5)
        try await store.synchronize()
        #expect(try await products.count() == 0)
    }

    @Test("A missing list or null removes no row", arguments: [#"{"items":null}"#, "{}", #"{"error":"down"}"#])
    func missing(body: String) async throws {
        let count = Locked(0)
        let transport = StubTransport { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number == 1 ? ListForm("all", envelope: true).response(Array(1...5)) : .json(body)
        }
        let store = try await Store.manual()
        let shop = Shop(transport) {
            Envelope(list: "items")
            Paginated(.next(at: "next"), missingList: .isEmpty)
        }
        let products = store.collection(shop.products)
        try await store.synchronize()
        for _ in 0..<3 {
            let report = try await store.synchronize()
            #expect(report.collections.first?.incomplete == .missingList || !report.failures.isEmpty)
        }
        #expect(try await products.count() == 5)
    }

    @Test("A walk that ends before the server's total removes no row, and is not a failure")
    func total() async throws {
        let count = Locked(0)
        let transport = StubTransport { request in
            if request.query("page") != nil, request.query("page") != "1" { return .json(#"{"items":[],"total":5}"#) }
            let number = count.withLock { count in
                count += 1
                return count
            }
            return ListForm("", [], #""total":5"#).response(number == 1 ? Array(1...5) : [1, 2])
        }
        let store = try await Store.manual()
        let shop = Shop(transport) {
            Envelope(list: "items")
            Paginated(.pageNumber(total: .value("total")))
        }
        let products = store.collection(shop.products)
        try await store.synchronize()
        let report = try await store.synchronize()
        #expect(report.failures.isEmpty)
        #expect(report.collections.first?.incomplete != nil)
        #expect(try await products.count() == 5)
    }

    @Test("If the scheme finds no token but the response hints at further items, no row is removed")
    func missingToken() async throws {
        let (form, count) = (ListForm("", [], #""next_cursor":"abc""#), Locked(0))
        let transport = StubTransport { _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number == 1 ? ListForm("", envelope: true).response(Array(1...5)) : form.response([1, 2])
        }
        let store = try await Store.manual()
        let shop = Shop(transport) {
            Envelope(list: "items")
            Paginated(.cursor(at: "paging", "after", as: "cursor"))
        }
        let products = store.collection(shop.products)
        try await store.synchronize()
        let reason = try await store.synchronize().collections.first?.incomplete
        #expect(reason == .furtherItems(sign: "next_cursor: \"abc\""))
        #expect(try await products.count() == 5)
    }

    @Test("Changes are requested again if their response hints at further ones")
    func partialChanges() async throws {
        let transport = StubTransport { request in
            let items = request.query("since") == nil ? "1,\"updated_at\":10" : "2,\"updated_at\":20"
            let link = request.query("since") == nil ? "" : "</products?page=2>; rel=\"next\""
            return .json("[{\"id\":\(items),\"name\":\"Item\",\"price\":1}]").header("Link", link)
        }
        let store = try await Store.manual()
        _ = store.collection(Shop(transport).products) { Store.Delta(.updatedSince("updated_at", as: "since")) }
        for _ in 0..<3 { try await store.synchronize() }
        #expect(transport.requests.map { $0.query("since") } == [nil, "9", "9"])
    }

    @Test("An item created while a list is in flight is not removed by it")
    func createdMeanwhile() async throws {
        let server = ShopServer(products: (1...3).map { .product($0, "Item \($0)") })
        let store = try await Store.manual()
        let products = store.collection(Shop(server.transport).products)
        try await store.synchronize()
        let (gate, arrived) = (Gate(), Gate())
        server.change { $0.faults = [.held(gate, arrived: arrived)] }
        async let synchronized = store.synchronize()
        await arrived.waitUntilOpen()
        try await products.create(.init(name: "Desk"))
        await store.sender.wake()
        await store.sender.waitForRequestsInFlight()
        gate.open()
        _ = try await synchronized
        #expect(try await products.elements().map(\.name).contains("Desk"))
    }
}
