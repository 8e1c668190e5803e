import Foundation
import Testing
import Waybill

@Suite("HTTP values are valid by construction")
struct HTTPValueTests {
    @Test(
        "Field names and methods are tokens (RFC 9110, section 5.6.2)",
        arguments: [
            ("GET", true), ("x-a_b.c~!#$%&'*+^`|", true), ("", false), ("A B", false), ("A:B", false), ("Ä", false),
            ("A\r\nB", false), ("A\u{0}", false), ("(a)", false), ("a/b", false), ("\"a\"", false),
        ]
    )
    func tokens(text: String, isToken: Bool) {
        #expect((HTTPField.Name(text) != nil) == isToken)
        #expect((HTTPRequest.Method(text) != nil) == isToken)
    }

    @Test(
        "A field value is sanitized so that it cannot break out of its line (RFC 9110, section 5.5)",
        arguments: [
            ("a", "a", true), ("", "", true), ("  a b\t", "a b", true), (" \t", "", true), ("a\tb", "a\tb", true),
            ("ü€", "ü€", true), ("a\r\nb", "a  b", false), ("a\nb", "a b", false), ("a\rb", "a b", false),
            ("a\u{0}b", "a b", false), ("\u{7F}", "", false), ("a\u{1B}", "a", false), ("\nü\n", "ü", false),
        ]
    )
    func values(text: String, value: String, isValid: Bool) {
        #expect(HTTPField(name: .accept, value: text).value == value)
        #expect(HTTPField.isValid(value: text) == isValid)
        var fields = HTTPFields()
        fields[.accept] = text
        #expect(fields[.accept] == value)
    }

    @Test("A sensitive field prints without its value, and stays sensitive when its value is replaced")
    func sensitive() throws {
        let name = try #require(HTTPField.Name("X-Key"))
        let field = HTTPField(name: name, value: "s3cret", isSensitive: true)
        #expect(field == HTTPField(name: name, value: "s3cret"))
        var fields: HTTPFields = [HTTPField(name: .accept, value: "a"), field]
        #expect("\(fields)" == "Accept: a\nX-Key: ‹redacted›")
        fields[name] = "other"
        #expect("\(fields)" == "Accept: a\nX-Key: ‹redacted›")
        #expect(fields[name] == "other")
        fields[name] = nil
        fields[name] = "shown"
        #expect("\(fields)" == "Accept: a\nX-Key: shown")
    }

    @Test("Field names compare case-insensitively and preserve their spelling")
    func names() throws {
        let upper = try #require(HTTPField.Name("ETAG"))
        #expect(upper == .eTag)
        #expect(Set([upper, .eTag]).count == 1)
        #expect(upper.rawName == "ETAG")
        #expect(upper.canonicalName == "etag")
    }

    @Test("Header fields keep order and duplicates, and values of one name are joined by commas or listed")
    func fields() throws {
        var fields: HTTPFields = [
            HTTPField(name: .link, value: "a"), HTTPField(name: .accept, value: "x"),
            HTTPField(name: .link, value: "b"),
        ]
        #expect(fields[.link] == "a, b")
        #expect(fields[values: .link] == ["a", "b"])
        #expect(fields[.eTag] == nil)
        fields[.link] = "c"
        #expect(fields.map(\.description) == ["Link: c", "Accept: x"])
        fields[.link] = "mended\r\n"
        #expect(fields[.link] == "mended")
        fields[.eTag] = "\"1\""
        #expect(fields.last?.name == .eTag)
        fields[.link] = nil
        #expect(!fields.contains(.link))
        #expect(fields.count == 2)
    }

    @Test("A header field is set and removed by its name as text; a name that is not a token has no effect")
    func fieldsByText() {
        var fields: HTTPFields = []
        fields["X-One"] = "1"
        fields["x-one"] = "2"
        fields["Accept"] = "a/b"
        fields["no token"] = "3"
        #expect(fields.map(\.description) == ["x-one: 2", "Accept: a/b"])
        #expect(fields["X-ONE"] == "2")
        #expect(fields["no token"] == nil)
        fields["X-One"] = nil
        #expect(fields.map(\.description) == ["Accept: a/b"])
    }

    @Test("A status is identified by its code, and has a kind and a registered reason phrase")
    func statuses() {
        #expect(HTTPResponse.Status(code: 200, reasonPhrase: "Fine") == 200)
        let kinds: [(HTTPResponse.Status, HTTPResponse.Status.Kind)] = [
            (101, .informational), (204, .successful), (304, .redirection), (404, .clientError), (599, .serverError),
            (99, .invalid), (600, .invalid), (-1, .invalid),
        ]
        for (status, kind) in kinds { #expect(status.kind == kind) }
        #expect("\(HTTPResponse.Status(code: 404))" == "404 Not Found")
        #expect("\(HTTPResponse.Status(code: 299, reasonPhrase: "Odd"))" == "299 Odd")
        #expect("\(HTTPResponse.Status(code: 299))" == "299")
    }

    @Test("Methods are classified as safe and idempotent (RFC 9110, section 9.2)")
    func methods() {
        #expect([.get, .head, .options, .trace].allSatisfy { (method: HTTPRequest.Method) in method.isSafe })
        #expect([.put, .delete].allSatisfy { (method: HTTPRequest.Method) in method.isIdempotent && !method.isSafe })
        #expect([.post, .patch].allSatisfy { (method: HTTPRequest.Method) in !method.isIdempotent })
    }

    @Test("An origin defaults to its scheme's port, and compares case-insensitively")
    func origins() {
        #expect(HTTPRequest.Origin("https://A.example/x") == HTTPRequest.Origin("HTTPS://a.example:443"))
        #expect(HTTPRequest.Origin("http://a.example") != HTTPRequest.Origin("https://a.example"))
        #expect(HTTPRequest.Origin("https://a.example:444")?.description == "https://a.example:444")
        #expect(HTTPRequest.Origin("http://a.example:80")?.description == "http://a.example")
        #expect(HTTPRequest.Origin("a.example") == nil)
        #expect(HTTPRequest.Origin("/a") == nil)
    }

    @Test("An in-memory body can be read repeatedly, and fails beyond a limit")
    func bytes() async throws {
        let body = HTTPBody(Data("abc".utf8))
        #expect(body.length == 3)
        #expect(body.isReplayable)
        for _ in 1...2 { #expect(try await body.collect() == Data("abc".utf8)) }
        await #expect(throws: TransportError.self) { try await body.collect(upTo: 2) }
        #expect(try await HTTPBody().collect().isEmpty)
    }

    @Test("A chunked body skips empty chunks, fails beyond a limit, and wraps errors in TransportError")
    func chunks() async throws {
        struct Broken: Error {}
        let chunks = AsyncThrowingStream<Data, any Error> { continuation in
            for text in ["a", "", "bc"] { continuation.yield(Data(text.utf8)) }
            continuation.finish(throwing: Broken())
        }
        var read: [Data] = []
        do throws(TransportError) {
            var iterator = HTTPBody(chunks).makeAsyncIterator()
            while let chunk = try await iterator.next() { read.append(chunk) }
            Issue.record("expected an error")
        } catch {
            #expect(error.kind == .other)
            #expect(error.underlying is Broken)
        }
        #expect(read == [Data("a".utf8), Data("bc".utf8)])

        let endless = AsyncStream<Data> { Data("x".utf8) }
        do throws(TransportError) {
            _ = try await HTTPBody(endless).collect(upTo: 10)
            Issue.record("expected an error")
        } catch {
            #expect(error.kind == .bodyTooLarge)
            #expect(error.description == "the body is too large: it has more than 10 bytes")
        }
    }
}
