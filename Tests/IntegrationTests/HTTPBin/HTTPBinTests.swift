import Foundation
import Testing
import Waybill

@Suite("httpbin", .running(.httpbin))
struct HTTPBinTests {
    @Test(
        "Every method arrives at httpbin with its body",
        arguments: TransportUnderTest.all,
        ["POST", "PUT", "PATCH", "DELETE"]
    )
    func methods(over transport: TransportUnderTest, _ method: String) async throws {
        let echo = try await HTTPBinAPI(over: transport).echo(method, ["name": "Lämpchen ☀︎"]).send()
        #expect(echo.method == method)
        #expect(echo.json == ["name": "Lämpchen ☀︎"])
        #expect(echo.headers["Content-Type"] == "application/json")
    }

    @Test(
        "A HEAD response from httpbin has no body, and OPTIONS returns the allowed methods",
        arguments: TransportUnderTest.all
    )
    func heads(over transport: TransportUnderTest) async throws {
        let api = HTTPBinAPI(over: transport)
        let head = try await api.client.head("anything")
        #expect(head.status == 200)
        #expect(head.body.isEmpty)
        let options: Endpoint<Void> = api.endpoint { OPTIONS("anything") }
        let allowed = try await options.response().headerFields["Allow"] ?? ""
        #expect(allowed.contains("PATCH"))
    }

    @Test(
        "Any text in a path segment arrives at httpbin as one segment",
        arguments: TransportUnderTest.all,
        ["a b", "a/b", "a?b=c#d", "ä%2Fö", "..;", "100%", "a+b&c", "☀︎"]
    )
    func segments(over transport: TransportUnderTest, _ segment: String) async throws {
        let response = try await HTTPBinAPI(over: transport).echo(segment: segment).response()
        // The server decodes the path before echoing it.
        #expect(response.value.url.hasPrefix(Server.httpbin.url.absoluteString + "/anything/"))
        #expect(response.value.args.isEmpty)
        #expect(response.url.pathComponents.last == segment)
    }

    @Test(
        "Any text in a query item arrives at httpbin",
        arguments: TransportUnderTest.all,
        ["a b", "a+b", "a&b=c", "ä=ö;ü", "#?/%25", "☀︎", "", "\r\n"]
    )
    func queries(over transport: TransportUnderTest, _ value: String) async throws {
        let api = HTTPBinAPI(over: transport)
        let echo = try await api.echo(query: value, tags: [value, "b"], as: .repeated).send()
        #expect(echo.args == ["q": .string(value), "tag": [.string(value), "b"]])
        let bracketed = try await api.echo(query: value, tags: [value, "b"], as: .brackets).send()
        #expect(bracketed.args["tag[]"] == [.string(value), "b"])
    }

    @Test(
        "Header fields arrive at httpbin as declared, and the innermost scope wins",
        arguments: TransportUnderTest.all
    )
    func fields(over transport: TransportUnderTest) async throws {
        let echo = try await HTTPBinAPI(over: transport)
            .echo(fields: [("X-Shop", "lamps, chairs"), ("X-Many", "1"), ("X-Many", "2"), ("Accept", "text/json")])
            .send()
        #expect(echo.headers["X-Shop"] == "lamps, chairs")
        #expect(echo.headers["X-Many"]?.split(separator: ",").map { $0.filter { $0 != " " } } == ["1", "2"])
        #expect(echo.headers["Accept"] == "text/json")
        #expect(echo.headers["User-Agent"] == "waybill-tests")
        #expect(echo.headers["Content-Type"] == nil)
        #expect(echo.headers["Cookie"] == nil)
    }

    @Test("A form arrives at httpbin", arguments: TransportUnderTest.all)
    func forms(over transport: TransportUnderTest) async throws {
        struct Login: Encodable, Sendable {
            var user = "bo & co"
            var remember = true
            var scopes = ["read", "write"]
            var device = ["name": "a+b"]
            var nickname: String?
        }
        let api = HTTPBinAPI(over: transport)
        let echo = try await api.echo(form: ["q": "a b+c&d=é", "tag": "1", "tag": "2", "empty": ""]).send()
        #expect(echo.form == ["q": "a b+c&d=é", "tag": ["1", "2"], "empty": ""])
        #expect(echo.headers["Content-Type"] == "application/x-www-form-urlencoded")

        let login = try await api.echo(formEncoding: Login()).send()
        let expected: [String: JSONValue] = [
            "user": "bo & co", "remember": "true", "scopes": ["read", "write"], "device[name]": "a+b",
        ]
        #expect(login.form == expected)
    }

