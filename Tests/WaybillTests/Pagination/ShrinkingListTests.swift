import CallSupport
import Foundation
import TestSupport
import Testing
import WaybillTesting
@testable import WaybillTransfers

@testable import Waybill

/// Pagination by numbers and offsets of a list whose items are deleted during iteration.
@Suite("Pagination of a shrinking list")
struct ShrinkingListTests {
    struct Plain: Codable, Sendable { let id: Int }

    /// A list server with at most three items per page.
    private final class Server: Sendable {
        let ids: Locked<[Int]>
        let requests = Notes<Int>()

        init(_ ids: [Int]) { self.ids = Locked(ids) }

        func delete(_ id: Int) { ids.withLock { $0.removeAll { $0 == id } } }

        var transport: StubTransport {
            StubTransport { [ids, requests] request in
                func number(_ name: String) -> Int? {
                    request.queryItems.first { $0.name == name }?.value.flatMap { Int($0) }
                }
                let offset = number("offset") ?? ((number("page") ?? 1) - 1) * 3
                requests.add(offset)
                let all = ids.withLock { $0 }
                let items = all.dropFirst(offset).prefix(3).map { "{\"id\":\($0)}" }.joined(separator: ",")
                return .json("{\"items\":[\(items)],\"total\":\(all.count)}")
            }
        }

        func endpoint<Item: Decodable & Sendable>(
            _ scheme: Paginated.Scheme,
            totals: Paginated.Totals = .exact
        ) -> Endpoint<[Item]> {
            Shop(transport).endpoint {
                GET("items")
                Envelope("items")
                Paginated(scheme, totals: totals)
            }
        }
    }

    static let schemes: [Paginated.Scheme] = [
        .offset("offset", total: .value("total")), .pageNumber("page", total: .value("total")),
        .offset("offset", size: .query("limit", 3), total: .value("total")),
        .pageNumber("page", size: .query("limit", 3), total: .value("total")),
    ]

    private static let deletions: [@Sendable (Int) -> Bool] = [
        { _ in true }, { $0 % 2 == 0 }, { $0 % 3 == 0 }, { $0 < 5 }, { $0 > 6 }, { $0 == 1 }, { _ in false },
    ]

    @Test(
        "Each item is returned once, regardless of which items the loop deletes",
        arguments: Thoroughness.some(schemes, oneIn: 3),
        0..<7
    )
    func deleting(_ scheme: Paginated.Scheme, deletion: Int) async throws {
        let isDeleted = Self.deletions[deletion]
        for count in [0, 1, 3, 4, 9, 10] {
            for isStreamed in [false, true] {
                let server = Server(Array(1...10).prefix(count).map { $0 })
                let endpoint: Endpoint<[PaginationTests.Item]> = server.endpoint(scheme)
                var ids: [Int] = []
                for try await item in endpoint.all(streaming: isStreamed) {
                    ids.append(item.id)
                    if isDeleted(item.id) { server.delete(item.id) }
                }
                #expect(ids.sorted() == Array(1...10).prefix(count).map { $0 })
            }
        }
    }

    @Test("Deleting each page's items after reading it does not skip the remaining pages", arguments: schemes, [0, 2])
    func pages(_ scheme: Paginated.Scheme, readAhead: Int) async throws {
        let server = Server(Array(1...20))
        let endpoint: Endpoint<[PaginationTests.Item]> = server.endpoint(scheme)
        var ids: [Int] = []
        for try await page in endpoint.pages(readAhead: readAhead) {
            ids += page.items.map(\.id)
            for item in page.items { server.delete(item.id) }
        }
        #expect(ids.sorted() == Array(1...20))
        #expect(Set(ids).count == ids.count)
    }

    @Test(
        "Items that another client removes later in the list do not cause duplicates",
        arguments: schemes
    )
    func removedByOthers(_ scheme: Paginated.Scheme) async throws {
        let server = Server(Array(1...10))
        let endpoint: Endpoint<[PaginationTests.Item]> = server.endpoint(scheme)
        var ids: [Int] = []
        for try await item in endpoint.all {
            ids.append(item.id)
            if item.id == 4 { for id in [8, 9] { server.delete(id) } }
        }
        #expect(ids == [1, 2, 3, 4, 5, 6, 7, 10])
    }

    @Test("A shrinking list without identifiers is an error with the number of removed items", arguments: schemes)
    func withoutIDs(_ scheme: Paginated.Scheme) async throws {
        let server = Server(Array(1...10))
        let endpoint: Endpoint<[Plain]> = server.endpoint(scheme)
        var ids: [Int] = []
        let error = await failure {
            for try await item in endpoint.all {
                ids.append(item.id)
                if item.id < 3 { server.delete(item.id) }
            }
        }
        guard case .pagination(let failure) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(failure.reason == .removedItems(count: 2))
        #expect("\(failure)".contains("make the items Identifiable, collect them before you delete any"))
        #expect(ids == [1, 2, 3])
    }

    @Test("An estimated total can decrease", arguments: schemes)
    func estimated(_ scheme: Paginated.Scheme) async throws {
        let server = Server(Array(1...10))
        let endpoint: Endpoint<[Plain]> = server.endpoint(scheme, totals: .estimated)
        var count = 0
        for try await item in endpoint.all {
            count += 1
            if item.id == 1 { server.delete(10) }
        }
        #expect(count == 9)
    }

