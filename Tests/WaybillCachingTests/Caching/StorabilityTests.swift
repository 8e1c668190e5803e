import Foundation
import Testing
@testable import WaybillCaching

@testable import Waybill

@Suite("Storing responses (RFC 9111, section 3)")
struct StorabilityTests {
    static func stored(
        _ lines: [String],
        status: HTTPResponse.Status = 200,
        method: HTTPRequest.Method = .get,
        body: String = "abc",
        change: (inout CallResponse) -> Void = { _ in }
    ) -> StoredResponse? {
        let request = HTTPRequest(method: method, url: URL(fileURLWithPath: "/"))
        let http = HTTPResponse(
            status: status,
            headerFields: HTTPFields(lines: lines),
            body: HTTPBody(Data(body.utf8))
        )
        var response = CallResponse(unsent: http, attempt: 1)
        response.isRead = true
        change(&response)
        return StoredResponse(
            response,
            to: request,
            requestDate: FreshnessTests.exampleDate,
            responseDate: FreshnessTests.exampleDate,
            allowsHeuristicFreshness: true,
            digest: { $0.joined(separator: "|") }
        )
    }

    @Test(
        "A reusable response is stored",
        arguments: [
            (["Cache-Control: max-age=1"], 200), (["ETag: \"a\""], 200), (["ETag: W/\"a\""], 200),
            ([FreshnessTests.hourAgo], 200), (["Cache-Control: max-age=1"], 404), (["Cache-Control: max-age=1"], 302),
            (["Cache-Control: no-cache", "ETag: \"a\""], 200), (["Cache-Control: private, max-age=1"], 200),
            (["Cache-Control: max-age=1", "Content-Length: 3"], 200), (["Cache-Control: max-age=1"], 204),
            (["Cache-Control: max-age=1", "Content-Length: 99", "Content-Encoding: gzip"], 200),
            (["Cache-Control: max-age=1"], 299), (["Cache-Control: max-age=1"], 400),
            (["Cache-Control: max-age=1"], 500), (["Cache-Control: max-age=1"], 599),
            (["Cache-Control: public", FreshnessTests.hourAgo], 599),
            (["Cache-Control: max-age=1, no-store, must-understand"], 200),
        ] as [([String], Int)]
    )
    func kept(lines: [String], code: Int) {
        #expect(Self.stored(lines, status: HTTPResponse.Status(code: code)) != nil)
    }

    @Test(
        "A response that cannot or must not be reused is not stored",
        arguments: [
            ([], 200), (["Cache-Control: no-store, max-age=1"], 200),
            (["Cache-Control: max-age=1", "Cache-Control: no-store"], 200),
            (["Cache-Control: max-age=1, x=\"no-store"], 200), (["Cache-Control: max-age=1", "Vary: *"], 200),
            (["Cache-Control: max-age=1", "Vary: Accept, *"], 200), (["Cache-Control: max-age=1", "Vary: a b"], 200),
            (["ETag: a"], 200), (["Last-Modified: yesterday"], 200), (["Cache-Control: max-age=-1"], 200),
            (["Cache-Control: max-age=1"], 206), (["Cache-Control: max-age=1"], 304),
            (["Cache-Control: max-age=1"], 401), (["Cache-Control: max-age=1"], 429), (["ETag: \"a\""], 302),
            (["Cache-Control: max-age=1, must-understand"], 599), (["ETag: \"a\""], 500), (["ETag: \"a\""], 299),
            (["Cache-Control: max-age=1"], 999), (["Cache-Control: max-age=1", "Content-Length: 4"], 200),
            (["Cache-Control: max-age=1", "Content-Length: x"], 200),
        ] as [([String], Int)]
    )
    func notKept(lines: [String], code: Int) {
        #expect(Self.stored(lines, status: HTTPResponse.Status(code: code)) == nil)
    }

