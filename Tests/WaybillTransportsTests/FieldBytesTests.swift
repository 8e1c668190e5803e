import CallSupport

#if os(Linux)
    import Foundation
    import TestSupport
    import Testing
    @testable import WaybillSessions
    import WaybillTesting
    @testable import WaybillTransfers

    @testable import Waybill

    @Suite("Header field bytes", .inTurn, .safetyNet)
    struct FieldBytesTests {
        /// UTF-8 and Latin-1 in one value, then the UTF-8 of a character that represents a byte.
        private static let opaque = Array("é".utf8) + [0xE9, 0x80] + Array("\u{10FEE9}".utf8)

        private static let escapes = "%C3%A9%E9%80%F4%8F%BB%A9"

        private static let text = HTTPField(name: .eTag, bytes: opaque).value

        struct Row: Sendable, CustomTestStringConvertible {
            let testDescription: String
            /// The name of the first response's field, and its text around the opaque bytes.
            let name: String
            let before: String
            let after: String
            var status: HTTPResponse.Status = 200
            /// The expected text in the second request's head, before and after the opaque bytes or their escapes.
            let expected: (String, String)
            var isEscaped = false
            let call: @Sendable (Client) async throws -> Void
        }

        private static func get(_ client: Client) async throws -> Response<Int> {
            try await client.endpoint(Int.self) { GET("it") }.response()
        }

        private static let rows = [
            Row(
                testDescription: "If-Match",
                name: "ETag",
                before: "\"",
                after: "\"",
                expected: ("If-Match: \"", "\"\r\n")
            ) { client in
                let tag = try #require(try await get(client).entityTag)
                _ = try await client.put("it", body: 1, as: Int.self) { IfMatch(tag) }
            },
            Row(
                testDescription: "If-None-Match",
                name: "ETag",
                before: "W/\"",
                after: "\"",
                expected: ("If-None-Match: W/\"", "\"\r\n")
            ) { client in
                let tag = try await get(client).entityTag
                _ = try await client.endpoint(Int.self) {
                    GET("it")
                    IfNoneMatch(tag)
                }.response()
            },
            Row(
                testDescription: "If-Range",
                name: "ETag",
                before: "\"",
                after: "\"",
                expected: ("If-Range: \"", "\"\r\n")
            ) { client in
                let tag = try #require(try await get(client).entityTag)
                _ = try await client.get("it", as: Data.self) { Header("If-Range", "\(tag)") }
            },
            Row(
                testDescription: "Cookie",
                name: "Set-Cookie",
                before: "id=a",
                after: "b; Path=/",
                expected: ("Cookie: id=a", "b\r\n")
            ) { client in
                let jar = CookieJar()
                for _ in 0..<2 { _ = try await client.get("it", as: Int.self) { Cookies(jar) } }
            },
            Row(
                testDescription: "Token in a field",
                name: "X-Next",
                before: "a",
                after: "b",
                expected: ("X-After: a", "b\r\n")
            ) { client in
                let pages = client.endpoint([Int].self) {
                    GET("list")
                    Paginated(.cursor(field: "X-Next", as: .field("X-After")))
                }
                for try await _ in pages.all {}
            },
            Row(
                testDescription: "Token in a query",
                name: "X-Next",
                before: "a",
                after: "b",
                expected: ("after=a", "b "),
                isEscaped: true
            ) { client in
                let pages = client.endpoint([Int].self) {
                    GET("list")
                    Paginated(.cursor(field: "X-Next", as: "after"))
                }
                for try await _ in pages.all {}
            },
            Row(
                testDescription: "Link",
                name: "Link",
                before: "<list/a",
                after: "?p=2>; rel=next",
                expected: ("/list/a", "?p=2 "),
                isEscaped: true
            ) { client in
                let pages = client.endpoint([Int].self) {
                    GET("list")
                    Paginated(.link())
                }
                for try await _ in pages.all {}
            },
            Row(
                testDescription: "Location of a redirect",
                name: "Location",
                before: "/a",
                after: "?b",
                status: 307,
                expected: ("GET /a", "?b "),
                isEscaped: true
            ) { client in _ = try await get(client) },
            Row(
                testDescription: "Location of an upload",
                name: "Location",
                before: "/a",
                after: "?b",
                status: 201,
                expected: ("/a", "?b "),
                isEscaped: true
            ) { client in
                // The server does not support uploads; only its requests matter.
                _ = try? await client.endpoint {
                    POST("it")
                    Body(Data("movie".utf8), contentType: "text/plain")
                    Resumable(.tus, maximumPartBytes: 5)
                }.send()
            },
            Row(
                testDescription: "Nonce of a digest challenge",
                name: "WWW-Authenticate",
                before: "Digest realm=\"a\", nonce=\"a",
                after: "b\"",
                status: 401,
                expected: ("nonce=\"a", "b\"")
            ) { client in
                _ = try await client.get("it", as: Int.self) { Authorization(.digest(user: "bo", password: "s3cret")) }
            },
            Row(
                testDescription: "A printed curl command",
                name: "ETag",
                before: "\"it's\\",
                after: "\"",
                expected: ("If-Match: \"it's\\", "\"\r\n")
            ) { client in
                let tag = try #require(try await get(client).entityTag)
                let command = try client.endpoint {
                    DELETE("it")
                    IfMatch(tag)
                }.curl(revealingSecrets: true)
                try Shell.run(command, in: FileManager.default.temporaryDirectory)
            },
            Row(
                testDescription: "A field that an app sends back",
                name: "X-Name",
                before: "a",
                after: "b",
                expected: ("X-Name: a", "b\r\n")
            ) { client in
                let name = try #require(try await get(client).headerFields["X-Name"])
                _ = try await client.get("it", as: Int.self) { Header("X-Name", name) }
            },
        ]

        @Test("Response field bytes that are not UTF-8 are sent back unchanged", arguments: rows)
        func bytes(_ row: Row) async throws {
            let first = StubResponse.json(row.status.code == 200 ? "[1]" : "1", status: row.status)
                .header(row.name, row.before + Self.text + row.after)
            let item = StubResponse.json("1").header(row.name, row.before + Self.text + row.after)
            let answered = Counter()
            let responses = StubResponses().otherwise(
                .response { request in
                    guard answered.isFirst() else { return request.path.contains("list") ? .json("[]") : .json("1") }
                    return request.path.contains("list") || row.status.code != 200 ? first : item
                }
            )
            try await LoopbackServer.run(responses) { server async throws in
                try await row.call(Client(server.url, transport: try Carrier.libcurl.transport()))
                let head = try #require(server.requests.dropFirst().first?.wire?.head)
                let middle = row.isEscaped ? Data(Self.escapes.utf8) : Data(Self.opaque)
                let expected = Data(row.expected.0.utf8) + middle + Data(row.expected.1.utf8)
                #expect(head.range(of: expected) != nil, "\(String(decoding: head, as: UTF8.self).debugDescription)")
            }
        }

        @Test("URLSession rejects a field that is not UTF-8, and the error names the field")
        func urlSession() async throws {
            let field = HTTPField(name: .ifMatch, bytes: [0x22, 0xE9, 0x22])
            let url = try #require(URL(string: "http://127.0.0.1:1/it"))
            let request = HTTPRequest(method: .get, url: url, headerFields: [field])
            let transport = try Carrier.urlSession.transport()
            let error = await #expect(throws: TransportError.self) { try await transport.send(request) }
            #expect(error?.kind == .unsupportedRequest)
            #expect(
                error?.message == "URLSession cannot send If-Match, whose value is not valid UTF-8; use CurlTransport"
            )
        }

        @Test(
            "The text of a field value preserves its bytes",
            arguments: [
                [], Array("plain".utf8), Array("café 🍋".utf8), [0xE9], [0xC3, 0x28], [0xC3], [0xF4, 0x8F, 0xBB],
                Array("\u{10FEE9}".utf8), opaque, [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], Array(0x80...0xFF),
            ] as [[UInt8]]
        )
        func text(_ bytes: [UInt8]) throws {
            let text = FieldText.text(of: bytes)
            #expect(FieldText.bytes(of: text) == bytes)
            let field = HTTPField(name: .eTag, bytes: bytes)
            #expect(field.bytes == bytes)
            // Encoded and decoded, like stored cookies and cursors.
            #expect(try JSONDecoder().decode([String].self, from: JSONEncoder().encode([text])) == [text])
        }

        @Test("Random bytes survive conversion to text and back")
        func random() {
            var generator = SplitMix64(seed: 37)
            for _ in 0..<2000 {
                let bytes = (0..<Int.random(in: 0...9, using: &generator)).map { _ in
                    Bool.random(using: &generator) ? UInt8.random(in: 0x80...0xFF, using: &generator) : 0x61
                }
                #expect(FieldText.bytes(of: FieldText.text(of: bytes)) == bytes)
            }
        }

        @Test("A field that is not UTF-8 is displayed and described as ISO 8859-1")
        func latin1() {
            let field = HTTPField(name: .server, bytes: Array("caf".utf8) + [0xE9])
            #expect(field.latin1Value == "café" && "\(field)" == "Server: café")
            #expect(HTTPField(name: .server, value: "café").latin1Value == "café")
        }

        @Test("A digest response is hashed from the challenge's bytes")
        func hash() {
            #expect(DigestChallenge.Algorithm.md5.sum(FieldText.text(of: [0xE9])) == "3406877694691ddd1dfb0aca54681407")
        }

        /// Distinguishes the first of several requests.
        private final class Counter: Sendable {
            private let count = Locked(0)

            func isFirst() -> Bool {
                count.withLock {
                    $0 += 1
                    return $0 == 1
                }
            }
        }
    }
#endif
