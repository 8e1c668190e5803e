import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting
import WaybillTransfers

/// A server that returns its list from the start if the offset is at or past the end, as qBittorrent does.
private func restarting(_ ids: [Int], hasTotal: Bool = false) -> StubTransport {
    StubTransport { request in
        let size = request.query("limit").flatMap { Int($0) } ?? ids.count
        let offset =
            request.query("offset").flatMap { Int($0) } ?? request.query("page").flatMap { Int($0) }
            .map { ($0 - 1) * size } ?? 0
        let page = ids.dropFirst(offset >= ids.count ? 0 : offset).prefix(size)
        return PaginationTests.page(Array(page), hasTotal ? "\"total\":\(ids.count)" : "")
    }
}

@Suite("Lists that start over past their end")
struct StartingOverTests {
    private typealias Item = PaginationTests.Item

    private func items<Element: Decodable & Sendable>(
        _ stub: StubTransport,
        _ paginated: Paginated,
        of type: Element.Type = PaginationTests.Item.self
    ) -> Endpoint<[Element]> {
        Shop(stub).endpoint {
            GET("items")
            Envelope("items")
            paginated
        }
    }

    private func reason<Value>(
        _ body: () async throws(APIError) -> Value
    ) async -> APIError.PaginationFailure.Reason? {
        if case .pagination(let failure) = await failure(body) { return failure.reason }
        return nil
    }

    private static let schemes: [@Sendable (Bool) -> Paginated.Scheme] = [
        { .offset(size: .query("limit", 2), startsOver: $0) },
        { .pageNumber(size: .query("limit", 2), startsOver: $0) },
    ]

    @Test("A list that starts over is an error after each item has been returned once", arguments: 0..<2, 1...6)
    func undeclared(scheme: Int, count: Int) async {
        let endpoint = items(restarting(Array(1...count)), Paginated(Self.schemes[scheme](false)))
        var ids: [Int] = []
        let reason = await reason { () async throws(APIError) in
            for try await item in endpoint.all { ids.append(item.id) }
        }
        #expect(ids == Array(1...count))
        #expect(reason == (count > 2 ? .startedOver : .repeatedItems))
        #expect(reason?.description.contains("startsOver: true") == true)
    }

    @Test("With startsOver, pagination ends where the list starts over", arguments: 0..<2, 1...6)
    func declared(scheme: Int, count: Int) async throws {
        let endpoint = items(restarting(Array(1...count)), Paginated(Self.schemes[scheme](true)))
        #expect(try await endpoint.all.collect().map(\.id) == Array(1...count))
    }

    @Test("Each remedy that the error suggests ends pagination")
    func waysOut() async throws {
        let ids = [1, 2, 3, 4]
        let total = Paginated(.offset(size: .query("limit", 2), total: .value("total")))
        #expect(try await items(restarting(ids, hasTotal: true), total).all.collect().map(\.id) == ids)
        let equal = Paginated(.offset(size: .query("limit", 2)), maximumPages: 1_000, repeats: .items)
        #expect(
            await reason { () async throws(APIError) in try await items(restarting(ids), equal).all.collect() }
                == .tooManyPages(limit: 1_000)
        )
        let text = APIError.PaginationFailure.Reason.startedOver.description
        for way in ["startsOver: true", "total:", "maximumPages: 1_000, repeats: .items"] {
            #expect(text.contains(way))
        }
    }

    @Test("Pagination by stored cursors also ends where the list starts over", arguments: [true, false])
    func cursors(startsOver: Bool) async throws {
        let endpoint = items(restarting([1, 2, 3, 4]), Paginated(Self.schemes[0](startsOver)))
        var page = try await endpoint.page()
        var ids = page.items.map(\.id)
        var failure: APIError?
        do throws(APIError) {
            while let next = page.next {
                let stored = try? JSONDecoder().decode(Cursor.self, from: JSONEncoder().encode(next))
                page = try await endpoint.page(at: stored ?? next)
                ids += page.items.map(\.id)
            }
        } catch {
            failure = error
        }
        #expect(ids == [1, 2, 3, 4])
        #expect((failure == nil) == startsOver)
        if startsOver { #expect(page.response.value.isEmpty && page.previous != nil) }
    }

    @Test("Pagination from a stored cursor recognizes the unread first page")
    func resumed() async throws {
        let endpoint = items(restarting([1, 2, 3, 4]), Paginated(Self.schemes[0](true)))
        let cursor = try #require(try await endpoint.page().next)
        #expect(try await endpoint.all(from: cursor).collect().map(\.id) == [3, 4])
    }

    @Test("With startsOver, pagination from an app-created position fails after its first page")
    func position() async throws {
        let endpoint = items(restarting([1, 2, 3, 4]), Paginated(Self.schemes[0](true)))
        #expect(try await endpoint.page(at: .offset(2)).items.map(\.id) == [3, 4])
        #expect(
            await reason { () async throws(APIError) in try await endpoint.all(from: .offset(2)).collect() }
                == .unknownBeginning
        )
        #expect(try await endpoint.all(from: .offset(0)).collect().count == 4)
    }

    @Test("startsOver with streaming or items without identifiers is a declaration error, and nothing is sent")
    func rejections() async {
        let stub = restarting([1, 2])
        let unidentified = items(stub, Paginated(Self.schemes[0](true)), of: JSONValue.self)
        let error = await failure { () async throws(APIError) in try await unidentified.all.collect() }
        #expect(error?.description.contains("startsOver: recognizes the first page by the ids of its items") == true)
        let streamed = items(stub, Paginated(Self.schemes[0](true)))
        let other = await failure { () async throws(APIError) in try await streamed.all(streaming: true).collect() }
        #expect(other?.description.contains("all(streaming:) returns items before it can know") == true)
        #expect(stub.requests.isEmpty)
    }

    @Test("A repeated page is an error for streamed items and for items without identifiers")
    func late() async {
        let stub = restarting([1, 2, 3, 4])
        let streamed = items(stub, Paginated(Self.schemes[0](false)))
        #expect(
            await reason { () async throws(APIError) in try await streamed.all(streaming: true).collect() }
                == .startedOver
        )
        let unidentified = items(stub, Paginated(Self.schemes[0](false)), of: JSONValue.self)
        #expect(await reason { () async throws(APIError) in try await unidentified.all.collect() } == .repeatedItems)
    }

    @Test("A scheme's description includes startsOver and keepsQuery")
    func description() {
        let scheme = Paginated.Scheme.offset(startsOver: true)
        #expect("\(scheme)" == #"offset("offset", startsOver: true)"#)
        #expect("\(Paginated.Scheme.link(keepsQuery: true))" == "link(keepsQuery: true)")
    }
}
