import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting
import WaybillTransfers

@Suite("Paginated.none")
struct NoPaginationTests {
    private static func shop(_ stub: StubTransport) -> Shop {
        Shop(stub) {
            Envelope("items")
            Paginated(.pageNumber(size: .query("per_page", 50)), missingList: .isEmpty)
        }
    }

    /// An unpaginated list on a client that declares pagination.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let list: @Sendable (StubTransport) -> Endpoint<[Product]>
    }

    static let rows = [
        Row(testDescription: "an endpoint") { stub in
            shop(stub).endpoint {
                GET("products")
                Paginated.none
            }
        },
        Row(testDescription: "a resource") { stub in
            let products: Resource<Product, ReadOnly> = shop(stub).resource("products") { Paginated.none }
            return products.endpoints.list()
        },
        Row(testDescription: "an operation") { stub in
            let products: Resource<Product, ReadOnly> = shop(stub).resource("products") {
                On(.list) { Paginated.none }
            }
            return products.endpoints.list()
        },
        Row(testDescription: "a call") { stub in
            shop(stub).endpoint { GET("products") }.with { Paginated.none }
        },
    ]

    @Test("A list with Paginated.none is a single response and has no pages", arguments: rows)
    func list(_ row: Row) async throws {
        let stub = StubTransport(["GET products": .json(#"{"items":[{"id":1,"name":"a"}]}"#)])
        let list = row.list(stub)
        #expect(try await list.send().map(\.id) == [1])
        #expect(stub.requests.map(\.query) == [nil])
        #expect(try list.explanation.contains("Paginated: none"))
        for error in [
            await failure { try await list.page() }, await failure { try await list.page(at: .page(2)) },
            await failure { try await list.all.collect() },
            await failure { try await list.all(streaming: true).collect() }, await failure { try list.pagePlan() },
        ] {
            guard case .pagination(let failure) = error else {
                Issue.record("expected a pagination failure, got \(String(describing: error))")
                return
            }
            #expect(failure.reason == .notDeclared)
        }
        #expect(stub.requests.count == 1)
    }

    @Test("Paginated.none also discards the pagination's handling of a missing list")
    func missingList() async {
        let stub = StubTransport(["GET products": .json("{}")])
        for row in Self.rows {
            #expect(await failure { try await row.list(stub).send() } != nil)
        }
    }

    @Test("An inner scope can declare pagination again")
    func again() async throws {
        let stub = StubTransport(["GET products": .sequence([.json(#"{"items":[]}"#)])])
        let products: Resource<Product, ReadOnly> = Self.shop(stub).resource("products") { Paginated.none }
        let paged = products.with { Paginated(.offset("from")) }
        #expect(try await paged.page().items.isEmpty)
        #expect(stub.requests.map(\.query) == ["from=0"])
    }

    @Test("With Paginated.none, a declared page number is sent")
    func pageNumber() async throws {
        let stub = StubTransport(["GET products": .json(#"{"items":[]}"#)])
        let list: Endpoint<[Product]> = Self.shop(stub).endpoint {
            GET("products")
            Query("page", 3)
            Paginated.none
        }
        #expect(try await list.send().isEmpty)
        #expect(stub.requests.map(\.query) == ["page=3"])
    }
}
