import Foundation
import TestSupport
import Testing
import Waybill

@testable import WaybillTesting
@testable import WaybillURLSession

@Suite("Request parser", .inTurn)
struct RequestParserTests {
    /// A request as text, or the status of its rejection.
    enum Outcome: Equatable {
        case request(_ line: String, body: String = "", trailer: String = "")
        case rejected(Int)
        case incomplete
    }

    struct Case: CustomTestStringConvertible {
        let name: String
        let bytes: String
        let outcomes: [Outcome]
        var limits = LoopbackServer.Limits(headBytes: 200, bodyBytes: 20)

        var testDescription: String { name }

        init(_ name: String, _ bytes: String, _ outcomes: Outcome...) {
            self.name = name
            self.bytes = bytes
            self.outcomes = outcomes
        }
    }

    static let host = "Host: h\r\n"

    static let accepted = [
        Case("without a body", "GET / HTTP/1.1\r\n\(host)\r\n", .request("GET /")),
        Case(
            "with a length",
            "PUT /a HTTP/1.1\r\n\(host)Content-Length: 3\r\n\r\nabc",
            .request("PUT /a", body: "abc")
        ),
        Case("with length 0", "PUT /a HTTP/1.1\r\n\(host)Content-Length: 0\r\n\r\n", .request("PUT /a")),
        Case(
            "several on a connection",
            "POST /a HTTP/1.1\r\n\(host)Content-Length: 1\r\n\r\naGET /b HTTP/1.1\r\n\(host)\r\n",
            .request("POST /a", body: "a"),
            .request("GET /b")
        ),
        Case("behind empty lines", "\r\n\r\nGET / HTTP/1.1\r\n\(host)\r\n", .request("GET /")),
        Case(
            "chunked",
            "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n",
            .request("POST /", body: "abcde")
        ),
        Case(
            "chunked in upper case, with extensions and leading zeros",
            "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: Chunked\r\n\r\n00A;x=\"y\"\r\n0123456789\r\n000\r\n\r\n",
            .request("POST /", body: "0123456789")
        ),
        Case(
            "chunked with a trailer, and another behind it",
            "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nSum: 1\r\nB: 2\r\n\r\n"
                + "GET /b HTTP/1.1\r\n\(host)\r\n",
            .request("POST /", body: "a", trailer: "Sum: 1|B: 2"),
            .request("GET /b")
        ),
        Case("of HTTP/1.0, which needs no Host", "GET / HTTP/1.0\r\n\r\n", .request("GET /")),
        Case("with a whole URL", "GET http://h/a?b HTTP/1.1\r\n\(host)\r\n", .request("GET http://h/a?b")),
        Case("for the server itself", "OPTIONS * HTTP/1.1\r\n\(host)\r\n", .request("OPTIONS *")),
        Case("with an unknown method", "BREW /pot HTTP/1.1\r\n\(host)\r\n", .request("BREW /pot")),
        Case("as large as allowed", head(bytes: 200), .request("GET /")),
        Case("whose head is incomplete", "GET / HTTP/1.1\r\n\(host)", .incomplete),
        Case("whose body is incomplete", "PUT / HTTP/1.1\r\n\(host)Content-Length: 3\r\n\r\nab", .incomplete),
        Case(
            "whose last chunk is missing",
            "PUT / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n",
            .incomplete
        ),
    ]

