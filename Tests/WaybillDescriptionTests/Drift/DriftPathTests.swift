import Foundation
import Testing
import Waybill
import WaybillDescription
import WaybillTesting

@Suite("Key paths of undecodable values")
struct DriftPathTests {
    private struct Lamp: Decodable, Sendable {
        var madeAt: Date
        var parts: [Part]?
        var dates: [String: Date]?

        struct Part: Decodable, Sendable { var boughtAt: Date }
    }

    @Test(
        "A date in another format is reported at its key path, including the envelope and converted keys",
        arguments: [
            (#"{"data": {"made_at": "yesterday"}}"#, "data.made_at"),
            (
                #"{"data": {"made_at": "2026-11-27T00:00:00Z", "parts": [{"bought_at": "2026-11-27T00:00:00Z"}, "#
                    + #"{"bought_at": "27/11/2026"}]}}"#,
                "data.parts[].bought_at"
            ),
            (
                #"{"data": {"made_at": "2026-11-27T00:00:00Z", "dates": {"a": "2026-11-27T00:00:00Z", "7": "no"}}}"#,
                "data.dates.*"
            ),
        ]
    )
    func date(body: String, path: String) async throws {
        let drift = DriftDetector()
        let url = try #require(URL(string: "https://shop.example"))
        let client = Client(url, transport: StubTransport { _ in .json(body) }) {
            Observe(drift)
            Decode(keys: .convertFromSnakeCase, dates: .iso8601)
            Envelope("data")
        }
        let endpoint: Endpoint<Lamp> = client.endpoint { GET("lamps/1") }
        await #expect(throws: APIError.self) { try await endpoint.send() }
        let entries = try #require(drift.report.endpoints.first).entries.filter { $0.kind == .undecodable }
        #expect(entries.map(\.keyPath) == [path], "\(drift.report)")
    }

    private struct Anything: Decodable, Sendable {
        let value: JSONValue

        init(from decoder: any Decoder) throws { value = try JSONValue(from: decoder) }
    }

    @Test("A type that decodes through JSONValue accepts any JSON without drift")
    func anyJSON() async throws {
        let url = try #require(URL(string: "https://shop.example"))
        for body in [#"{"a": [1, null]}"#, "[1]", "1.5", #""a""#, "true"] {
            let drift = DriftDetector()
            let client = Client(url, transport: StubTransport { _ in .json(#"{"value": \#(body)}"#) }) {
                Observe(drift)
                Envelope("value")
            }
            let anything: Endpoint<Anything> = client.endpoint { GET("a") }
            _ = try await anything.send()
            let problem: Endpoint<Style.DjangoProblem> = client.endpoint { GET("b") }
            _ = try await problem.send()
            #expect(drift.report.endpoints.flatMap(\.entries).map(\.description) == [], "\(body)")
        }
    }
}
