import CallSupport
import Foundation
import TestSupport
import Testing
import WaybillTesting

@testable import Waybill

@Suite("Removal of values from text")
struct RemovedValuesTests {
    struct Row: CustomTestStringConvertible {
        var testDescription: String { text }
        let values: [String]
        let text: String
        let shown: String

        init(_ values: [String], _ text: String, _ shown: String) {
            (self.values, self.text, self.shown) = (values, text, shown)
        }
    }

    @Test(
        "A removed value is found in every escaped form, and nothing else is removed",
        arguments: [
            Row(["a\"b"], #"x a"b y"#, "x ‹› y"),
            Row(["a\"b"], #""x a\"b y""#, #""x ‹› y""#),
            Row(["a\"b"], #"{"x":"{\"y\":\"a\\\"b\"}"}"#, #"{"x":"{\"y\":\"‹›\"}"}"#),
            Row([#"a\"#], #""a\\""#, #""‹›""#),
            Row([#"a\"#], #"\"a\\\\\""#, #"\"‹›\""#),
            Row([#"a\nb"#], #"a\nb a\\nb"#, "‹› ‹›"),
            Row(["a\nb"], #"a\nb a\\nb a\u000ab a\u{A}b"#, "‹› ‹› ‹› ‹›"),
            Row(["a/b"], #"a\/b a%2Fb a%2fb"#, "‹› ‹› ‹›"),
            Row(["a b+"], "a+b%2B a%20b+", "‹› ‹›"),
            Row(["a%b"], "a%b a%25b", "‹› ‹›"),
            Row(["a&b<"], "a&amp;b&lt; a&#38;b&#x3C;", "‹› ‹›"),
            Row(
                ["é\u{1F600}"],
                #"\u00e9\ud83d\ude00 %C3%A9%F0%9F%98%80 \u{e9}\u{1F600} \xe9\U0001F600"#,
                "‹› ‹› ‹› ‹›"
            ),
            Row(["caf\u{E9}"], "cafe\u{301}", "‹›"),
            Row(["cafe\u{301}"], "caf\u{E9}", "‹›"),
            Row(["abcd", "cdefgh"], "abcdefgh abcd", "‹› ‹›"),
            Row(["abcd", "abcdef"], "abcdefg", "‹›g"),
            Row(["abc"], #"C:\abc \x61bc \u0061bc"#, #"C:\‹› ‹› ‹›"#),
            Row(["abc"], #"ab\ ab% ab%2 ab& ab&#; ab&#x; \u \u{ \x \ud83d \ud83d\u0041 \U00110000 %"#, "same"),
            Row(["abc", ""], "", ""),
            Row([], "abc", "abc"),
        ]
    )
    func removed(_ row: Row) {
        let shown = row.shown == "same" ? row.text : row.shown.replacingOccurrences(of: "‹›", with: Redaction.mark)
        #expect(Redaction.removing(row.values, from: row.text) == shown)
    }

    struct Holder: Decodable, Sendable { let id: Int }

    @Test(
        "An excerpt that truncates a removed value shows no part of it",
        arguments: [#"s3cret-"12345678-abcdef"#, "s3cret-éüöäßñ-zyxwv"]
    )
    func cut(secret: String) async throws {
        let written = secret.utf16.map { unit in
            unit > 0x22 && unit < 0x7F
                ? String(decoding: [unit], as: UTF16.self) : String(format: "\\u%04x", Int(unit))
        }.joined()
        // Every piece that is too long to occur by chance.
        let pieces = secret.split { !$0.isASCII || $0 == "\"" }.flatMap { part in
            part.indices.dropLast(4).map { Data(part[$0...].prefix(5).utf8) }
        }
        #expect(!pieces.isEmpty)
        for length in stride(from: 0, to: 90, by: Thoroughness.repetitions(3, otherwise: 60)) {
            let filler = String(repeating: "=", count: length)
            for body in [
                #"{"id":"\#(filler)\#(written)"}"#, #"{"a":"\#(written)\#(filler)","id":"x"}"#,
                #"{"id":"x","a":"\#(filler)\#(written)\#(filler)"}"#,
            ] {
                let client = Client(Shop.url, transport: StubTransport { _ in .json(body) }) {
                    Authorization(.basic(user: "a", password: secret))
                }
                let error = await failure { try await client.get("a", as: Holder.self) }
                // Built once, because each description takes several milliseconds here.
                let text = try #require(error).description
                let bytes = Data(text.utf8)
                for piece in pieces { #expect(bytes.firstRange(of: piece) == nil, "\(text)") }
            }
        }
    }

    @Test("A removed value does not appear in logged fields and URLs", arguments: ["", "https://other.example"])
    func fields(origin: String) async throws {
        let lines = Lines()
        let stub = StubTransport { request in
            request.path == "/v1/a"
                ? .redirect(to: "\(origin)/v1/b?why=no+p%22s3cret%5c").header("X-Reason", #"no "p\"s3cret\\""#)
                : .json("1").header("X-Reason", #"p"s3cret\"#)
        }
        let client = Client(Shop.url, transport: stub) {
            Authorization(.basic(user: "a", password: #"p"s3cret\"#))
            Observe(RequestLog(.headers) { lines.add($0) })
        }
        #expect(try await client.get("a", as: Int.self) == 1)
        #expect(lines.all.joined().contains("X-Reason: ‹redacted›"))
        #expect(lines.all.joined().contains("/v1/b?why=no+‹redacted›"))
        for line in lines.all { #expect(!line.contains("s3cret"), "\(line)") }
    }
}
