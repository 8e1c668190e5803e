import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Paging values in the request body")
struct BodyPagingTests {
    private typealias Item = PaginationTests.Item

    /// A pagination: the scheme, the declared body, the responses and the bodies of the requests.
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let paginated: Paginated
        var body: Body? = Body(["q": "lamp"])
        var member: Body.Member?
        let responses: [StubResponse]
        let requests: [String]
        var items = [1, 2, 3]
    }

    static let rows = [
        Row(
            testDescription: "page numbers until a short page",
            paginated: Paginated(.pageNumber(.body("page"), size: .body("size", count: 2), endsAtShortPage: true)),
            responses: [page([1, 2]), page([3])],
            requests: [#"{"page":1,"q":"lamp","size":2}"#, #"{"page":2,"q":"lamp","size":2}"#]
        ),
        Row(
            testDescription: "offsets below keys until the total, without another body",
            paginated: Paginated(
                .offset(.body("paging", "from"), size: .body("paging", "limit", count: 2), total: .value("total"))
            ),
            body: nil,
            responses: [page([1, 2], #""total":3"#), page([3], #""total":3"#)],
            requests: [#"{"paging":{"from":0,"limit":2}}"#, #"{"paging":{"from":2,"limit":2}}"#]
        ),
        Row(
            testDescription: "an offset in the body, and the size in the query",
            paginated: Paginated(.offset(.body("from"), size: .query("limit", 2), endsAtShortPage: true)),
            body: nil,
            responses: [page([1, 2]), page([3])],
            requests: [#"?limit=2 {"from":0}"#, #"?limit=2 {"from":2}"#]
        ),
        Row(
            testDescription: "a size of the body's own takes the place of the paging's",
            paginated: Paginated(.offset(.body("from"), size: .body("limit", count: 9), endsAtShortPage: true)),
            body: Body(["limit": 2]),
            responses: [page([1, 2]), page([3])],
            requests: [#"{"from":0,"limit":2}"#, #"{"from":2,"limit":2}"#]
        ),
        Row(
            testDescription: "a size declared as a member takes the place of the paging's",
            paginated: Paginated(
                .offset(.body("a", "from"), size: .body("a", "limit", count: 9), endsAtShortPage: true)
            ),
            body: nil,
            member: Body.Member(["a", "limit"], 2),
            responses: [page([1, 2]), page([3])],
            requests: [#"{"a":{"from":0,"limit":2}}"#, #"{"a":{"from":2,"limit":2}}"#]
        ),
        Row(
            testDescription: "an object as token, with null in it, takes the place of another one",
            paginated: Paginated(
                .cursor(at: "LastEvaluatedKey", as: .body("ExclusiveStartKey"), size: .body("Limit", count: 2))
            ),
            responses: [
                page([1], #""LastEvaluatedKey":{"id":{"S":"1"},"at":null}"#),
                page([2], #""LastEvaluatedKey":{"id":{"S":"2"}}"#), page([3], #""LastEvaluatedKey":{}"#),
            ],
            requests: [
                #"{"Limit":2,"q":"lamp"}"#,
                #"{"ExclusiveStartKey":{"at":null,"id":{"S":"1"}},"Limit":2,"q":"lamp"}"#,
                #"{"ExclusiveStartKey":{"id":{"S":"2"}},"Limit":2,"q":"lamp"}"#,
            ]
        ),
        Row(
            testDescription: "a token replaces the members of an object that the body begins with",
            paginated: Paginated(.cursor(at: "last", as: .body("start"))),
            body: Body(["start": ["a": 1]]),
            responses: [page([1, 2, 3], #""last":{"b":2}"#), page([])],
            requests: [#"{"start":{"a":1}}"#, #"{"start":{"b":2}}"#]
        ),
        Row(
            testDescription: "an array of the last item as token",
            paginated: Paginated(.after(lastItem: "sort", as: .body("search_after"))),
            body: nil,
            responses: [
                .json(#"{"items":[{"id":1},{"id":2},{"id":3,"sort":[3,"x"]}]}"#), page([]),
            ],
            requests: ["{}", #"{"search_after":[3,"x"]}"#]
        ),
        Row(
            testDescription: "links, with the size in the body",
            paginated: Paginated(.next(at: "next", size: .body("limit", count: 2))),
            body: nil,
            responses: [page([1, 2], #""next":"?p=2""#), page([3])],
            requests: [#"{"limit":2}"#, #"?p=2 {"limit":2}"#]
        ),
    ]

    private static func page(_ ids: [Int], _ beside: String = "") -> StubResponse {
        PaginationTests.page(ids, beside)
    }

    private func list(_ row: Row, _ stub: StubTransport) -> Endpoint<[Item]> {
        guard let body = row.body else {
            return Shop(stub).endpoint {
                POST("items")
                Envelope("items")
                row.paginated
                if let member = row.member { member }
            }
        }
        return Shop(stub).endpoint {
            POST("items")
            Envelope("items")
            row.paginated
            body
        }
    }

    private func texts(of stub: StubTransport) -> [String] {
        stub.requests.map { ($0.query.map { "?\($0) " } ?? "") + $0.text }
    }

    @Test("Each page's request body has the paging values along with the declared members", arguments: rows)
    func walk(_ row: Row) async throws {
        let stub = StubTransport(["POST items": .sequence(row.responses)])
        #expect(try await list(row, stub).all.collect().map(\.id) == row.items)
        #expect(texts(of: stub) == row.requests)
    }

    @Test("A stored cursor continues with the same requests in another process", arguments: rows)
    func storedCursor(_ row: Row) async throws {
        let stub = StubTransport(["POST items": .sequence(row.responses)])
        var stored = try JSONEncoder().encode(try await list(row, stub).page().next)
        while let cursor = try JSONDecoder().decode(Cursor?.self, from: stored) {
            // A new client has no state from the previous pages.
            stored = try JSONEncoder().encode(try await list(row, stub).page(at: cursor).next)
        }
        #expect(texts(of: stub) == row.requests)
    }

    @Test("A page number or offset in the body leads to the previous page", arguments: [rows[0], rows[1]])
    func previous(_ row: Row) async throws {
        let stub = StubTransport(["POST items": .sequence(row.responses + row.responses)])
        let second = try await list(row, stub).page(at: #require(try await list(row, stub).page().next))
        _ = try await list(row, stub).page(at: #require(second.previous))
        #expect(texts(of: stub) == row.requests + [row.requests[0]])
    }

    @Test("The scheme's page size overrides a body member from an outer scope")
    func outerMember() throws {
        let list: Endpoint<[Item]> = Shop { Body.Member("limit", 5) }.endpoint {
            POST("items")
            Paginated(.offset(.body("from"), size: .body("limit", count: 9)))
        }
        #expect(try list.pagePlan().body?.bytes.map { String(decoding: $0, as: UTF8.self) } == #"{"from":0,"limit":9}"#)
    }

    @Test("A token that contains a secret of the call is an error that does not show the secret")
    func secrets() async throws {
        let stub = StubTransport { _ in
            PaginationTests.page([1], #""next":{"key":["hidden-password"]}"#)
        }
        let list: Endpoint<[Item]> = Shop(stub).endpoint {
            POST("items")
            Body(["password": "hidden-password"])
            Secret("password")
            Envelope("items")
            Paginated(.cursor(at: "next", as: .body("token")))
        }
        let error = await failure { try await list.page() }
        #expect("\(String(describing: error))".contains("repeats a secret"))
        #expect(!"\(String(describing: error))".contains("hidden-password"))
    }

    @Test("A misspelled path to an object token is an error on the first page")
    func misspelledPlace() async throws {
        let stub = StubTransport { _ in PaginationTests.page([1], #""LastEvaluatedKey":{"id":1}"#) }
        let list: Endpoint<[Item]> = Shop(stub).endpoint {
            POST("items")
            Envelope("items")
            Paginated(.cursor(at: "LastEvaluatedKeys", as: .body("ExclusiveStartKey")))
        }
        let error = await failure { try await list.page() }
        #expect("\(String(describing: error))".contains(#"did you mean "LastEvaluatedKey""#))
    }
}
