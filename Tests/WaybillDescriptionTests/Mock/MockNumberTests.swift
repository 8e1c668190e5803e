import Foundation
import Testing
import Waybill
import WaybillDescription
import WaybillTesting

@Suite("Extreme numbers in requests to mock servers")
struct MockNumberTests {
    private let server: MockServer

    init() throws {
        server = try MockServer(Counters()) {
            Seeds([Counter(id: 1), Counter(id: 3)], at: "pages")
            Seeds([Counter(id: 1), Counter(id: 3)], at: "offsets")
        }
    }

    @Test("After an entity with the largest id, new entities get the lowest free id")
    func largestID() async throws {
        let counters = Counters(server.url).pages
        #expect(try await counters.create(Counter(id: .max)).id == .max)
        #expect(try await counters.create(Counter(id: .max)).id == 2)
        #expect(try await counters.create(Counter(id: .max)).id == 4)
    }

    @Test(
        "A page with any number and size is a slice of the list",
        arguments: [
            ("pages", "page", 1, Int.max, 2), ("pages", "page", .max, .max, 0), ("pages", "page", .min, 1, 1),
            ("pages", "page", 1 << 62, 4, 0), ("offsets", "offset", 1, .max, 1), ("offsets", "offset", .min, .max, 2),
            ("offsets", "offset", .max, .min, 0),
        ]
    )
    func pages(path: String, name: String, number: Int, size: Int, count: Int) async throws {
        let page: Endpoint<[Counter]> = Client(server.url) { Envelope("data") }.endpoint {
            GET("\(path)")
            Query(name, number)
            Query("size", size)
        }
        #expect(try await page.send().count == count)
    }
}

private struct Counter: Entity { var id: Int }

private struct Counters: DescribedAPI {
    let client: Client

    init(_ url: URL = URL(filePath: "/")) {
        client = Client(url.isFileURL ? URL(string: "https://counters.example") ?? url : url) { Envelope("data") }
    }

    var pages: Resource<Counter, ReadWrite> {
        resource("pages") { Paginated(.pageNumber(size: .query("size", 3), pageCount: .value("pages"))) }
    }

    var offsets: Resource<Counter, ReadOnly> {
        resource("offsets") { Paginated(.offset(size: .query("size", 3))) }
    }

    var calls: APIDescription {
        pages
        offsets
    }
}
