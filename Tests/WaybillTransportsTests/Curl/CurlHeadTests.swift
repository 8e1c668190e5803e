import TestSupport

#if os(Linux)
    import Testing
    import WaybillHTTP

    @testable import WaybillCurl

    @Suite("Heads of responses, read from lines")
    struct CurlHeadTests {
        /// A head with its parts.
        struct Row: Sendable {
            let text: String
            let code: Int
            var reason = ""
            var fields: [String] = []
        }

        static let rows = [
            Row(text: "HTTP/1.1 200 OK\r\n", code: 200, reason: "OK"),
            Row(text: "HTTP/1.1 404 Not Found\r\n", code: 404, reason: "Not Found"),
            Row(text: "HTTP/2 204\r\n", code: 204),
            Row(text: "HTTP/2 204 \r\n", code: 204),
            Row(text: "HTTP/1.1  200  Two  spaces\n", code: 200, reason: "Two  spaces"),
            Row(text: "HTTP/1.1 200 a\rb\r\n", code: 200, reason: "ab"),
            Row(text: "HTTP/1.1 500 Fehler \u{FC}", code: 500, reason: "Fehler ü"),
            // Names that most servers send, in their usual spelling, in another, and with more letters.
            Row(
                text:
                    "HTTP/1.1 200 OK\r\nContent-Type: a/b\r\ncontent-type:c\r\nContent-Typ: d\r\nContent-Types: e\r\n",
                code: 200,
                reason: "OK",
                fields: ["Content-Type: a/b", "content-type: c", "Content-Typ: d", "Content-Types: e"]
            ),
            Row(
                text: "HTTP/1.1 200 \r\nETag: \"1\"\r\nVary: \t a, b \t\r\nAge:\r\nServer : s\r\n",
                code: 200,
                fields: ["ETag: \"1\"", "Vary: a, b", "Age: ", "Server: s"]
            ),
            // Folded lines, also one in front of all fields.
            Row(
                text: "HTTP/1.1 200 \r\n lost\r\nLink: <a>,\r\n <b>,\r\n\t<c>\r\nDate: d\r\n",
                code: 200,
                fields: ["Link: <a>, <b>, <c>", "Date: d"]
            ),
            // Lines without a name do not end a field.
            Row(
                text: "HTTP/1.1 200 \r\nA: 1\r\nno colon\r\n: none\r\nB C: 2\r\n 3\r\n\r\nD: 4\r\n",
                code: 200,
                fields: ["A: 1 3", "D: 4"]
            ),
            Row(text: "HTTP/1.1 200 \r\nA: 1\u{1}2\u{0}3\r\n", code: 200, fields: ["A: 1 2 3"]),
        ]

        @Test("A head has its status, its reason and its fields in their order", arguments: rows)
        func head(row: Row) throws {
            let head = try CurlHead(Array(row.text.utf8), host: "shop.example")
            #expect(head.status.code == row.code)
            #expect(head.status.reasonPhrase == row.reason)
            #expect(head.fields.map { "\($0.name.rawName): \($0.value)" } == row.fields)
        }

        @Test("A head keeps field bytes that are not UTF-8, which are displayed as ISO 8859-1")
        func latin() throws {
            let head = try CurlHead(Array("HTTP/1.1 200 \r\nA: ".utf8) + [0xFC, 0x0D, 0x0A], host: "shop.example")
            #expect(head.fields.map(\.bytes) == [[0xFC]])
            #expect(head.fields.map(\.latin1Value) == ["ü"])
        }

        @Test(
            "A line that is not a status line is no head",
            arguments: ["", "HTTP/1.1", "HTTP/1.1 20\r\n", "ICY 200 OK\r\n"]
        )
        func invalid(text: String) {
            #expect(throws: TransportError.self) { try CurlHead(Array(text.utf8), host: "shop.example") }
        }

        @Test("A known name equals the name that is checked, however it is spelled")
        func knownNames() {
            for text in [
                "Content-Type", "content-type", "Date", "X-Request-Id", "Strict-Transport-Security", "Dat", "",
            ] {
                let known = Array(text.utf8).withUnsafeBytes { HTTPField.Name(knownBytes: $0) }
                guard let known else { continue }
                #expect(known == HTTPField.Name(text))
                #expect(known.rawName == text)
            }
            #expect(Array("Content-Type".utf8).withUnsafeBytes { HTTPField.Name(knownBytes: $0) } != nil)
            #expect(Array("content-type".utf8).withUnsafeBytes { HTTPField.Name(knownBytes: $0) } == nil)
        }
    }
#endif
