import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillCaching
import WaybillTesting

@Suite("Redirects and fragments", .inTurn, .safetyNet)
struct RedirectFragmentTests {
    /// Adds the fragment from a header field to the request, as a middleware can.
    private struct AddFragment: Middleware {
        func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
            var request = request
            if let fragment = HTTPField.Name("X-Fragment").flatMap({ request.headerFields[$0] }),
                let url = URL(string: "\(request.url.absoluteString)#\(fragment)")
            {
                request.url = url
            }
            return try await next(request)
        }
    }

    struct Row: CustomTestStringConvertible {
        let testDescription: String
        /// The request's fragment.
        var own: String?
        /// The targets of consecutive redirects.
        let locations: [String]
        let url: String

        init(_ description: String, own: String? = nil, _ locations: String..., url: String) {
            testDescription = description
            (self.own, self.locations, self.url) = (own, locations, url)
        }
    }

    @Test(
        "A response's URL has the last fragment of its Locations or the request's fragment, and none is sent",
        arguments: [
            Row("no fragment", "/1", url: "/1"), Row("a redirect's", "/1#a", url: "/1#a"),
            Row("the request's", own: "mine", url: "/0#mine"),
            Row("the request's through a redirect", own: "mine", "/1", url: "/1#mine"),
            Row("the request's through three", own: "mine", "/1", "/2", "/3", url: "/3#mine"),
            Row("a redirect's before the request's", own: "mine", "/1#a", url: "/1#a"),
            Row("a redirect's through another", "/1#a", "/2", url: "/2#a"),
            Row("the last of two", own: "mine", "/1#a", "/2#b", url: "/2#b"),
            Row("an empty one", own: "mine", "/1#", url: "/1#"),
            Row("one with characters to encode", "/1#a b", url: "/1#a%20b"),
            Row("one of a relative reference", own: "mine", "1?x=1#a", url: "/1?x=1#a"),
        ],
        Carrier.allCases
    )
    func fragments(_ row: Row, _ carrier: Carrier) async throws {
        let transport = try carrier.transport()
        let responses = StubResponses().otherwise(
            .response { request in
                let number = Int(request.path.dropFirst()) ?? 0
                return number < row.locations.count ? .redirect(to: row.locations[number], status: 307) : .text("fine")
            }
        )
        try await LoopbackServer.run(responses) { server async throws in
            let client = Client(server.url, transport: transport) { Use(AddFragment()) }
            let endpoint: Endpoint<String> = client.endpoint {
                GET("0")
                if let own = row.own { Header("X-Fragment", own) }
            }
            let response = try await endpoint.response()
            #expect(response.url.absoluteString == server.url.absoluteString + row.url)
            #expect(response.value == "fine")
            #expect(server.requests.allSatisfy { !$0.url.absoluteString.contains("#") })
        }
    }

    @Test(
        "A Location is resolved per RFC 3986, section 5.4, and its fragment appears only in the response's URL",
        arguments: Carrier.allCases
    )
    func references(_ carrier: Carrier) async throws {
        let transport = try carrier.transport()
        let responses = StubResponses().otherwise(
            .response { request in
                request.method == .post
                    ? .redirect(to: request.text, status: 303)
                    : .text(request.path + (request.query.map { "?\($0)" } ?? ""))
            }
        )
        try await LoopbackServer.run(responses) { server async throws in
            let client = Client(server.url, transport: transport)
            for (reference, target) in References.ofRFC3986 where reference.allSatisfy(\.isASCII) {
                let endpoint: Endpoint<String> = client.endpoint {
                    POST(at: "/b/c/d;p?q")
                    Body(Data(reference.utf8), contentType: "text/plain")
                }
                let response = try await endpoint.response()
                let expected = target.dropFirst("http://a".count)
                #expect(response.url.absoluteString == server.url.absoluteString + expected)
                #expect(response.value == expected.prefix { $0 != "#" })
            }
        }
    }

    @Test("Cached and coalesced responses have the fragments of their requests")
    func shared() async throws {
        let gate = Gate()
        let stub = StubTransport([
            "GET a": .text("fine").header("Cache-Control", "max-age=60"), "GET b": .text("fine").held(by: gate),
        ])
        let cache = HTTPCache()
        let client = Client(Shop.url, transport: stub) {
            Use(AddFragment())
            Coalesced()
            Cached(in: cache)
        }
        @Sendable func url(_ path: Route.Path, _ fragment: String) async throws -> String {
            let endpoint: Endpoint<String> = client.endpoint {
                GET(path)
                Header("X-Fragment", fragment)
            }
            return try await endpoint.response().url.absoluteString
        }
        #expect(try await url("a", "one") == "https://shop.example/v1/a#one")
        #expect(try await url("a", "two") == "https://shop.example/v1/a#two")
        #expect(stub.requests.count == 1)
        async let first = url("b", "one")
        async let second = url("b", "one")
        async let other = url("b", "two")
        await stub.waitForRequests(count: 2)
        gate.open()
        #expect(try await [first, second] == ["https://shop.example/v1/b#one", "https://shop.example/v1/b#one"])
        #expect(try await other == "https://shop.example/v1/b#two")
    }

    @Test("The fragment of a declared URL is not sent, and a token in a Location's fragment is redacted")
    func texts() async throws {
        let stub = StubTransport { request in
            request.path == "/v1/a" ? .redirect(to: "b?x=1#y=2&access_token=s3cret", status: 307) : .json("1")
        }
        let endpoint: Endpoint<Int> = Client(Shop.url, transport: stub).endpoint { GET(at: "/v1/a#declared") }
        let response = try await endpoint.response()
        let sent = ["https://shop.example/v1/a", "https://shop.example/v1/b?x=1"]
        #expect(stub.requests.map(\.url.absoluteString) == sent)
        #expect(response.url.absoluteString == sent[1] + "#y=2&access_token=s3cret")
        var dumped = ""
        dump(response, to: &dumped)
        #expect(!dumped.contains("s3cret"), "\(dumped)")
        #expect(dumped.contains(sent[1] + "#y=2&access_token=‹redacted›"))
    }

    @Test("A URL in a header field keeps its fragment, and a fragment alone is relative to the response's URL")
    func fields() async throws {
        let stub = StubTransport([
            "POST a": .status(201).header("Location", "b#part"), "POST c": .status(201).header("Location", "#part"),
        ])
        let client = Client(Shop.url, transport: stub)
        for (path, url) in [("a", "https://shop.example/v1/b#part"), ("c", "https://shop.example/v1/c#part")] {
            let endpoint: Endpoint<Void> = client.endpoint { POST("\(path)") }
            #expect(try await endpoint.response().url(in: .location)?.absoluteString == url)
        }
    }
}