    static let rejected = [
        Case("a line break that is an LF", "GET / HTTP/1.1\nHost: h\n\n", .rejected(400)),
        Case("a line break that is a CR", "GET / HTTP/1.1\rX: y\r\n\(host)\r\n", .rejected(400)),
        Case("an empty line of an LF", "\nGET / HTTP/1.1\r\n\(host)\r\n", .rejected(400)),
        Case("no version", "GET /\r\n\(host)\r\n", .rejected(400)),
        Case("two spaces", "GET  / HTTP/1.1\r\n\(host)\r\n", .rejected(400)),
        Case("a space in the target", "GET /a b HTTP/1.1\r\n\(host)\r\n", .rejected(400)),
        Case("a fragment in the target", "GET /a#b HTTP/1.1\r\n\(host)\r\n", .rejected(400)),
        Case("a target beyond ASCII", "GET /ä HTTP/1.1\r\n\(host)\r\n", .rejected(400)),
        Case("a relative target", "GET a HTTP/1.1\r\n\(host)\r\n", .rejected(400)),
        Case("an asterisk for another method than OPTIONS", "GET * HTTP/1.1\r\n\(host)\r\n", .rejected(400)),
        Case("a method that is not a token", "G(T / HTTP/1.1\r\n\(host)\r\n", .rejected(400)),
        Case("another protocol", "GET / SPDY/3\r\n\(host)\r\n", .rejected(400)),
        Case("HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", .rejected(505)),
        Case("no Host", "GET / HTTP/1.1\r\n\r\n", .rejected(400)),
        Case("two Hosts", "GET / HTTP/1.1\r\n\(host)\(host)\r\n", .rejected(400)),
        Case("a field without a colon", "GET / HTTP/1.1\r\n\(host)oops\r\n\r\n", .rejected(400)),
        Case("a space before the colon", "GET / HTTP/1.1\r\n\(host)A : b\r\n\r\n", .rejected(400)),
        Case("a folded field", "GET / HTTP/1.1\r\n\(host)A: b\r\n c\r\n\r\n", .rejected(400)),
        Case("a control character in a value", "GET / HTTP/1.1\r\n\(host)A: b\u{0}c\r\n\r\n", .rejected(400)),
        Case("a length that is not a number", "PUT / HTTP/1.1\r\n\(host)Content-Length: +3\r\n\r\nabc", .rejected(400)),
        Case(
            "two lengths",
            "PUT / HTTP/1.1\r\n\(host)Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
            .rejected(400)
        ),
        Case(
            "a length and a coding",
            "PUT / HTTP/1.1\r\n\(host)Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            .rejected(400)
        ),
        Case("a coding in HTTP/1.0", "PUT / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", .rejected(400)),
        Case("an unknown coding", "PUT / HTTP/1.1\r\n\(host)Transfer-Encoding: gzip\r\n\r\n", .rejected(501)),
        Case("a length beyond the limit", "PUT / HTTP/1.1\r\n\(host)Content-Length: 21\r\n\r\n", .rejected(413)),
        Case(
            "a length beyond any number",
            "PUT / HTTP/1.1\r\n\(host)Content-Length: 99999999999999999999999\r\n\r\n",
            .rejected(413)
        ),
        Case("a chunk beyond the limit", chunked("15\r\n"), .rejected(413)),
        Case("chunks that are beyond the limit together", chunked("A\r\n0123456789\r\nB\r\n"), .rejected(413)),
        Case("a size that is not a number", chunked("x\r\n"), .rejected(400)),
        Case("a negative size", chunked("-1\r\n"), .rejected(400)),
        Case("no size", chunked("\r\n"), .rejected(400)),
        Case("a size beyond any number", chunked("FFFFFFFFFFFFFFFFF\r\n"), .rejected(400)),
        Case("a chunk that is longer than its size", chunked("1\r\nabc\r\n"), .rejected(400)),
        Case("an endless extension", chunked("1;" + String(repeating: "x", count: 2000)), .rejected(400)),
        Case("a bad trailer", chunked("0\r\noops\r\n\r\n"), .rejected(400)),
        Case("a large trailer", chunked("0\r\nA: " + String(repeating: "x", count: 300)), .rejected(431)),
        Case("a head beyond the limit", head(bytes: 201), .rejected(431)),
        Case("a request line beyond the limit", "GET /" + String(repeating: "x", count: 300), .rejected(414)),
    ]

    static func chunked(_ body: String) -> String {
        "PUT / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n" + body
    }

    static func head(bytes: Int) -> String {
        let rest = "GET / HTTP/1.1\r\n\(host)X: \r\n\r\n"
        return rest.replacing("X: ", with: "X: " + String(repeating: "x", count: bytes - rest.utf8.count))
    }

