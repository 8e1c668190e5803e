import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

/// Pages that cannot contain a link, token or flag: a bare list, or a value without members.
@Suite("Pagination in bodies without a next page")
struct PaginationShapeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let scheme: Paginated.Scheme
        /// A first page that is followed by another.
        let page: String
        let isFlag: Bool

        var testDescription: String { "\(scheme)" }
    }

    static let rows = [
        Row(scheme: .next(at: "meta", "next"), page: #""meta":{"next":"/v1/items?p=2"}"#, isFlag: false),
        Row(scheme: .cursor(at: "meta", "next", as: "p"), page: #""meta":{"next":"2"}"#, isFlag: false),
        Row(
            scheme: .cursor(at: "meta", "next", as: .field("X-Next"), hasMore: .value("meta", "more")),
            page: #""meta":{"next":"2","more":true}"#,
            isFlag: false
        ),
        Row(
            scheme: .after(lastItem: "id", as: "p", hasMore: .value("meta", "more")),
            page: #""meta":{"more":true}"#,
            isFlag: true
        ),
    ]

    private func endpoint(_ stub: StubTransport, _ scheme: Paginated.Scheme, isBare: Bool) -> Endpoint<
        [PaginationTests.Item]
    > {
        Shop(stub).endpoint {
            GET("items")
            isBare ? Envelope.none : Envelope("items")
            Paginated(scheme)
        }
    }

    private func reason(_ error: APIError?) -> String? {
        guard case .pagination(let failure) = error, case .unreadable(let reason) = failure.reason else { return nil }
        return reason
    }

    @Test(
        "A bare list is an error for a scheme whose value is beside the list",
        arguments: rows,
        ["[]", #"[{"id":1},{"id":2}]"#]
    )
    func bare(_ row: Row, body: String) async throws {
        for decode in [Decode(), Decode(with: JSONDecoder())] {
            let stub = StubTransport(["GET items": .response(.json(body))])
            let endpoint = endpoint(stub, row.scheme, isBare: true).with { decode }
            let error = await failure { try await endpoint.all.collect() }
            let text = try #require(reason(error))
            #expect(
                text.contains("but the body is an array without members; correct the path, or declare other paging")
            )
            #expect(stub.requests.count == 1)
        }
    }

    @Test("The error for a bare list points out a next page in its Link field", arguments: rows)
    func link(_ row: Row) async throws {
        let response = StubResponse.json(#"[{"id":1}]"#).header("Link", "</v1/items?p=2>; rel=next")
        let endpoint = endpoint(StubTransport(["GET items": .response(response)]), row.scheme, isBare: true)
        let text = try #require(reason(await failure { try await endpoint.all.collect() }))
        #expect(text.hasSuffix("the field Link names a next page: declare Paginated(.link())"))
    }

    @Test(
        "A value without members on the declared path is an error on any page",
        arguments: rows,
        [#""x""#, "7", "0.5", "true", "[1]", #"[{"next":"2"}]"#]
    )
    func blocked(_ row: Row, value: String) async throws {
        for before in 0...1 {
            let pages = Array(repeating: #"{"items":[{"id":1}],\#(row.page)}"#, count: before)
            let stub = StubTransport([
                "GET items": .sequence((pages + [#"{"items":[{"id":2}],"meta":\#(value)}"#]).map { .json($0) })
            ])
            var ids: [Int] = []
            let error = await failure {
                for try await item in endpoint(stub, row.scheme, isBare: false).all { ids.append(item.id) }
            }
            let text = try #require(reason(error), "\(String(describing: error))")
            #expect(text.contains("meta is") && text.contains("without members; correct the path"))
            #expect(ids == Array(repeating: 1, count: before))
        }
    }

    @Test(
        "A missing key or an empty value ends pagination, unless the scheme depends only on a flag",
        arguments: rows,
        [
            "", #","meta":null"#, #","meta":{}"#, #","meta":{"next":null}"#, #","meta":"""#, #","meta":false"#,
            #","meta":[]"#,
        ]
    )
    func absent(_ row: Row, members: String) async throws {
        let stub = StubTransport([
            "GET items": .sequence([
                .json(#"{"items":[{"id":1}],\#(row.page)}"#), .json("{\"items\":[{\"id\":2}]\(members)}"),
                .json(#"{"items":[],"meta":{"more":false}}"#),
            ])
        ])
        let ids = try await endpoint(stub, row.scheme, isBare: false).all.collect().map(\.id)
        #expect(ids == [1, 2])
        #expect(stub.requests.count == (row.isFlag ? 3 : 2))
    }

    @Test(
        "A flag that is an empty string is ignored",
        arguments: [
            (.cursor(at: "next", as: "p", hasMore: .value("more")), #""next":"2","more":"""#, 2),
            (.cursor(at: "next", as: "p", hasMore: .value("more")), #""more":"""#, 1),
            (.after(lastItem: "id", as: "p", hasMore: .value("more")), #""more":"""#, 2),
        ] as [(Paginated.Scheme, String, Int)]
    )
    func emptyFlag(scheme: Paginated.Scheme, members: String, requests: Int) async throws {
        let stub = StubTransport([
            "GET items": .sequence([.json("{\"items\":[{\"id\":1}],\(members)}"), .json(#"{"items":[],"more":false}"#)])
        ])
        #expect(try await endpoint(stub, scheme, isBare: false).all.collect().map(\.id) == [1])
        #expect(stub.requests.count == requests)
    }

    @Test("An index into an object is an error, and an array shorter than the index ends pagination")
    func index() async throws {
        let scheme = Paginated.Scheme.next(at: "links", 0, "href")
        let object = StubTransport([
            "GET items": .response(.json(#"{"items":[{"id":1}],"links":{"next":{"href":"/v1/items?p=2"}}}"#))
        ])
        let error = await failure { try await endpoint(object, scheme, isBare: false).all.collect() }
        #expect(reason(error)?.contains("links is an object without elements; correct the path") == true)
        let short = StubTransport(["GET items": .response(.json(#"{"items":[{"id":1}],"links":[]}"#))])
        #expect(try await endpoint(short, scheme, isBare: false).all.collect().map(\.id) == [1])
    }
}
