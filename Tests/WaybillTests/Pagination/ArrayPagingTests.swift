import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Paging values in array elements of the request body")
struct ArrayPagingTests {
    private typealias Item = PaginationTests.Item

    /// A pagination: the scheme, the declared body, the responses and the bodies of the requests.
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let scheme: Paginated.Scheme
        let body: JSONValue
        var member: Body.Member?
        let responses: [StubResponse]
        let requests: [String]
        var items = [1, 2, 3]
    }

    static let rows = [
        Row(
            testDescription: "an offset and a size that are appended",
            scheme: .offset(.body("params", 1), size: .body("params", 2, count: 2), endsAtShortPage: true),
            body: ["method": "search", "params": ["lamp"]],
            responses: [page([1, 2]), page([3])],
            requests: [#"{"method":"search","params":["lamp",0,2]}"#, #"{"method":"search","params":["lamp",2,2]}"#]
        ),
        Row(
            testDescription: "a size before the offset",
            scheme: .offset(.body("params", 1), size: .body("params", 0, count: 2), endsAtShortPage: true),
            body: ["params": []],
            responses: [page([1, 2]), page([3])],
            requests: [#"{"params":[2,0]}"#, #"{"params":[2,2]}"#]
        ),
        Row(
            testDescription: "an offset in place of null, before other elements",
            scheme: .offset(.body("params", 1), size: .body("params", 2, count: 2), endsAtShortPage: true),
            body: ["params": ["lamp", nil, nil, true]],
            responses: [page([1, 2]), page([3])],
            requests: [#"{"params":["lamp",0,2,true]}"#, #"{"params":["lamp",2,2,true]}"#]
        ),
        Row(
            testDescription: "the declared offset of the first page, and the body's own size",
            scheme: .offset(.body("params", 1), size: .body("params", 2, count: 9), endsAtShortPage: true),
            body: ["params": ["lamp", 0, 2]],
            responses: [page([1, 2]), page([3])],
            requests: [#"{"params":["lamp",0,2]}"#, #"{"params":["lamp",2,2]}"#]
        ),
        Row(
            testDescription: "a page number within an object in an array, below keys",
            scheme: .pageNumber(.body("a", "b", 0, "page"), endsAtShortPage: true),
            body: ["a": ["b": [["q": "lamp"]]]],
            responses: [page([1, 2, 3]), page([])],
            requests: [#"{"a":{"b":[{"page":1,"q":"lamp"}]}}"#, #"{"a":{"b":[{"page":2,"q":"lamp"}]}}"#]
        ),
        Row(
            testDescription: "an array that is created for its first element",
            scheme: .offset(.body("params", 0), endsAtShortPage: true),
            body: ["method": "list"],
            responses: [page([1, 2, 3]), page([])],
            requests: [#"{"method":"list","params":[0]}"#, #"{"method":"list","params":[3]}"#]
        ),
        Row(
            testDescription: "a body that is an array",
            scheme: .offset(.body(1), endsAtShortPage: true),
            body: ["lamp"],
            responses: [page([1, 2, 3]), page([])],
            requests: [#"["lamp",0]"#, #"["lamp",3]"#]
        ),
        Row(
            testDescription: "a token that only later pages have, after a member of the array",
            scheme: .cursor(at: "next", as: .body("params", 2)),
            body: ["params": ["lamp"]],
            member: Body.Member(["params", 1], "de"),
            responses: [page([1, 2], #""next":"abc""#), page([3])],
            requests: [#"{"params":["lamp","de"]}"#, #"{"params":["lamp","de","abc"]}"#]
        ),
        Row(
            testDescription: "an object as token, with null in it",
            scheme: .cursor(at: "next", as: .body("params", 0), size: .body("params", 1, count: 2)),
            body: ["params": [nil]],
            responses: [page([1, 2], #""next":{"id":1,"at":null}"#), page([3])],
            requests: [#"{"params":[null,2]}"#, #"{"params":[{"at":null,"id":1},2]}"#]
        ),
        Row(
            testDescription: "the key of the last item",
            scheme: .after(lastItem: "id", as: .body("params", 1)),
            body: ["params": ["lamp"]],
            responses: [page([1, 2]), page([3]), page([])],
            requests: [#"{"params":["lamp"]}"#, #"{"params":["lamp",2]}"#, #"{"params":["lamp",3]}"#]
        ),
    ]

    private static func page(_ ids: [Int], _ beside: String = "") -> StubResponse {
        PaginationTests.page(ids, beside)
    }

    private static func list(_ row: Row, _ stub: StubTransport) -> Endpoint<[Item]> {
        Shop(stub).endpoint {
            POST("items")
            Envelope("items")
            Paginated(row.scheme)
            Body(row.body)
            if let member = row.member { member }
        }
    }

    @Test("Each page's request has the paging values in the declared array elements", arguments: rows)
    func walk(_ row: Row) async throws {
        let stub = StubTransport(["POST items": .sequence(row.responses)])
        #expect(try await Self.list(row, stub).all.collect().map(\.id) == row.items)
        #expect(stub.requests.map(\.text) == row.requests)
    }

    @Test("A stored cursor continues with the same array elements in another process", arguments: rows)
    func storedCursor(_ row: Row) async throws {
        let stub = StubTransport(["POST items": .sequence(row.responses)])
        var stored = try JSONEncoder().encode(try await Self.list(row, stub).page().next)
        while let cursor = try JSONDecoder().decode(Cursor?.self, from: stored) {
            stored = try JSONEncoder().encode(try await Self.list(row, stub).page(at: cursor).next)
        }
        #expect(stub.requests.map(\.text) == row.requests)
    }

    @Test("A cursor for a scheme without array elements stores none")
    func cursorWithoutElements() async throws {
        let row = Row(
            testDescription: "",
            scheme: .offset(.body("from")),
            body: [:],
            responses: [Self.page([1])],
            requests: []
        )
        let next = try await Self.list(row, StubTransport(["POST items": .sequence(row.responses)])).page().next
        #expect(try !String(decoding: JSONEncoder().encode(next), as: UTF8.self).contains("elements"))
    }

    @Test("A page at an offset with another size has both values in the array elements")
    func position() async throws {
        let stub = StubTransport { _ in Self.page([1]) }
        let page = try await Self.list(Self.rows[0], stub).page(at: .offset(40, size: 7))
        _ = try await Self.list(Self.rows[0], stub).page(at: #require(page.previous))
        #expect(
            stub.requests.map(\.text) == [
                #"{"method":"search","params":["lamp",40,7]}"#, #"{"method":"search","params":["lamp",33,7]}"#,
            ]
        )
    }

    struct Mistake: CustomTestStringConvertible {
        let testDescription: String
        let scheme: Paginated.Scheme
        var body: JSONValue = ["params": ["lamp"]]
        let reason: String
    }

    private static let wayOut =
        "correct the path, or declare what leads to it in the body, with null for elements before it"

    static let mistakes = [
        Mistake(
            testDescription: "an index past the end",
            scheme: .offset(.body("params", 2)),
            reason: #"Paginated(.body("params", 2)): params has 1 elements in the body; "#
                + "an index is at most that, and not below 0; \(wayOut)"
        ),
        Mistake(
            testDescription: "an index below 0",
            scheme: .offset(.body("params", -1)),
            reason: #"Paginated(.body("params", -1)): params has 1 elements in the body"#
        ),
        Mistake(
            testDescription: "an index of an array that is missing",
            scheme: .offset(.body("args", 1)),
            reason: #"Paginated(.body("args", 1)): args has 0 elements in the body"#
        ),
        Mistake(
            testDescription: "an index of an object",
            scheme: .offset(.body(0)),
            reason: "Paginated(.body(0)): the body is an object, which has no elements; \(wayOut)"
        ),
        Mistake(
            testDescription: "an index of a text",
            scheme: .offset(.body("params", 0, 1)),
            reason: #"Paginated(.body("params", 0, 1)): params[0] is text in the body, which has no elements; "#
                + wayOut
        ),
        Mistake(
            testDescription: "a key of an array, which the page would replace",
            scheme: .offset(.body("params", "offset")),
            reason: #"Paginated(.body("params", "offset")): params is an array in the body, which has no members"#
        ),
        Mistake(
            testDescription: "a key of a body that is an array",
            scheme: .offset(.body("offset")),
            body: ["lamp"],
            reason: #"Paginated(.body("offset")): the body is an array, which has no members"#
        ),
        Mistake(
            testDescription: "a size past the end",
            scheme: .offset(.body("params", 1), size: .body("params", 3, count: 2)),
            reason: #"Paginated(.body("params", 3)): params has 2 elements in the body"#
        ),
        Mistake(
            testDescription: "a place of a token that only later pages have",
            scheme: .cursor(at: "next", as: .body("params", 2)),
            reason: #"Paginated(.body("params", 2)): params has 1 elements in the body"#
        ),
        Mistake(
            testDescription: "another offset than that of the first page",
            scheme: .offset(.body("params", 1)),
            body: ["params": ["lamp", 40]],
            reason: #"Body("params", 1): Paginated(offset(.body("params", 1))) sets it for each page"#
        ),
        Mistake(
            testDescription: "a custom scheme that merges members into an array",
            scheme: Paginated.Scheme("own", first: .init(body: ["page": 1])) { _ in nil },
            body: ["lamp"],
            reason: "the values of a page go into a JSON body, and this request's body is not JSON, or no object"
        ),
    ]

    @Test("A path that the declared body lacks is a declaration error before the first page", arguments: mistakes)
    func mistake(_ row: Mistake) async throws {
        let stub = StubTransport { _ in Self.page([1]) }
        let list: Endpoint<[Item]> = Shop(stub).endpoint {
            POST("items")
            Envelope("items")
            Paginated(row.scheme)
            Body(row.body)
        }
        let error = try #require(await failure { try await list.page() })
        #expect(error.description.contains(row.reason), "\(error)")
        #expect(stub.requests.isEmpty)
    }

    @Test("A null before the page's element makes its index valid")
    func placeholder() async throws {
        let stub = StubTransport { _ in Self.page([]) }
        let list: Endpoint<[Item]> = Shop(stub).endpoint {
            POST("items")
            Envelope("items")
            Paginated(.offset(.body("params", 2)))
            Body(["params": ["lamp", nil]] as JSONValue)
        }
        _ = try await list.page()
        #expect(stub.requests.map(\.text) == [#"{"params":["lamp",null,0]}"#])
    }

    @Test("A token that repeats a secret of the call is an error that does not show the secret")
    func secrets() async throws {
        let stub = StubTransport { _ in Self.page([1], #""next":"hidden-password""#) }
        let list: Endpoint<[Item]> = Shop(stub).endpoint {
            POST("items")
            Body(["params": ["hidden-password"]] as JSONValue)
            Secret(body: "params", 0)
            Envelope("items")
            Paginated(.cursor(at: "next", as: .body("params", 1)))
        }
        let error = await failure { try await list.page() }
        #expect("\(String(describing: error))".contains("repeats a secret"))
        #expect(!"\(String(describing: error))".contains("hidden-password"))
    }

    @Test("A scheme's description includes its indices")
    func description() {
        let scheme = Paginated.Scheme.offset(.body("params", 1), size: .body("params", 2, count: 50))
        #expect(scheme.description == #"offset(.body("params", 1))"#)
        #expect(scheme.name.hasSuffix("body params[1]"))
        #expect(scheme.size?.name == "body params[2]")
    }
}
