import Foundation
import Testing
import Waybill
import WaybillCaching
import WaybillFiles
import WaybillTesting

@Suite("Traffic reports")
struct ReportTests {
    private let url = URL(string: "https://shop.example") ?? URL(fileURLWithPath: "/")

    /// Returns a recorder of a retried call, a call served from the cache and a failed call.
    private func traffic() async throws -> TrafficRecorder {
        let traffic = TrafficRecorder()
        let stub = StubTransport([
            "GET items": .sequence([.status(503), .json(#"{"a":[1,{"b":"c"}],"token":"s3cret-of-server"}"#)]),
            "GET stock": .json("3").header("Cache-Control", "max-age=60"),
            "POST orders": .json(#"{"title": "sold out"}"#, status: 422),
        ])
        let client = Client(url, transport: stub) {
            Authorization(.bearer("s3cret-of-app"))
            Cached(in: HTTPCache(maximumBytes: 1_000_000))
            Retry(attempts: 2, backoff: .none)
            Use(traffic, around: .eachAttempt)
            Observe(traffic)
        }
        _ = try await client.get("items", as: JSONValue.self)
        for _ in 1...2 { _ = try await client.get("stock", as: Int.self) }
        await #expect(throws: APIError.self) {
            try await client.post("orders", body: ["password": "hunter22"] as JSONValue, as: JSONValue.self)
        }
        return traffic
    }

    @Test("A report contains the calls with attempts, cache hits, errors and messages, but no secret")
    func content() async throws {
        let html = try await traffic().report.html
        for text in [
            "Traffic of shop.example", "4 calls", "1 failed", "1 from a cache", "<bdi>/items</bdi>", "2 attempts",
            "Attempt 1: 503", "Attempt 2: 200", "from the cache", "✕ 422", "again in 0 ms", "Response body",
            "{\n  &quot;a&quot;: [\n    1,\n    {\n      &quot;b&quot;: &quot;c&quot;\n    }\n  ],",
            "&quot;password&quot;: &quot;‹redacted›&quot;",
        ] { #expect(html.contains(text), "\(text)") }
        for secret in ["s3cret-of-app", "s3cret-of-server", "hunter22"] { #expect(!html.contains(secret)) }
    }

    @Test("A report is self-contained: it loads nothing, and its policy allows only its own style and script")
    func isolation() async throws {
        let html = try await traffic().report.html
        let document = try HTMLDocument(html)
        #expect(document.attributes(named: "src").isEmpty)
        #expect(document.attributes(named: "href").allSatisfy { $0.hasPrefix("#") })
        #expect(document.attributes(named: "style").isEmpty)
        for text in ["@import", "http://", "url(h", "//shop"] {
            #expect(!document.text(of: "style").contains(text))
            #expect(!document.text(of: "script").contains(text))
        }
        let policy = try #require(document.attributes(named: "content").first)
        #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-"))
        for name in ["style", "script"] {
            let hash = Data(SHA256.hash(Array(document.text(of: name).utf8))).base64EncodedString()
            #expect(policy.contains("\(name)-src 'sha256-\(hash)'"))
        }
    }

    @Test("The report of a HAR file equals that of the recorder that wrote it")
    func fromFile() async throws {
        let traffic = try await traffic()
        let folder = RecordingFolder()
        try traffic.write(to: folder.file)
        let page = folder.url.appendingPathComponent("pages/report.html")
        let report = try TrafficRecorder.Report(har: Data(contentsOf: folder.file))
        try report.write(to: page)
        #expect(try String(contentsOf: page, encoding: .utf8) == report.html)
        #expect(report.html == traffic.report.html)
    }

    @Test("A report without calls is a page")
    func noCalls() throws {
        #expect(try HTMLDocument(TrafficRecorder().report.html).names.contains("main"))
    }

    @Test("A report that cannot be written throws an error with the path")
    func unwritable() throws {
        let folder = RecordingFolder()
        try folder.write("a file where the folder should be")
        let error = #expect(throws: RecordedTransport.Failure.self) {
            try TrafficRecorder().report.write(to: folder.file.appendingPathComponent("report.html"))
        }
        #expect(error?.path?.hasSuffix("report.html") == true)
    }

    @Test(
        "A document that is not a HAR throws an error with the reason",
        arguments: [
            ("", "empty document"), ("{", "this is not a HAR"), ("[]", "no member log"),
            (#"{"log": {}}"#, "no array entries"),
            (#"{"log": {"entries": [{}, 7]}}"#, "entry 2 is not an object"), ("<html>", "this is not a HAR"),
            (String(repeating: "[", count: 100_000), "this is not a HAR"),
        ]
    )
    func noHAR(text: String, reason: String) throws {
        let error = try #require(throws: RecordedTransport.Failure.self) {
            try TrafficRecorder.Report(har: Data(text.utf8))
        }
        guard case .invalidHAR = error.reason else { throw error }
        #expect(error.description.contains("this is not a HAR"))
        #expect(error.description.contains(reason))
    }
}
