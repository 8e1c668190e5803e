import Foundation
import Testing
import Waybill

@testable import WaybillTesting

@Suite("Response serializer")
struct ResponseSerializerTests {
    struct Case: CustomTestStringConvertible {
        let name: String
        let response: StubResponse
        let request: ResponseSerializer.Request
        let script: String

        var testDescription: String { name }

        init(
            _ name: String,
            _ response: StubResponse,
            to method: HTTPRequest.Method = .get,
            version: Int = 1,
            persistent: Bool = true,
            _ script: String
        ) {
            self.name = name
            self.response = response
            request = .init(method: method, minorVersion: version, isPersistent: persistent)
            self.script = script
        }
    }

    static let abc = StubResponse(body: Data("abcde".utf8))
    static let head = "HTTP/1.1 200 OK|Content-Length: 5||"
    static let chunkedHead = "HTTP/1.1 200 OK|Transfer-Encoding: chunked||"
    static let lying = abc.header("Content-Length", "9")

    /// The responses and their scripts: the sent bytes (line breaks as `|`), the waits, and the ending.
    static let cases = [
        Case("a body with its length", abc, "\(head)abcde keepAlive"),
        Case("no body for HEAD", abc, to: .head, "\(head) keepAlive"),
        Case("no body for 204", StubResponse(status: 204, body: abc.body), "HTTP/1.1 204 No Content|| keepAlive"),
        Case("no body for 304", StubResponse(status: 304, body: abc.body), "HTTP/1.1 304 Not Modified|| keepAlive"),
        Case("an empty body", StubResponse(), "HTTP/1.1 200 OK|Content-Length: 0|| keepAlive"),
        Case(
            "a reason phrase of its own",
            StubResponse(status: .init(code: 299, reasonPhrase: "Fine so far")),
            "HTTP/1.1 299 Fine so far|Content-Length: 0|| keepAlive"
        ),
        Case("no reason phrase", StubResponse(status: 299), "HTTP/1.1 299 |Content-Length: 0|| keepAlive"),
        Case(
            "fields as spelled",
            abc.header("x-B", "1").header("A", "2"),
            "HTTP/1.1 200 OK|x-B: 1|A: 2|Content-Length: 5||abcde keepAlive"
        ),
        Case(
            "a client that closes",
            abc,
            persistent: false,
            "HTTP/1.1 200 OK|Content-Length: 5|Connection: close||abcde close"
        ),
        Case(
            "a persistent HTTP/1.0 client",
            abc,
            version: 0,
            "HTTP/1.1 200 OK|Content-Length: 5|Connection: keep-alive||abcde keepAlive"
        ),
        Case("a length that lies", lying, "HTTP/1.1 200 OK|Content-Length: 9|Connection: close||abcde close"),
        Case("a length that lies about no body", lying, to: .head, "HTTP/1.1 200 OK|Content-Length: 9|| keepAlive"),
        Case("closing", abc.closing(), "HTTP/1.1 200 OK|Content-Length: 5|Connection: close||abcde close"),
        Case("closing without a word", abc.closing(announced: false), "\(head)abcde close"),
        Case("chunked", abc.chunked(), "\(chunkedHead)5|abcde|0|| keepAlive"),
        Case("small chunks", abc.chunked(bytes: 2), "\(chunkedHead)2|ab|2|cd|1|e|0|| keepAlive"),
        Case("chunks of no size", abc.chunked(bytes: 0).truncated(afterBytes: 1), "\(chunkedHead)1|a|1| close"),
        Case("an empty chunked body", StubResponse().chunked(), "\(chunkedHead)0|| keepAlive"),
        Case("chunked for HEAD", abc.chunked(), to: .head, "\(chunkedHead) keepAlive"),
        Case(
            "chunked for HTTP/1.0",
            abc.chunked(),
            version: 0,
            "HTTP/1.1 200 OK|Connection: close||abcde close"
        ),
        Case("truncated", abc.truncated(afterBytes: 2), "\(head)ab close"),
        Case("truncated at the start", abc.truncated(afterBytes: -1), "\(head) close"),
        Case("truncated at the end", abc.truncated(afterBytes: 9), "HTTP/1.1 200 OK|Content-Length: 6||abcde close"),
        Case(
            "truncated inside a chunk",
            abc.chunked(bytes: 3).truncated(afterBytes: 4),
            "\(chunkedHead)3|abc|2|d close"
        ),
        Case(
            "truncated between chunks",
            abc.chunked(bytes: 3).truncated(afterBytes: 3),
            "\(chunkedHead)3|abc|2| close"
        ),
        Case("truncated before the last chunk", abc.chunked().truncated(afterBytes: 5), "\(chunkedHead)5|abcde| close"),
        Case("reset before the head", abc.reset(.beforeHead), " reset"),
        Case("reset inside the head", abc.reset(.insideHead), "HTTP/1.1 200 OK|Content-Le reset"),
        Case("reset after the head", abc.reset(.afterHead), "\(head) reset"),
        Case("reset inside the body", abc.reset(.insideBody), "\(head)ab reset"),
        Case(
            "reset inside an empty body",
            StubResponse().reset(.insideBody),
            "HTTP/1.1 200 OK|Content-Length: 1|| reset"
        ),
        Case("closed before the head", abc.closed(.beforeHead), " close"),
        Case("closed inside the head", abc.closed(.insideHead), "HTTP/1.1 200 OK|Content-Le close"),
        Case("raw", .raw("x\r\n"), "x| close"),
        Case("raw, kept open", .raw("x", closing: false), "x keepAlive"),
        Case("raw, cut", .raw("abc").reset(.afterBodyBytes(1)), "a reset"),
        Case("garbage", .garbage, "this is not HTTP|| close"),
        Case("never", .never, "<forever>HTTP/1.1 200 OK|Content-Length: 0|| keepAlive"),
        Case(
            "delayed",
            abc.delayed(.seconds(1)).delayed(.seconds(2)),
            "<1.0 seconds><2.0 seconds>\(head)abcde keepAlive"
        ),
        Case("a late body", abc.bodyDelayed(.seconds(1)), "\(head)<1.0 seconds>abcde keepAlive"),
        Case("a late body that is cut", abc.bodyHeld(by: Gate()).reset(.afterHead), "\(head)<gate> reset"),
        Case("a late body for HEAD", abc.bodyNever(), to: .head, "\(head) keepAlive"),
        Case("dripped", abc.dripped(bytes: 2, every: .seconds(1)), "\(head)<2 every 1.0 seconds>abcde keepAlive"),
        Case(
            "dripped in chunks",
            abc.chunked().dripped(bytes: 0, every: .zero),
            "\(chunkedHead)<1 every 0.0 seconds>5|abcde|0|| keepAlive"
        ),
        Case(
            "late bytes",
            abc.followed(by: Array("late".utf8), after: .seconds(1), opening: Gate()),
            "\(head)abcde<1.0 seconds>late<open> keepAlive"
        ),
        Case("late bytes at once", abc.followed(by: Array("late".utf8)), "\(head)abcdelate keepAlive"),
        Case("a failure", .failure(TransportError(.timedOut)), " reset"),
    ]

    @Test("The response serializer writes the expected bytes, waits and ending", arguments: cases)
    func writes(_ test: Case) {
        let serializer = ResponseSerializer(test.response, to: test.request)
        let steps = serializer.steps.map { step in
            switch step {
            case .send(let bytes): text(bytes)
            case .drip(let bytes, let drip): "<\(drip.bytes) every \(drip.pause)>\(text(bytes))"
            case .wait(.duration(let duration)): "<\(duration)>"
            case .wait(.gate): "<gate>"
            case .wait(.forever): "<forever>"
            case .open: "<open>"
            }
        }
        #expect(steps.joined() + " \(serializer.ending)" == test.script)
    }

    @Test("The response serializer does not copy a large body after its head")
    func keepsLargeBodyApart() {
        let response = StubResponse(body: Data(count: 1 << 20))
        #expect(ResponseSerializer(response, to: .init(method: .get)).steps.count == 2)
    }

    private func text(_ bytes: Data) -> String {
        String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "|")
    }
}
