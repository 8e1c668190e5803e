import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Secrets in recorded URLs")
struct RecordedURLTests {
    private let url = URL(string: "https://shop.example") ?? URL(fileURLWithPath: "/")
    private let secret = "4uth-c0de-1"

    @Test(
        "The code of a followed redirect appears in no recording, event or error",
        arguments: [
            "?code=4uth-c0de-1&state=a", "?state=a&code=4uth-c0de-1", "#code=4uth-c0de-1&state=a",
            "?state=a#code=4uth-c0de-1", "?state=a;code=4uth-c0de-1", "?access_token=4uth-c0de-1",
            "?state=a#access_token=4uth-c0de-1", ";token=4uth-c0de-1?state=a",
        ],
        [false, true]
    )
    func redirects(parts: String, reachesOtherOrigin: Bool) async throws {
        let traffic = TrafficRecorder()
        let texts = Locked<[String]>([])
        let stub = StubTransport { [secret] request in
            guard request.url.path.hasPrefix("/done") else {
                let origin = reachesOtherOrigin ? "https://app.example" : ""
                return .status(302).header("Location", "\(origin)/done\(request.url.path)\(parts)")
            }
            switch request.url.lastPathComponent.prefix(while: { $0 != ";" }) {
            case "lost": return .failure(TransportError(.connectionLost, "lost \(request.url.absoluteString)"))
            case "missing": return .json(#"{"detail": "no \#(secret)"}"#, status: 404)
            default: return .json(#"{"code": "\#(secret)"}"#)
            }
        }
        let client = Client(url, transport: stub) {
            Use(traffic, around: .eachAttempt)
            Observe(traffic)
            Observe(RequestLog(.headers) { line in texts.withLock { $0.append(line) } })
        }
        for path in ["whole", "lost", "missing"] {
            do throws(APIError) {
                let endpoint: Endpoint<[String: Int]> = client.endpoint { GET("\(path)") }
                _ = try await endpoint.send()
            } catch {
                texts.withLock { [error] in $0.append("\(error)") }
            }
        }
        #expect(stub.requests.count == 6)
        for text in texts.withLock({ $0 }) + [traffic.har, traffic.report.html] {
            #expect(!text.contains(secret), "\(text)")
        }
    }

    @Test(
        "The signature or password of a URL in a body is not recorded, wherever it is and however it is encoded",
        arguments: [
            #"{"url": "https://s3.example/o?X-Amz-Signature=s1gned-4-you&X-Amz-Expires=60"}"#,
            #"{"url": "https:\/\/s3.example\/o?sv=1\u0026sig=s1gned-4-you"}"#,
            #"{"url": "https://s3.example/o?sv=1&sig\u003ds1gned-4-you"}"#,
            #"{"urls": [["/o?sig=s1gned-4-you"]]}"#, #"{"url": "https://s3.example/o;token=s1gned-4-you/p"}"#,
            #"{"url": "https://s3.example/o#access_token=s1gned-4-you"}"#, #"{"query": "sig=s1gned-4-you&sv=1"}"#,
            #"{"url": "https://s3.example/o?%73ig=s1gned%2D4-you"}"#,
            #"{"text": "Get it (https://s3.example/o?sig=s1gned-4-you) today"}"#,
            #"{"html": "<a href=\"https://s3.example/o?a=1&amp;sig=s1gned-4-you\">it</a>"}"#,
            #"{"inner": "{\"url\": \"https://s3.example/o?sig=s1gned-4-you\"}"}"#,
            #"{"url": "https://ann:s1gned-4-you@s3.example/o"}"#, #"{"url": "https://s1gned-4-you-longer@s3.example"}"#,
            #"{"url": "https://s3.example/o?sig=s1gned-4-you"#, "https://s3.example/o?sig=s1gned-4-you",
            "<u>https://s3.example/o?a=1&amp;sig=s1gned-4-you</u>",
            "{\"a\": 1}\n{\"url\": \"https://s3.example/o?sig=s1gned-4-you\"}\n",
        ]
    )
    func bodies(body: String) async throws {
        let folder = RecordingFolder()
        let traffic = TrafficRecorder()
        let stub = StubTransport { request in
            // The bare copy is recognized from the URL.
            guard request.url.path == "/signed" else { return .text("s1gned-4-you") }
            return .text(body, status: request.method == .get ? 200 : 400)
                .header("Operation-Location", "https://s3.example/o?sig=s1gned-4-you")
        }
        let recorded = try RecordedTransport(folder.file, .record, over: stub)
        let client = Client(url, transport: recorded) { Use(traffic, around: .eachAttempt) }
        _ = try await client.get("copy", as: Data.self)
        _ = try await client.get("signed", as: Data.self)
        let error = await #expect(throws: APIError.self) { try await client.post("signed", body: body, as: Data.self) }
        try recorded.finish()
        for text in [try folder.text, traffic.har, traffic.report.html, "\(error as Any)"] {
            #expect(!text.contains("s1gned"), "\(text)")
        }
        let har = try TrafficRecorder.Report(har: Data(traffic.har.utf8)).html
        #expect(!har.contains("s1gned"))
    }

    @Test("URLs and texts without secrets are recorded unchanged")
    func unchanged() async throws {
        let body = #"""
            {"a": "https://a.example/?page=2&code=4uth-c0de-1", "b": "ssh://git@a.example/b", "c": "Is it? token = no",
            "d": "mailto:ann@a.example", "e": "https://a.example/@ann:b", "f": "a=1&b=2", "g": "https://a.example?sig="}
            """#
        let folder = RecordingFolder()
        let recorded = try RecordedTransport(folder.file, .record, over: StubTransport { _ in .json(body) })
        _ = try await Client(url, transport: recorded).get("a", as: Data.self)
        try recorded.finish()
        let replayed = Client(url, transport: try RecordedTransport(folder.file))
        #expect(try await replayed.get("a", as: Data.self) == Data(body.utf8))
    }
}