    @Test("Only complete responses to GET are stored")
    func incomplete() {
        let lines = ["Cache-Control: max-age=1"]
        #expect(Self.stored(lines, method: .head) == nil)
        #expect(Self.stored(lines, method: .post) == nil)
        #expect(Self.stored(lines, change: { $0.isRead = false }) == nil)
        #expect(Self.stored(lines, change: { $0.isBodyTruncated = true }) == nil)
        #expect(Self.stored(lines, change: { $0.body = HTTPBody(AsyncStream { $0.finish() }) }) == nil)
    }

    @Test("A stored response has no Set-Cookie and no connection header fields")
    func fields() throws {
        let stored = try #require(
            Self.stored([
                "Cache-Control: max-age=1", "Set-Cookie: a=b", "Connection: X-Hop, close", "X-Hop: 1", "X-End: 2",
                "Keep-Alive: 3", "Transfer-Encoding: chunked",
            ])
        )
        #expect(stored.headerFields.map(\.name.canonicalName) == ["cache-control", "x-end"])
    }

    @Test("A 304 updates the stored fields, except those that describe the body")
    func update() throws {
        let stored = try #require(
            Self.stored(["Cache-Control: max-age=1", "ETag: \"a\"", "Age: 7", "Content-Type: a/b", "X-A: 1", "X-B: 1"])
        )
        let response = HTTPResponse(
            status: 304,
            headerFields: HTTPFields(lines: [
                "Cache-Control: max-age=9", "X-A: 2", "X-A: 3", "Content-Type: c/d", "Content-Length: 0",
                "Set-Cookie: c=d",
            ])
        )
        let later = FreshnessTests.exampleDate.addingTimeInterval(5)
        let updated = stored.updated(by: response, requestDate: later, responseDate: later)
        #expect(updated.headerFields[.cacheControl] == "max-age=9")
        #expect(updated.headerFields["X-A"] == "2, 3")
        #expect(updated.headerFields["X-B"] == "1")
        #expect(updated.headerFields[.contentType] == "a/b")
        #expect(!updated.headerFields.contains(.contentLength))
        #expect(!updated.headerFields.contains(.setCookie))
        #expect(!updated.headerFields.contains(.age))
        #expect(updated.age(at: later) == 0)
        #expect(updated.body == stored.body)
    }

    @Test(
        "A stored response matches a request if the fields in its Vary are equal",
        arguments: [
            ([], ["Accept: a"], ["Accept: b"], true), (["Vary: Accept"], ["Accept: a"], ["Accept: a"], true),
            (["Vary: accept"], ["Accept: a"], ["Accept: b"], false), (["Vary: Accept"], ["Accept: a"], [], false),
            (["Vary: Accept"], [], [], true), (["Vary: Accept"], ["Accept: a"], ["Accept: a", "X-A: 1"], true),
            (["Vary: Accept, X-A"], ["X-A: 1"], ["X-A: 2"], false),
            (["Vary: Accept", "Vary: X-A"], ["X-A: 1"], ["X-A: 2"], false),
            (["Vary: Accept"], ["Accept: a , b"], ["Accept: a,b"], true),
            (["Vary: Accept"], ["Accept: a, b"], ["Accept: b, a"], false),
            (["Vary: Accept"], ["Accept: a", "Accept: b"], ["Accept: a, b"], true),
            (["Vary: X-A"], ["X-A:"], [], false),
            (["Vary: ,"], ["Accept: a"], ["Accept: b"], true),
        ] as [([String], [String], [String], Bool)]
    )
    func vary(vary: [String], first: [String], second: [String], isSame: Bool) throws {
        func request(_ lines: [String]) -> HTTPRequest {
            HTTPRequest(method: .get, url: URL(fileURLWithPath: "/"), headerFields: HTTPFields(lines: lines))
        }
        let digest: ([String]) -> String = { $0.joined(separator: "|") }
        let variant = try #require(Variant(of: HTTPFields(lines: vary), to: request(first), digest: digest))
        #expect(variant.matches(request(second), digest: digest) == isSame)
    }
}
