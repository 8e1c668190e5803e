import Foundation
import Testing
import Waybill
import WaybillDescription
import WaybillTesting

@Suite("Response drift")
struct DriftTests {
    private static let url = URL(string: "https://shop.example") ?? URL(filePath: "/")
    private static let thing = #"{"id": 1, "name": "a", "note": "b"}"#

    private static func client(
        _ drift: DriftDetector,
        _ responses: StubResponses,
        @Scope.Builder _ clauses: () -> Scope = { Scope() }
    ) -> Client {
        Client(url, transport: StubTransport(responses)) {
            Observe(drift)
            clauses()
        }
    }

    @Test("Each kind of drift is reported at its key path, and a matching body has none", arguments: DriftRow.all)
    func kinds(_ row: DriftRow) async throws {
        let drift = DriftDetector()
        try? await row.call(Self.client(drift, ["GET things/{}": .json(row.body)]))
        let report = drift.report
        let endpoint = try #require(report.endpoints.first)
        #expect(report.endpoints.count == 1)
        #expect("\(endpoint.method) \(endpoint.template) \(endpoint.responseCount)" == "GET things/{} 1")
        #expect(endpoint.entries.map(\.description) == row.findings)
        #expect(report.isEmpty == row.findings.isEmpty)
        for text in [report.description, report.json.description, String(reflecting: report)] {
            #expect(!text.contains("s3cret"))
        }
    }

    @Test("An entry has its count, its number of responses, and its first and last date")
    func counts() async throws {
        let clock = Locked(0.0)
        let drift = DriftDetector(
            dates: Client.DateProvider {
                clock.withLock { seconds in
                    seconds += 60
                    return Date(timeIntervalSince1970: seconds)
                }
            }
        )
        let client = Self.client(
            drift,
            [
                "GET things": .sequence([
                    .json(#"[{"id": 1, "name": "a", "color": 1}, {"id": 2, "name": "b", "color": 1}]"#), .json("[]"),
                    .json(#"[{"id": 1, "name": "a", "color": 1}]"#),
                ]),
                "GET things/{}": .json(Self.thing),
            ]
        )
        for _ in 1...3 { _ = try await client.get("things", as: [Drifting.Thing].self) }
        _ = try await client.get("things/\(1)", as: Drifting.Thing.self)
        let report = drift.report
        #expect(
            report.description == """
                GET things: 3 responses
                  [].color: not read, 3 times in 2 responses
                  [].note: never present, 3 times in 2 responses
                """
        )
        let entry = try #require(report.endpoints.first?.entries.first)
        #expect(entry.first == Date(timeIntervalSince1970: 60))
        #expect(entry.last == Date(timeIntervalSince1970: 180))
        #expect(report.json["responses"] == 4)
        #expect(
            report.json["endpoints"]?[0]?["entries"]?[0] == [
                "keyPath": "[].color", "kind": "unread", "count": 3, "responses": 2, "first": "1970-01-01T00:01:00Z",
                "last": "1970-01-01T00:03:00Z",
            ]
        )
        drift.reset()
        #expect(drift.report.description == "No drift in 0 responses")
    }

