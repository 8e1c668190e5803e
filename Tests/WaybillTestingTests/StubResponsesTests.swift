import Foundation
import Testing
import Waybill

@testable import WaybillTesting

@Suite("Response tables")
struct StubResponsesTests {
    @Test(
        "A response table matches a path against a template",
        arguments: [
            ("products", "/products", []),
            ("products", "products", []),
            ("u/E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "/u/e621e1f8-c36c-495a-93fc-0c247a3e6e5f", []),
            ("u/e621e1f8-c36c-495a-93fc-0c247a3e6e5f", "/u/E621E1F8-C36C-495A-93FC-0C247A3E6E5F", []),
            ("u/E621E1F8-C36C-495A-93FC-0C247A3E6E5", "/u/e621e1f8-c36c-495a-93fc-0c247a3e6e5", nil),
            ("/products", "/products", []),
            ("products", "/products/", nil),
            ("products/", "/products/", []),
            ("products/", "/products", nil),
            ("products/{}", "/products/7", ["7"]),
            ("products/{}", "/products/", nil),
            ("products/{}", "/products/7/", nil),
            ("products/{}", "/products/7/reviews", nil),
            ("products/{}/", "/products/7/", ["7"]),
            ("{}/{}", "/a/b", ["a", "b"]),
            ("products/{}", "/products/a%2Fb%20c", ["a/b c"]),
            ("products/{}", "/products/50%", ["50%"]),
            ("repos/{+}/tags", "/repos/a/b%2Fc/tags", ["a/b/c"]),
            ("repos/{+}/tags", "/repos/a/tags", ["a"]),
            ("repos/{+}/tags", "/repos/tags", nil),
            ("repos/{+}/tags", "/repos//tags", nil),
            ("repos/{+}/", "/repos/a/b/", ["a/b"]),
            ("{+}/{}", "/a/b/c", ["a/b", "c"]),
            ("files/{}.json", "/files/a.b.json", ["a.b"]),
            ("files/{}.json", "/files/.json", nil),
            ("files/{}.json", "/files/a.xml", nil),
            ("v{}/x", "/v2/x", ["2"]),
            ("{}-{}", "/a-b-c", ["a", "b-c"]),
            ("{}-{}", "/--a", ["-", "a"]),
            ("{}-{}", "/-a", nil),
            ("{}-{}", "/a-", nil),
            ("aa{}aa", "/aaa", nil),
            ("aa{}aa", "/aaaaa", ["a"]),
            ("{}:{}:{}", "/a:b:c:d", ["a", "b", "c:d"]),
            ("caf%C3%A9", "/caf%c3%a9", []),
            ("café", "/caf%C3%A9", []),
            ("", "/", []),
            ("/", "/", []),
            ("", "/a", nil),
            ("a//b", "/a//b", []),
            ("a/{}/b", "/a//b", nil),
            ("Products", "/products", nil),
        ] as [(String, String, [String]?)]
    )
    func matches(_ template: String, _ path: String, values: [String]?) throws {
        let pattern = try PathPattern(template)
        #expect(pattern.values(in: PathPattern.segments(of: path)) == values)
    }

    @Test(
        "A response table prefers literals from left to right, whatever the order of keys",
        arguments: [
            ("/products/search", "GET products/search"),
            ("/products/7", "GET products/{}"),
            ("/products/7.json", "GET products/{}.json"),
            ("/products/x7.json", "GET products/x{}.json"),
            ("/products/search/reviews", "GET products/search/{}"),
            ("/products/7/reviews", "GET products/{}/reviews"),
            ("/other/7", "GET {}/7"),
            ("/other/8", "GET {}/{}"),
        ]
    )
    func prefers(_ path: String, key: String) {
        let keys = [
            "GET {}/{}", "GET {}/7", "GET products/{}", "GET products/{}.json", "GET products/search",
            "GET products/{}/reviews", "GET products/search/{}", "GET products/x{}.json", "POST products/search",
        ]
        for order in [keys, keys.reversed(), keys.sorted()] {
            let table = ResponseTable(StubResponses(order.map { ($0, .status(200)) }))
            let match = table.match(method: .get, path: path)
            #expect(match.map { "\($0.row.method) \($0.row.template)" } == key)
        }
    }

    @Test("A response table uses the GET key for HEAD if it has no HEAD key")
    func respondsToHead() {
        let table = ResponseTable(["GET a": .status(200), "GET b": .status(200), "HEAD b": .status(204)])
        #expect(table.match(method: .head, path: "/a")?.row.method == "GET")
        #expect(table.match(method: .head, path: "/b")?.row.method == "HEAD")
        #expect(table.match(method: .post, path: "/a") == nil)
    }

    @Test(
        "The error of a response table explains what is wrong with a key",
        arguments: [
            ("products", "\"products\" is not a valid key for a response: it must be a method, a space and a template"),
            ("GET ", "\"GET \" is not a valid key for a response: it must be a method"),
            ("G/T products", "\"G/T products\" is not a valid key for a response: it must be a method"),
            (
                "GET products/{id}",
                "write a value as `{}`, without a name, and several segments as a segment `{+}`"
            ),
            (
                "GET products/}",
                "write a value as `{}`, without a name, and several segments as a segment `{+}`"
            ),
            ("GET products/{}{}", "it contains `{}{}`: separate the values with a literal"),
            ("GET products?a=b", "it has \"?\", but a key matches only the path"),
            ("GET products now", "it has \" \", but a key matches only the path"),
        ]
    )
    func namesProblem(_ key: String, text: String) throws {
        let error = try #require(throws: StubResponses.Failure.self) {
            try StubResponses([(key, .status(200))]).validate()
        }
        #expect(error.problems.count == 1)
        #expect(error.description.contains(text))
        #expect(error.description.contains(key.debugDescription))
    }