    @Test("The request parser reads a request", arguments: accepted)
    func accepts(_ test: Case) { #expect(outcomes(of: [Array(test.bytes.utf8)], test.limits) == test.outcomes) }

    @Test("The request parser rejects an invalid request", arguments: rejected)
    func rejects(_ test: Case) { #expect(outcomes(of: [Array(test.bytes.utf8)], test.limits) == test.outcomes) }

    @Test(
        "The request parser returns the same result for any split of the bytes",
        arguments: Thoroughness.some(accepted + rejected, oneIn: 3)
    )
    func splits(_ test: Case) async {
        let bytes = Array(test.bytes.utf8)
        for index in bytes.indices {
            await Task.yield()
            let pieces = [Array(bytes[..<index]), Array(bytes[index...])]
            #expect(outcomes(of: pieces, test.limits) == test.outcomes, "split at \(index)")
        }
        #expect(outcomes(of: bytes.map { [$0] }, test.limits) == test.outcomes, "byte by byte")
    }

    @Test("The request parser rejects everything after a rejection")
    func staysRejected() throws {
        var parser = RequestParser()
        parser.append(Array("oops\r\n\r\n".utf8))
        #expect(throws: RequestRejection.self) { try parser.next() }
        parser.append(Array("GET / HTTP/1.1\r\nHost: h\r\n\r\n".utf8))
        #expect(throws: RequestRejection.self) { try parser.next() }
    }

    @Test("The request parser keeps the head's bytes, and the order and spelling of fields")
    func keepsBytes() throws {
        let text = "GET /a HTTP/1.1\r\nhOST: h\r\nB:  2\t\r\na: 1\r\nb: caf\u{e9}\r\n\r\n"
        var parser = RequestParser()
        parser.append(Array(text.utf8))
        guard case .head(let head) = try parser.next() else { throw RequestRejection.malformed("no head") }
        #expect(head.bytes == Data(text.utf8))
        #expect(head.headerFields.map(\.description) == ["hOST: h", "B: 2", "a: 1", "b: café"])
    }

    @Test("The request parser keeps field bytes that are not UTF-8 and decodes them as ISO 8859-1")
    func readsLatin() throws {
        var parser = RequestParser()
        parser.append(Array("GET / HTTP/1.0\r\nA: caf".utf8) + [0xE9] + Array("\r\n\r\n".utf8))
        guard case .head(let head) = try parser.next() else { throw RequestRejection.malformed("no head") }
        #expect(head.headerFields.map(\.bytes) == [Array("caf".utf8) + [0xE9]])
        #expect(head.headerFields.map(\.latin1Value) == ["café"])
    }

    @Test(
        "The request parser reads whether the connection persists and whether the client expects a 100",
        arguments: [
            ("GET / HTTP/1.1\r\nHost: h\r\n\r\n", true, false),
            ("GET / HTTP/1.1\r\nHost: h\r\nConnection: keep-alive, Close\r\n\r\n", false, false),
            ("GET / HTTP/1.0\r\n\r\n", false, false),
            ("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", true, false),
            ("PUT / HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nExpect: 100-Continue\r\n\r\n", true, true),
            ("PUT / HTTP/1.0\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\n", false, false),
        ]
    )
    func readsConnection(_ text: String, isPersistent: Bool, expectsContinue: Bool) throws {
        var parser = RequestParser()
        parser.append(Array(text.utf8))
        guard case .head(let head) = try parser.next() else { throw RequestRejection.malformed("no head") }
        #expect(head.isPersistent == isPersistent)
        #expect(head.expectsContinue == expectsContinue)
    }

    @Test(
        "The request parser reads the path and query from the target",
        arguments: [
            ("/", "/", nil), ("/a/b/?", "/a/b/", ""), ("/a?b=/c?d", "/a", "b=/c?d"), ("http://h:1/a?b", "/a", "b"),
            ("http://h", "/", nil), ("http://h?b", "/", "b"), ("/a://b", "/a://b", nil),
        ] as [(String, String, String?)]
    )
    func readsTarget(_ target: String, path: String, query: String?) throws {
        var parser = RequestParser()
        parser.append(Array("GET \(target) HTTP/1.0\r\n\r\n".utf8))
        guard case .head(let head) = try parser.next() else { throw RequestRejection.malformed("no head") }
        #expect(head.path == path)
        #expect(head.query == query)
    }

    private func outcomes(of pieces: [[UInt8]], _ limits: LoopbackServer.Limits) -> [Outcome] {
        var parser = RequestParser(limits: limits)
        var outcomes: [Outcome] = []
        var line: String?
        var body = Data()
        for piece in pieces {
            parser.append(piece)
            do {
                while let event = try parser.next() {
                    switch event {
                    case .head(let head): (line, body) = ("\(head.method) \(head.target)", Data())
                    case .body(let piece): body += piece
                    case .end(let trailer):
                        let fields = trailer.map(\.description).joined(separator: "|")
                        outcomes.append(
                            .request(line ?? "", body: String(decoding: body, as: UTF8.self), trailer: fields)
                        )
                        line = nil
                    }
                }
            } catch {
                return outcomes + [.rejected(error.status.code)]
            }
        }
        return line != nil || parser.hasUnreadBytes ? outcomes + [.incomplete] : outcomes
    }
}