    @Test("A total that keeps decreasing and increasing is an error", arguments: schemes)
    func oscillating(_ scheme: Paginated.Scheme) async throws {
        let count = Notes<Int>()
        let stub = StubTransport { _ in
            let number = count.add(1)
            return .json("{\"items\":[{\"id\":\(number % 2)}],\"total\":\(number % 2 == 0 ? 50 : 90)}")
        }
        let endpoint: Endpoint<[PaginationTests.Item]> = Shop(stub).endpoint {
            GET("items")
            Envelope("items")
            Paginated(scheme)
        }
        let error = await failure { try await endpoint.all.collect() }
        guard case .pagination = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(count.all.count < 500)
    }

    // MARK: Circles

    struct Circle: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The identifiers on page n, starting at 0.
        let page: @Sendable (Int) -> [Int]
        let reason: APIError.PaginationFailure.Reason
        let pages: Int
    }

    static let circles = [
        Circle(
            testDescription: "page n is page n - 2",
            page: { $0 % 2 == 0 ? [1, 2] : [3, 4] },
            reason: .itemsOfEarlierPage(1),
            pages: 2
        ),
        Circle(
            testDescription: "the numbers wrap around",
            page: { [$0 % 40 * 2, $0 % 40 * 2 + 1] },
            reason: .itemsOfEarlierPage(1),
            pages: 40
        ),
        Circle(
            testDescription: "a circle that begins later",
            page: { $0 < 5 ? [$0] : [100 + ($0 - 5) % 3] },
            reason: .itemsOfEarlierPage(6),
            pages: 8
        ),
        Circle(
            testDescription: "the same items in another order",
            page: { $0 % 2 == 0 ? [1, 2] : [2, 1] },
            reason: .repeatedItems,
            pages: 1
        ),
    ]

    private static let unlimited: [Paginated.Scheme] = [
        .pageNumber("page", startingAt: 0), .cursor(at: "next", as: "page"), .after(lastItem: "count", as: "page"),
        .next(at: "link"),
    ]

    @Test("A server that repeats pages in a circle is detected", arguments: Thoroughness.some(circles, oneIn: 3), 0..<4)
    func circle(_ circle: Circle, scheme index: Int) async throws {
        let stub = StubTransport { request in
            let number = request.queryItems.first { $0.name == "page" }?.value.flatMap { Int($0) } ?? 0
            let items = circle.page(number).map { "{\"id\":\($0),\"count\":\(number + 1)}" }.joined(separator: ",")
            return .json("{\"items\":[\(items)],\"next\":\(number + 1),\"link\":\"/v1/items?page=\(number + 1)\"}")
        }
        let scheme = Self.unlimited[index]
        func endpoint(_ repeats: Paginated.Repeats) -> Endpoint<[PaginationTests.Item]> {
            Shop(stub).endpoint {
                GET("items")
                Envelope("items")
                Paginated(scheme, maximumPages: repeats == .items ? 100 : nil, repeats: repeats)
            }
        }
        var pages = 0
        let error = await failure { for try await _ in endpoint(.never).pages { pages += 1 } }
        guard case .pagination(let failure) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let isNumbered = index == 0 && circle.reason == .itemsOfEarlierPage(1)
        #expect(failure.reason == (isNumbered ? .startedOver : circle.reason))
        #expect(pages == circle.pages)
        #expect("\(failure)".contains("repeats: .items"))
        #expect(await reason(endpoint(.items)) == .tooManyPages(limit: 100))
    }

    private func reason<Item>(_ endpoint: Endpoint<[Item]>) async -> APIError.PaginationFailure.Reason? {
        if case .pagination(let failure) = await failure({ try await endpoint.all.collect() }) { return failure.reason }
        return nil
    }

    @Test("Lists without identifiers can have equal pages but not a repeated pair of consecutive pages")
    func withoutIDsInCircle() async throws {
        func reason(_ letters: String) async -> APIError.PaginationFailure.Reason? {
            let bodies = letters.map { StubResponse.json("{\"items\":[\"\($0)\"]}") } + [.json(#"{"items":[]}"#)]
            let endpoint: Endpoint<[String]> = Shop(StubTransport(["GET items": .sequence(bodies)])).endpoint {
                GET("items")
                Envelope("items")
                Paginated(.pageNumber())
            }
            return await self.reason(endpoint)
        }
        #expect(await reason("ABACADAEBE") == nil)
        #expect(await reason("ABAB") == .startedOver)
        #expect(await reason("XYABCABC") == .itemsOfEarlierPage(3))
    }

    @Test("The history of pages and items is bounded and keeps the first and latest entries")
    func bounds() {
        var history = PageHistory()
        for number in 1...30_000 { #expect(history.add(UInt64(number), identifiesItems: true) == nil) }
        #expect(history.storedCount <= PageHistory.mostFirst + PageHistory.mostLatest)
        for number in [1, 1_000, 20_001, 30_000] as [UInt64] {
            var copy = history
            #expect(copy.add(number, identifiesItems: true) == Int(number))
        }
        var copy = history
        #expect(copy.add(15_000, identifiesItems: true) == nil)
        var ids = ReturnedIDs()
        for id in 0..<(ReturnedIDs.most * 2) { _ = ids.insert(UInt64(id)) }
        #expect(ids.count == ReturnedIDs.most)
        let hasLatest = !ids.insert(UInt64(ReturnedIDs.most))
        #expect(hasLatest)
        let hasForgottenFirst = ids.insert(0)
        #expect(hasForgottenFirst)
    }
}