    @Test("An optional key that appears later is no longer reported as never present")
    func laterKey() async throws {
        let drift = DriftDetector()
        let client = Self.client(
            drift,
            ["GET things": .sequence([.json(#"{"id": 1, "name": "a"}"#), .json(Self.thing)])]
        )
        _ = try await client.get("things", as: Drifting.Thing.self)
        #expect(drift.report.endpoints.first?.entries.map(\.kind) == [.neverPresent])
        _ = try await client.get("things", as: Drifting.Thing.self)
        #expect(drift.report.isEmpty)
    }

    @Test(
        "The sample rate is the fraction of compared responses",
        arguments: zip([0, 1, -1, 2, Double.nan, 0.245], [0, 100, 0, 100, 0, 25])
    )
    func sampling(rate: Double, count: Int) async throws {
        let drift = DriftDetector(sampleRate: rate, randomNumberGenerator: EvenNumbers())
        let client = Self.client(drift, ["GET things": .json(Self.thing)])
        for _ in 1...100 { _ = try await client.get("things", as: Drifting.Thing.self) }
        #expect(drift.report.responseCount == count)
    }

    @Test("Members read by paging are not drift on any page")
    func pages() async throws {
        let drift = DriftDetector()
        let client = Self.client(
            drift,
            [
                "GET things": .sequence([
                    .json(#"{"data": [\#(Self.thing)], "next": "b", "count": 2}"#),
                    .json(#"{"data": [\#(Self.thing)], "count": 2}"#),
                ])
            ]
        )
        let list: Endpoint<[Drifting.Thing]> = client.endpoint {
            GET("things")
            Envelope("data")
            Paginated(.cursor(at: "next", as: "after"))
        }
        #expect(try await list.all.collect().count == 2)
        #expect(drift.report.description == "GET things: 2 responses\n  count: not read, 2 times in 2 responses")
    }

    @Test("An object's keys are kept up to a limit, and the rest are counted")
    func manyKeys() async throws {
        let drift = DriftDetector()
        let members = (0..<600).map { #""key\#($0)": 1"# }.joined(separator: ",")
        let client = Self.client(drift, ["GET things": .json(#"{"id": 1, "name": "a", "note": "b", \#(members)}"#)])
        _ = try await client.get("things", as: Drifting.Thing.self)
        let report = drift.report
        #expect(report.endpoints.first?.entries.count == DriftDetector.maximumKeysPerObject - 3)
        #expect(report.omittedCount == 603 - DriftDetector.maximumKeysPerObject)
        #expect(report.description.hasSuffix("103 findings omitted"))
    }

    @Test("Key paths are kept up to a limit, and further findings are counted")
    func manyPaths() async throws {
        let drift = DriftDetector()
        let client = Client(
            Self.url,
            transport: StubTransport { request in
                let number = request.body.count
                let members = (0..<490).map { #""key\#(number)-\#($0)": 1"# }.joined(separator: ",")
                return .json(#"{"id": 1, "name": "a", "note": "b", \#(members)}"#)
            }
        ) {
            Observe(drift)
        }
        for number in 1...25 {
            let endpoint: Endpoint<Drifting.Thing> = client.endpoint {
                POST("things")
                Call.Name("\(number)")
                Body(String(repeating: "a", count: number))
            }
            _ = try await endpoint.send()
        }
        let report = drift.report
        let kept = report.endpoints.reduce(0) { $0 + $1.entries.count }
        #expect(kept <= DriftDetector.maximumKeyPaths)
        #expect(kept > DriftDetector.maximumKeyPaths - 500)
        #expect(report.omittedCount > 0)
    }

    @Test("A drift detector leaves the events of other observers unaffected")
    func events() async throws {
        let drift = DriftDetector()
        let counted = Locked(0)
        let client = Self.client(drift, ["GET things": .json(Self.thing)]) {
            Observe { _ in counted.withLock { $0 += 1 } }
        }
        _ = try await client.get("things", as: Drifting.Thing.self)
        #expect(counted.withLock { $0 } > 2)
        #expect(drift.report.responseCount == 1)
        #expect(try client.endpoint(Drifting.Thing.self) { GET("things") }.plan().explanation.contains("DriftDetector"))
    }

    @Test("Members omitted from a merged response are not missing")
    func merged() async throws {
        struct Thing: Entity {
            var id: Int
            var name: String

            struct Draft: Codable, Sendable { var name: String }
        }
        let drift = DriftDetector()
        let client = Self.client(drift, ["POST things": .json(#"{"id": 1, "age": 2}"#, status: 201)])
        let things: Resource<Thing, ReadWrite> = client.resource("things") { WriteResult(.merged) }
        #expect(try await things.create(.init(name: "a")).name == "a")
        #expect(drift.report.description == "POST things: 1 response\n  age: not read, 1 time in 1 response")
    }

    @Test("A type that branches on a value reads the keys of all branches, and a successful call misses none")
    func branches() async throws {
        let drift = DriftDetector()
        let client = Self.client(
            drift,
            [
                "GET figures": .sequence([
                    .json(#"{"type": "square", "side": 1}"#), .json(#"{"type": "circle", "radius": 1}"#),
                    .json(#"{"type": "circle", "radius": 2, "color": "red"}"#), .json(#"{"type": "circle"}"#),
                ])
            ]
        )
        for _ in 1...3 { _ = try await client.get("figures", as: DecidingFigure.self) }
        #expect(drift.report.description == "GET figures: 3 responses\n  color: not read, 1 time in 1 response")
        _ = try? await client.get("figures", as: DecidingFigure.self)
        #expect(drift.report.description.contains("not decoded"), "\(drift.report)")
    }
}

/// A figure whose `type` member selects the other members.
private enum DecidingFigure: Decodable, Sendable {
    case circle(radius: Int)
    case square(side: Int)

    private enum CodingKeys: CodingKey { case type, radius, side }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch try container.decode(String.self, forKey: .type) {
        case "circle": self = .circle(radius: try container.decode(Int.self, forKey: .radius))
        default: self = .square(side: try container.decode(Int.self, forKey: .side))
        }
    }
}

/// Evenly distributed numbers, with small and large ones interleaved.
private struct EvenNumbers: RandomNumberGenerator, Sendable {
    private var state: UInt64 = 0

    mutating func next() -> UInt64 {
        // Each multiple of a hundredth occurs once in 100 numbers.
        state = (state + 37) % 100
        return (UInt64.max / 100) * state
    }
}
