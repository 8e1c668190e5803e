import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Cursors")
struct CursorTests {
    private typealias Item = PaginationTests.Item

    private func list(_ stub: StubTransport, _ path: Route.Path, _ paginated: Paginated) -> Endpoint<[Item]> {
        Shop(stub).endpoint {
            GET(path)
            Envelope("items")
            paginated
        }
    }

    @Test("A cursor for a different path with the same template is rejected")
    func otherPath() async throws {
        let stub = StubTransport { _ in PaginationTests.page([1], #""next":"x""#) }
        let paginated = Paginated(.cursor(at: "next", as: "after"))
        let cursor = try #require(try await list(stub, "products/\(1)/reviews", paginated).page().next)
        let other = list(stub, "products/\(2)/reviews", paginated)
        let error = await failure { try await other.page(at: cursor) }
        guard case .pagination(let failure) = error else {
            Issue.record("expected a pagination failure, got \(String(describing: error))")
            return
        }
        #expect(failure.reason == .foreignCursor(path: "products/1/reviews", scheme: "cursor:after"))
    }

    @Test("A stored cursor with invalid numbers is rejected, and huge numbers do not trap")
    func hugeNumbers() async throws {
        let stub = StubTransport { _ in PaginationTests.page([1], #""total":9"#) }
        let paginated = Paginated(.pageNumber(total: .value("total")))
        let cursor = try #require(try await list(stub, "items", paginated).page().next)
        let text = try String(decoding: JSONEncoder().encode(cursor), as: UTF8.self)
        for (old, new) in [
            (#""pageNumber":2"#, #""pageNumber":9223372036854775807"#), (#""pageNumber":2"#, #""pageNumber":0"#),
            (#""itemsBefore":1"#, #""itemsBefore":9223372036854775807"#), (#""itemsBefore":1"#, #""itemsBefore":-1"#),
        ] {
            let changed = text.replacingOccurrences(of: old, with: new)
            #expect(changed != text)
            #expect(throws: DecodingError.self) { try JSONDecoder().decode(Cursor.self, from: Data(changed.utf8)) }
        }
        for value in ["-9223372036854775808", "9223372036854775807", "x"] {
            let changed = text.replacingOccurrences(of: #""value":"2""#, with: #""value":"\#(value)""#)
            #expect(changed != text)
            let odd = try JSONDecoder().decode(Cursor.self, from: Data(changed.utf8))
            _ = try await list(stub, "items", paginated).page(at: odd)
        }
    }

    @Test("A declared page size determines short pages and the previous offset")
    func declaredSize() async throws {
        let stub = StubTransport { request in
            let offset = request.query("offset").flatMap { Int($0) } ?? 0
            return PaginationTests.page(Array(offset + 1...offset + (offset == 20 ? 1 : 10)))
        }
        let client = Client(Shop.url, transport: stub) {
            Paginated(.offset(size: .query("limit", 50), endsAtShortPage: true))
        }
        let endpoint: Endpoint<[Item]> = client.endpoint {
            GET("items")
            Envelope("items")
            Query("limit", 10)
        }
        #expect(try await endpoint.all.collect().count == 21)
        let second = try await endpoint.page(at: #require(try await endpoint.page().next))
        #expect(second.previous?.request.query["offset"] == "0")
    }

    @Test("The server's page count takes precedence over an empty page")
    func emptyPageInBetween() async throws {
        let stub = StubTransport([
            "GET items": .sequence([
                PaginationTests.page([1], #""pages":3"#), PaginationTests.page([], #""pages":3"#),
                PaginationTests.page([3], #""pages":3"#),
            ])
        ])
        let endpoint = list(stub, "items", Paginated(.pageNumber(pageCount: .value("pages"))))
        #expect(try await endpoint.all.collect().map(\.id) == [1, 3])
    }

    @Test("With a known page size, a total ends pagination even after going back a page")
    func totalAfterGoingBack() async throws {
        let stub = StubTransport { request in
            let number = Int(request.query("page") ?? "") ?? 0
            return PaginationTests.page(number == 3 ? [5] : [1, 2], #""total":5"#)
        }
        let endpoint = list(stub, "items", Paginated(.pageNumber(size: .query("size", 2), total: .value("total"))))
        var page = try await endpoint.page()
        while let next = page.next { page = try await endpoint.page(at: next) }
        let back = try await endpoint.page(at: #require(page.previous))
        let last = try await endpoint.page(at: #require(back.next))
        #expect(last.items.map(\.id) == [5])
        #expect(last.next == nil)
    }

    @Test("A link back to the first page is a loop and is not requested")
    func loopToTheFirstPage() async throws {
        let stub = StubTransport { request in
            request.query == nil
                ? PaginationTests.page([1], #""next":"?page=2""#)
                : PaginationTests.page([2], #""next":"/v1/items""#)
        }
        var read: [Int] = []
        var iterator = list(stub, "items", Paginated(.next(at: "next"))).all.makeAsyncIterator()
        do throws(APIError) {
            while let item = try await iterator.next() { read.append(item.id) }
            Issue.record("expected a loop")
        } catch {
            #expect(error.description.contains("the next page was already read"))
        }
        #expect(read == [1, 2])
    }

    @Test("Reading ahead by Int.max pages ends with the list")
    func hugeReadAhead() async throws {
        let stub = StubTransport { _ in PaginationTests.page([]) }
        #expect(try await list(stub, "items", Paginated(.pageNumber())).all(readAhead: .max).collect().isEmpty)
    }
}

@Suite("Cursors and request bodies")
struct CursorBodyTests {
    private typealias Item = PaginationTests.Item

    private func search(_ stub: StubTransport, _ body: Body) -> Endpoint<[Item]> {
        Shop(stub).endpoint {
            POST("search")
            body
            Secret("password")
            Envelope("items")
            Paginated(.cursor(at: "next", as: .body("token")))
        }
    }

    private let stub = StubTransport { _ in PaginationTests.page([1], #""next":"x""#) }

    @Test("A search cursor is rejected with another body and accepted with the same one")
    func otherBody() async throws {
        let first = search(stub, Body(["q": "lamp"]))
        let cursor = try #require(try await first.page().next)
        let stored = try JSONDecoder().decode(Cursor.self, from: JSONEncoder().encode(cursor))
        _ = try await first.page(at: stored)
        let other = search(stub, Body(["q": "chair"]))
        let error = await failure { try await other.page(at: stored) }
        guard case .pagination(let failure) = error else {
            Issue.record("expected a pagination failure, got \(String(describing: error))")
            return
        }
        #expect(failure.reason == .foreignBody)
        #expect(stub.requests.count == 2)
    }

    @Test("A cursor is accepted after a secret in the body has changed")
    func secrets() async throws {
        let cursor = try #require(try await search(stub, Body(["q": "lamp", "password": "one"])).page().next)
        let same = search(stub, Body(["q": "lamp", "password": "two"]))
        _ = try await same.page(at: cursor)
        #expect(stub.requests.count == 2)
    }
}

@Suite("Cursors and queries")
struct CursorQueryTests {
    private let stub = StubTransport { request in
        let number = request.query("page").flatMap { Int($0) } ?? 1
        return PaginationTests.page([number], #""next":"x","link":"/v1/items?page=2&status=open""#)
    }

    private func items(_ scheme: Paginated.Scheme) -> Endpoint<[PaginationTests.Item]> {
        Shop(stub).endpoint {
            GET("items")
            Envelope("items")
            Paginated(scheme)
        }
    }

    static let schemes: [Paginated.Scheme] = [
        .cursor(at: "next", as: "after"), .next(at: "link"), .pageNumber(size: .query("per_page", 20)),
        Paginated.Scheme("app") { _ in Paginated.Scheme.Request(query: ["shelf": "B"]) },
    ]

    @Test("A stored cursor is rejected with other query items, and nothing is sent", arguments: schemes)
    func otherQuery(_ scheme: Paginated.Scheme) async throws {
        let open = items(scheme).with { Query("status", "open") }
        let cursor = try #require(try await open.page().next)
        let stored = try JSONDecoder().decode(Cursor.self, from: JSONEncoder().encode(cursor))
        let others: [(Endpoint<[PaginationTests.Item]>, [String])] = [
            (items(scheme).with { Query("status", "closed") }, ["status"]),
            (items(scheme), ["status"]),
            (open.with { Query("kind", "new") }, ["kind"]),
            (items(scheme).with { Query("kind", ["a", "b"]) }, ["kind", "status"]),
        ]
        for (other, names) in others {
            let error = await failure { () async throws(APIError) in try await other.page(at: stored) }
            guard case .pagination(let failure) = error else {
                Issue.record("expected a pagination failure, got \(String(describing: error))")
                continue
            }
            #expect(failure.reason == .foreignQuery(names: names))
        }
        #expect(stub.requests.count == 1)
    }

    @Test("Changes to the page size, paging parameters, secrets and item order keep a cursor valid", arguments: schemes)
    func exceptions(_ scheme: Paginated.Scheme) async throws {
        let first = items(scheme).with {
            Query("status", "open")
            Query("tag", ["a", "b"])
            Query("access_token", "one")
            Query("per_page", scheme.description.hasPrefix("pageNumber") ? "10" : nil)
        }
        let cursor = try #require(try await first.page().next)
        let same = items(scheme).with {
            Query("access_token", "two")
            Query("tag", ["a", "b"])
            Query("status", "open")
            Query("per_page", scheme.description.hasPrefix("pageNumber") ? "50" : nil)
        }
        _ = try await same.page(at: cursor)
        #expect(stub.requests.count == 2)
    }

    @Test("An undeclared page size counts as a query item, and the error suggests a fix")
    func undeclaredSize() async throws {
        let first = items(.next(at: "link")).with { Query("limit", 10) }
        let cursor = try #require(try await first.page().next)
        let other = items(.next(at: "link")).with { Query("limit", 20) }
        let error = await failure { () async throws(APIError) in try await other.page(at: cursor) }
        #expect(error?.description.contains(#"a different value of "limit" in its query"#) == true)
        #expect(error?.description.contains("declare it in the scheme, with size:") == true)
        let sized = items(.next(at: "link", size: .query("limit", 10)))
        let second = try #require(try await sized.page().next)
        _ = try await sized.with { Query("limit", 20) }.page(at: second)
    }

    @Test("A cursor from an earlier version without a query checksum is accepted")
    func earlierVersion() async throws {
        let cursor = try #require(try await items(.cursor(at: "next", as: "after")).page().next)
        var members = try JSONDecoder().decode([String: JSONValue].self, from: JSONEncoder().encode(cursor))
        #expect(members.removeValue(forKey: "filters") == [:])
        let old = try JSONDecoder().decode(Cursor.self, from: JSONEncoder().encode(members))
        _ = try await items(.cursor(at: "next", as: "after")).with { Query("status", "open") }.page(at: old)
        #expect(stub.requests.count == 2)
    }

    @Test("An app-created position is accepted with any query, and later cursors are bound to that query")
    func position() async throws {
        let scheme = Paginated.Scheme.pageNumber()
        let open = items(scheme).with { Query("status", "open") }
        let next = try #require(try await open.page(at: .page(1)).next)
        let error = await failure { () async throws(APIError) in try await items(scheme).page(at: next) }
        guard case .pagination(let failure) = error else { throw try #require(error) }
        #expect(failure.reason == .foreignQuery(names: ["status"]))
    }
}