    @Test("The error of a response table lists equal keys and empty sequences")
    func namesTwins() throws {
        let responses: StubResponses = [
            "GET a/{}": .status(200), "GET /a/{}": .status(201), "GET c": .sequence([]), "GET d": .status(200),
        ]
        let error = try #require(throws: StubResponses.Failure.self) { try responses.validate() }
        #expect(
            error.problems == [
                "\"GET /a/{}\" has two responses: it is equivalent to \"GET a/{}\"; "
                    + "for successive responses write .sequence([…])",
                "\"GET c\" has a sequence without responses: it needs at least one",
            ]
        )
    }

    @Test("A response table lists its keys in the 501 for an unknown request")
    func listsKeys() {
        let handler = RequestHandler(["POST products": .status(201), "GET products": .status(200)])
        guard case .response(let response) = handler.assign(method: .put, path: "/products").plan else {
            Issue.record("the plan is not a response")
            return
        }
        #expect(response.status == 501)
        #expect(
            String(decoding: response.body, as: UTF8.self) == """
                No response for PUT products. That path has responses for GET, POST.
                The table has these keys:
                  GET products
                  POST products

                """
        )
    }

    @Test("A sequence returns its responses in order, repeats the last, and starts over for each handler")
    func takesSequence() {
        let responses: StubResponses = [
            "GET a/{}": .sequence([.status(500), .status(404), .status(200)]), "GET b": .status(204),
        ]
        for _ in 1...2 {
            let handler = RequestHandler(responses)
            let paths = ["/a/1", "/b", "/a/2", "/a/1", "/a/1"]
            let statuses = paths.map { path -> Int in
                guard case .response(let response) = handler.assign(method: .get, path: path).plan else { return 0 }
                return response.status.code
            }
            #expect(statuses == [500, 204, 404, 200, 200])
        }
    }

    private struct Lamp: Codable, Equatable {
        var name = "a/b"
        var id = 1
    }

    @Test("A response of any kind has its status, header fields and body")
    func writesForms() throws {
        struct Unencodable: Encodable {
            func encode(to encoder: any Encoder) throws { throw CancellationError() }
        }
        func text(_ response: StubResponse) -> String {
            let body = String(decoding: response.body, as: UTF8.self)
            return "\(response.status.code) \(response.headerFields.map(\.description)) \(body)"
        }
        #expect(text(.json("{}", status: 201)) == #"201 ["Content-Type: application/json"] {}"#)
        #expect(text(.json(Lamp())) == #"200 ["Content-Type: application/json"] {"id":1,"name":"a/b"}"#)
        #expect(
            text(.json("{}", headers: [HTTPField(name: .contentType, value: "application/problem+json")]))
                == #"200 ["Content-Type: application/problem+json"] {}"#
        )
        #expect(text(.text("é")) == #"200 ["Content-Type: text/plain; charset=utf-8"] é"#)
        #expect(text(.bytes([0x61])) == #"200 ["Content-Type: application/octet-stream"] a"#)
        #expect(text(.status(204).header("X-A", "1").header("x-a", "2")) == #"204 ["X-A: 1", "x-a: 2"] "#)
        #expect(text(.redirect(to: "/b", status: 307)) == #"307 ["Location: /b"] "#)
        #expect(text(.json(Unencodable())).hasPrefix("501 "))
        #expect(text(.redirect(to: "/b\r\nX: y")).contains(#"cannot have the header field "Location""#))
        #expect(text(.status(200).header("no token", "")).hasPrefix("501 "))
    }

    @Test("An added Content-Type replaces the default one, whatever its case")
    func replacesContentType() {
        let response = StubResponse.json("{}").header("X-A", "1").header("content-type", "text/x").header("X-A", "2")
        #expect(response.headerFields.map(\.description) == ["X-A: 1", "content-type: text/x", "X-A: 2"])
    }

    @Test("A closure in a table receives the request's path values, query and body")
    func decodesRequest() async throws {
        let stub = StubTransport([
            "POST shops/{}/products": .response { request in
                let lamp = try request.decode(Lamp.self)
                return .text("\(request.pathValues) \(request.queryItems) \(lamp.name) \(request.text)")
            }
        ])
        let url = try #require(URL(string: "http://h/v1/shops/a%2Fb/products?x=1&x=%26&flag&s=a+b%2B"))
        let request = HTTPRequest(
            method: .post,
            url: url,
            body: HTTPBody(Data(#"{"name":"l","id":2}"#.utf8))
        )
        let response = try await stub.send(request, options: TransferOptions(template: "shops/{}/products"))
        let text = String(decoding: try await response.body.collect(), as: UTF8.self)
        #expect(text == #"["a/b"] [x=1, x=&, flag, s=a b+] l {"name":"l","id":2}"#)
    }
}
