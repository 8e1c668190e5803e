import TestSupport

#if os(Linux)
    import Testing
    import WaybillHTTP

    @testable import WaybillCurl

    @Suite("Response heads parsed from lines")
    struct CurlHeadTests {
        /// A head and its expected parts.
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
            // Common field names: in their usual spelling, in another case, and with one letter fewer or more.
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
            // Folded lines, including one before the first field.
            Row(
                text: "HTTP/1.1 200 \r\n lost\r\nLink: <a>,\r\n <b>,\r\n\t<c>\r\nDate: d\r\n",
                code: 200,
                fields: ["Link: <a>, <b>, <c>", "Date: d"]
            ),
            // A line without a name does not end the previous field.
            Row(
                text: "HTTP/1.1 200 \r\nA: 1\r\nno colon\r\n: none\r\nB C: 2\r\n 3\r\n\r\nD: 4\r\n",
                code: 200,
                fields: ["A: 1 3", "D: 4"]
            ),
            Row(text: "HTTP/1.1 200 \r\nA: 1\u{1}2\u{0}3\r\n", code: 200, fields: ["A: 1 2 3"]),
        ]

        @Test("A head has its status, its reason phrase and its fields in order", arguments: rows)
        func head(row: Row) throws {
            let head = try CurlHead(Array(row.text.utf8), host: "shop.example")
            #expect(head.status.code == row.code)
            #expect(head.status.reasonPhrase == row.reason)
            #expect(head.fields.map { "\($0.name.rawName): \($0.value)" } == row.fields)
        }

        @Test("A head keeps field bytes that are not UTF-8 and shows them as ISO 8859-1")
        func latin() throws {
            let head = try CurlHead(Array("HTTP/1.1 200 \r\nA: ".utf8) + [0xFC, 0x0D, 0x0A], host: "shop.example")
            #expect(head.fields.map(\.bytes) == [[0xFC]])
            #expect(head.fields.map(\.latin1Value) == ["ü"])
        }

        @Test(
            "A text without a valid status line is rejected",
            arguments: ["", "HTTP/1.1", "HTTP/1.1 20\r\n", "ICY 200 OK\r\n"]
        )
        func invalid(text: String) {
            #expect(throws: TransportError.self) { try CurlHead(Array(text.utf8), host: "shop.example") }
        }

        @Test("A known field name equals the parsed name and keeps its spelling")
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