    @Test("A streamed body arrives complete at httpbin", arguments: TransportUnderTest.all)
    func streamedBody(over transport: TransportUnderTest) async throws {
        let chunks = AsyncStream<Data> { continuation in
            for chunk in ["one ", "two ", "three"] { continuation.yield(Data(chunk.utf8)) }
            continuation.finish()
        }
        let endpoint: Endpoint<HTTPBinAPI.Echo> = HTTPBinAPI(over: transport).endpoint {
            POST("anything")
            Body(HTTPBody(chunks, length: 13), contentType: "text/plain")
        }
        let echo = try await endpoint.send()
        #expect(echo.data == "one two three")
        #expect(echo.headers["Content-Type"] == "text/plain")
    }

    @Test("All bytes arrive from httpbin, with and without a known length", arguments: TransportUnderTest.all)
    func bytes(over transport: TransportUnderTest) async throws {
        let api = HTTPBinAPI(over: transport)
        let whole = try await api.bytes(50_000, seed: 7, chunked: false).response()
        #expect(whole.value.count == 50_000)
        #expect(whole.headerFields[.contentType] == "application/octet-stream")
        let chunked = try await api.bytes(50_000, seed: 7, chunked: true).send()
        #expect(chunked.count == 50_000)
    }

    @Test("A compressed httpbin response is decoded", arguments: TransportUnderTest.all, ["gzip", "deflate"])
    func compression(over transport: TransportUnderTest, _ coding: String) async throws {
        let response = try await HTTPBinAPI(over: transport).compressed(coding).response()
        #expect(response.value[coding == "gzip" ? "gzipped" : "deflated"] == true)
        #expect(response.headerFields[.contentEncoding] == nil)
    }

    @Test("Each of several concurrent calls to httpbin gets its own response", arguments: TransportUnderTest.all)
    func concurrency(over transport: TransportUnderTest) async throws {
        let api = HTTPBinAPI(over: transport)
        try await withThrowingTaskGroup(of: (Int, JSONValue?).self) { group in
            for number in 0..<64 {
                group.addTask { (number, try await api.echo("POST", ["number": number]).send().json?["number"]) }
            }
            for try await (number, response) in group { #expect(response?.intValue == number) }
        }
    }

    @Test("A range request to httpbin returns 206", arguments: TransportUnderTest.all)
    func ranges(over transport: TransportUnderTest) async throws {
        let api = HTTPBinAPI(over: transport)
        let part = try await api.alphabet("bytes=2-5").response()
        #expect(part.status == 206)
        #expect(String(decoding: part.value, as: UTF8.self) == "cdef")
        #expect(part.headerFields["Content-Range"] == "bytes 2-5/26")
        #expect(try await api.alphabet(nil).send().count == 26)
        let beyond = try await statusFailure(api.alphabet("bytes=90-99").send)
        #expect(beyond.status == 416)
    }

    @Test("An entity tag makes a request to httpbin conditional", arguments: TransportUnderTest.all)
    func conditions(over transport: TransportUnderTest) async throws {
        let api = HTTPBinAPI(over: transport)
        let first = try await api.tagged("v1").response()
        #expect(first.headerFields[.eTag] == "v1")
        #expect(first.value != nil)
        let unchanged = try await api.tagged("v1", ifNoneMatch: "\"v1\"").response()
        #expect(unchanged.status == 304)
        #expect(unchanged.value == nil)
        let mismatch = try await statusFailure(api.tagged("v1", ifMatch: "\"v2\"").send)
        #expect(mismatch.status == 412)
    }

    @Test("A call to httpbin that exceeds its time limit times out", arguments: TransportUnderTest.all)
    func timeout(over transport: TransportUnderTest) async throws {
        let api = HTTPBinAPI(over: transport)
        let error = try await failure(api.delay(10, limit: .milliseconds(200)).send)
        guard case .timeout(let failure) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(failure.limit == .milliseconds(200))
        #expect(try await api.delay(0, limit: .seconds(30)).send().url.hasSuffix("/delay/0"))
    }

    @Test("Canceling a task ends its call to httpbin", arguments: TransportUnderTest.all)
    func cancellation(over transport: TransportUnderTest) async throws {
        let endpoint = HTTPBinAPI(over: transport).delay(10, limit: .seconds(60))
        let call = Task { try await failure(endpoint.send) }
        call.cancel()
        guard case .cancelled = try await call.value else {
            Issue.record("not a cancelled failure")
            return
        }
    }
}

extension HTTPBinAPI {
    init(over transport: TransportUnderTest) { self.init(Server.httpbin.url, transport: transport.transport) }
}
