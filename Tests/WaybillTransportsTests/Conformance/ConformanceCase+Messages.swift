import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

extension ConformanceCase {
    private static func raw(_ lines: String...) -> Responder { .response(.raw(lines.joined(separator: "\r\n"))) }

    /// Raw responses: status lines and body framing.
    static let framing: [ConformanceCase] = [
        ConformanceCase(error: "bytes that are not HTTP", raw: "FOOBAR"),
        ConformanceCase(
            error: "a protocol name in lowercase letters",
            raw: "Http/1.1 200 OK\r\nConnection: close\r\n\r\n",
            unmet: notOverURLSession("it is accepted as HTTP; a transport does not see the status line")
        ),
        ConformanceCase(
            "a status line without a reason phrase and the space before it",
            raw("HTTP/1.1 200", "Connection: close", "", ""),
            unmet: notOverURLSession("`invalidResponse`: Foundation demands the space, as RFC 9112, section 4 does")
        ) { #expect($0.status == 200 && $1.isEmpty) },
        ConformanceCase(
            "204 with a length",
            raw("HTTP/1.1 204 No Content", "Content-Length: 1000", "Connection: close", "", "")
        ) { #expect($0.status == 204 && $1.isEmpty) },
        ConformanceCase(
            "304 with a length",
            raw("HTTP/1.1 304 Not Modified", "Content-Length: 1000", "Connection: close", "", "")
        ) { #expect($0.status == 304 && $1.isEmpty) },
        ConformanceCase(
            error: "a body that is shorter than its length",
            raw: "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\nConnection: close\r\n\r\n1234"
        ),
        ConformanceCase(
            "a body that ends with its connection",
            raw("HTTP/1.1 200 OK", "Connection: close", "", "1234")
        ) { #expect($0.status == 200 && $1 == Data("1234".utf8)) },
        ConformanceCase(
            error: "two lengths that differ",
            raw: "HTTP/1.1 200 OK\r\nContent-Length: 10, 4\r\nConnection: close\r\n\r\n1234"
        ),
    ]

    /// Methods, statuses, and concurrent calls.
    static let exchanges: [ConformanceCase] = [
        ConformanceCase("an empty response to each method") { (carrier: Carrier) async throws in
            let transport = try carrier.transport()
            try await LoopbackServer.run(StubResponses().otherwise(.status(200))) { server async throws in
                for method in [HTTPRequest.Method.head, .get, .put, .post, .delete] {
                    let response = try await transport.send(HTTPRequest(method: method, url: server.url))
                    #expect(response.status == 200)
                    #expect(try await response.body.collect().isEmpty)
                    #expect(response.body.trailerFields.isEmpty)
                }
                #expect(server.requests.map(\.method) == [.head, .get, .put, .post, .delete])
            }
        },
        ConformanceCase("404", .status(404)) { #expect($0.status == 404 && $1.isEmpty) },
        ConformanceCase("a status above 599", .status(999)) { #expect($0.status == 999 && $1.isEmpty) },
        ConformanceCase("the head of a body to `HEAD`", .bytes(Data(count: 1000)), request: .head) {
            #expect($0.status == 200 && $0.headerFields[.contentLength] == "1000" && $1.isEmpty)
        },
        ConformanceCase("100 calls at once, each over its own transport") { (carrier: Carrier) async throws in
            try await LoopbackServer.run(["GET {}": .response { .text($0.path) }]) { server async throws in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for index in 0..<100 {
                        let transport = try carrier.transport()
                        group.addTask { () async throws in
                            let url = server.url.appending(path: "\(index)")
                            #expect(try await transport.text(.get, url) == "/\(index)")
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(server.requestCount == 100)
            }
        },
    ]

    /// Header fields, URLs and trailer fields.
    static let fields: [ConformanceCase] = [
        ConformanceCase(
            "a field of the caller's own",
            described,
            request: .post,
            body: HTTPBody(Data("Hello".utf8)),
            fields: [HTTPField(name: name("X-Test"), value: "BARbaz")]
        ) { #expect($1 == Data("POST [BARbaz] Hello".utf8)) },
        ConformanceCase("a request field without a value") { (carrier: Carrier) async throws in
            let transport = try carrier.transport()
            try await LoopbackServer.run(StubResponses().otherwise(.text("fine"))) { server async throws in
                var request = HTTPRequest(method: .post, url: server.url)
                request.headerFields[name("X-Test")] = ""
                #expect(try await transport.send(request).body.collect() == Data("fine".utf8))
                #expect(server.requests.map { $0.headerFields[values: name("X-Test")] } == [[""]])
            }
        },
        ConformanceCase(
            "a request field with two values",
            described,
            fields: [HTTPField(name: name("X-Test"), value: "one"), HTTPField(name: name("X-Test"), value: "two")]
        ) {
            let text = String(decoding: $1, as: UTF8.self).replacingOccurrences(of: ", ", with: ",")
            #expect(text == "GET [one,two] ")
        },
        ConformanceCase(
            "a response field with two values",
            .status(200).header("X-Test", "one").header("X-Test", "two")
        ) { response, _ in
            let values = response.headerFields[values: name("X-Test")].flatMap { $0.split(separator: ",") }
            #expect(values.map { $0.trimmingCharacters(in: .whitespaces) } == ["one", "two"])
        },
        ConformanceCase("query items with repeated names and empty values") { (carrier: Carrier) async throws in
            let client = { Client($0, transport: try carrier.transport()) }
            try await LoopbackServer.run(["GET it": .text("fine")]) { (server: LoopbackServer) async throws in
                _ = try await client(server.url).get("it", as: String.self) {
                    Query("foo", "bar")
                    Query("bar", "baz")
                    Query("qux", "")
                    Query("foo", "phew")
                }
                let items = server.requests.flatMap(\.queryItems).map { "\($0.name)=\($0.value ?? "none")" }
                #expect(items == ["foo=bar", "bar=baz", "qux=", "foo=phew"])
            }
        },
        ConformanceCase(
            "trailer fields of a response",
            raw(
                "HTTP/1.1 200 OK",
                "Transfer-Encoding: chunked",
                "",
                "4",
                "body",
                "0",
                "X-One: first",
                "X-Two: second",
                "X-Sum: abc123",
                "",
                ""
            ),
            unmet: notOverURLSession("the process would end: a fatal error in Foundation's parser")
        ) { response, body in
            #expect(body == Data("body".utf8))
            let lines = response.body.trailerFields.map { "\($0.name.rawName): \($0.value)" }
            #expect(lines == ["X-One: first", "X-Two: second", "X-Sum: abc123"])
        },
        ConformanceCase(
            "trailer fields of a request",
            unmet: Dictionary(
                uniqueKeysWithValues: Carrier.allCases.map { ($0, "no clause declares any, and none are sent") }
            )
        ) { _ in },
    ]

    /// Returns the reason that URLSession on Linux does not conform to a case.
    static func notOverURLSession(_ reason: String) -> [Carrier: String] {
        #if os(Linux)
            [.urlSession: reason]
        #else
            [:]
        #endif
    }
}
