import Foundation
import TestSupport
import Testing
import Waybill
import WaybillDescription
import WaybillSessions
import WaybillTesting
import WaybillTransfers

@Suite("Clauses in documents and comparisons")
struct ClauseReadingTests {
    @Test("A described clause changes the document", arguments: ClauseRow.described)
    func described(_ row: ClauseRow) throws {
        #expect(try row.document(hasClause: true) != row.document(hasClause: false))
    }

    @Test(
        "A described clause is a difference between a call with it and one without it",
        arguments: Thoroughness.some(ClauseRow.described, oneIn: 2)
    )
    func compared(_ row: ClauseRow) throws {
        let own = try row.document(hasClause: true).requiringParameters
        let other = try row.document(hasClause: false)
        #expect(try row.findings(against: own, hasClause: true) == [])
        let differences = try row.findings(against: other, hasClause: true)
        #expect(try !(differences + row.findings(against: own, hasClause: false)).isEmpty)
    }

    @Test(
        "An undescribed clause changes neither the document nor the comparison",
        arguments: ClauseRow.undescribed
    )
    func undescribed(_ row: ClauseRow) throws {
        let document = try row.document(hasClause: false)
        #expect(try row.document(hasClause: true) == document)
        #expect(try row.findings(against: document, hasClause: true) == [])
    }

    @Test("A cookie jar may contain a cookie that the document requires") func cookies() throws {
        let row = ClauseRow.read("Cookies") { Cookies(CookieJar()) }
        let parameters: JSONValue = [["name": "sid", "in": "cookie", "required": true, "schema": ["type": "string"]]]
        let document = try row.document(hasClause: false)
            .setting(parameters, at: ["paths", "/things", "get", "parameters"])
        #expect(try row.findings(against: document, hasClause: true) == [])
        #expect(try row.findings(against: document, hasClause: false).count == 1)
    }

    @Test("A separately listed difference is in the document in its declared format") func differences() throws {
        let client = Client(.mocked)
        let things: Resource<ClauseRow.Thing, ClauseRow.Patching> = client.resource("things") {
            Body.Differences(as: .jsonPatch)
        }
        var changed = ClauseRow.thing
        changed.name = "b"
        let difference = try #require(try things.endpoints.patch(from: ClauseRow.thing, to: changed))
        let api = ClauseRow.Listing(client) {
            things
            difference
        }
        let patch = try api.openAPI(title: "Things", version: "1").json["paths"]?["/things/{id}"]?["patch"]
        #expect(patch?["requestBody"]?["content"]?.objectValue?.keys.sorted() == ["application/json-patch+json"])
    }
}

@Suite("Clauses in mocks, drift and recordings")
struct ClauseMessageTests {
    @Test("A mock rejects a coded body and then receives it without the coding") func coding() async throws {
        // A short body would grow, so it is sent without a coding.
        var thing = ClauseRow.thing
        thing.name = String(repeating: "a", count: 1_000)
        let row = ClauseRow.posted("Compressed", thing) { Compressed(.gzip, minimumBytes: 1) }
        let mock = StubTransport(try .mocking(row.api(hasClause: true)))
        try await row.send(Client(.mocked, transport: mock), true)
        #expect(mock.requests.map { $0.headerFields[.contentEncoding] } == ["gzip", nil])
    }

    @Test("A mock rejects a difference in JSON Patch format with 501") func jsonPatch() async throws {
        let mocked: Resource<ClauseRow.Thing, ClauseRow.Patching> = Client(.mocked).resource("things") {
            Body.Differences(as: .jsonPatch)
        }
        let mock = StubTransport(try .mocking(ClauseRow.Listing(Client(.mocked)) { mocked }))
        let things: Resource<ClauseRow.Thing, ClauseRow.Patching> = Client(.mocked, transport: mock).resource("things")
        {
            Body.Differences(as: .jsonPatch)
        }
        var changed = ClauseRow.thing
        changed.name = "b"
        let error = await #expect(throws: APIError.self) {
            try await things.patch(from: ClauseRow.thing, to: changed)
        }
        #expect(error?.status == 501)
        #expect("\(error.map { "\($0)" } ?? "")".contains("does not apply JSON Patch"))
    }

    @Test("Drift in a response with a declared success status is reported under the call's name")
    func drift() async throws {
        let drift = DriftDetector()
        let stub = StubTransport { _ in
            .json(#"{"id": 1, "name": "a", "unitPrice": 2, "color": "red"}"#, status: 404)
        }
        let row = ClauseRow.read("Success") {
            Observe(drift)
            Success(404)
            Call.Name("things.missing")
        }
        try await row.send(Client(.mocked, transport: stub), true)
        #expect(
            drift.report.description == "GET things.missing: 1 response\n  color: not read, 1 time in 1 response"
        )
    }

    @Test("A replay matches a request only if it has the clauses of the recorded request", arguments: ClauseRow.matched)
    func matching(_ row: ClauseRow) async throws {
        let recording = TemporaryRecording()
        let stub = StubTransport { _ in .json(#"{"id": 1, "name": "a", "unitPrice": 2}"#) }
        let recorder = try RecordedTransport(recording.file, .record, over: stub)
        try await row.send(Client(.mocked, transport: recorder), true)
        try recorder.finish()
        let same = try RecordedTransport(recording.file)
        try await row.send(Client(.mocked, transport: same), true)
        try same.finish()
        let other = try RecordedTransport(recording.file)
        await #expect(throws: APIError.self) { try await row.send(Client(.mocked, transport: other), false) }
    }

    @Test("A recorded response is compared according to the clauses of its call", arguments: RecordedRow.all)
    private func recordedResponses(_ row: RecordedRow) async throws {
        #expect(try await row.drift(hasClause: true) == row.reasons)
        #expect(try await row.drift(hasClause: false) == row.reasonsWithoutClause)
    }

    @Test("A recorded batch may have declared problems in place of items") func recordedBatches() async throws {
        func reasons(_ scope: Scope) async throws -> [String] {
            let recording = TemporaryRecording()
            let stub = StubTransport { _ in .json(#"[{"error": {"error": "taken"}}]"#, status: 201) }
            let recorder = try RecordedTransport(recording.file, .record, over: stub)
            let client = Client(.mocked, transport: recorder)
            let things: Resource<ClauseRow.Thing, ClauseRow.BatchCreating> = client.resource("things") { scope }
            _ = try? await things.create([ClauseRow.thing])
            try recorder.finish()
            let api = ClauseRow.Listing(client) { things }
            return try RecordedTransport.drift(of: recording.file, from: api).map(\.reason)
        }
        #expect(try await reasons(ClauseRow.itemProblem()) == [])
        #expect(try await reasons(Scope()).count == 1)
    }

    @Test("A recording has a call's name as its template, and no signature") func recordedRequests() async throws {
        let recording = TemporaryRecording()
        let stub = StubTransport { _ in .json(#"{"id": 1, "name": "a", "unitPrice": 2}"#) }
        let recorder = try RecordedTransport(recording.file, .record, over: stub)
        let row = ClauseRow.read("Signed") {
            Signed(by: ClauseRow.Signature())
            Call.Name("things.first")
        }
        try await row.send(Client(.mocked, transport: recorder), true)
        try recorder.finish()
        #expect(stub.requests.map { $0.headerFields["X-Signature"] } == ["s1gnature-of-the-request"])
        let text = try String(contentsOf: recording.file, encoding: .utf8)
        #expect(text.contains(#""_template": "things.first""#), "\(text)")
        #expect(!text.contains("s1gnature"))
    }
}

/// A recorded response and its drift from a call with a clause and from one without it.
private struct RecordedRow: Sendable, CustomTestStringConvertible {
    let row: ClauseRow
    let response: StubResponse
    var reasons: [String] = []
    var reasonsWithoutClause: [String] = []

    var testDescription: String { row.testDescription }

    private static let thing = #"{"id": 1, "name": "a", "unitPrice": 2}"#

    static let all: [RecordedRow] = [
        RecordedRow(
            row: .read("Envelope") { Envelope("data") },
            response: .json(thing),
            reasons: ["data is missing"]
        ),
        RecordedRow(
            row: .listed("Metadata") { Metadata(ClauseRow.Total.self, at: "meta") },
            response: .json(#"{"data": []}"#),
            reasons: ["meta is missing"]
        ),
        RecordedRow(
            row: .read("Success") { Success(404) },
            response: .json(#"{"id": 1, "unitPrice": 2}"#, status: 404),
            reasons: ["name is missing"]
        ),
        RecordedRow(
            row: .read("Problem") { Problem(ClauseRow.Fault.self, on: 404) },
            response: .json(#"{"reason": "gone"}"#, status: 404),
            reasons: ["error is missing"]
        ),
        RecordedRow(
            row: .read("Decode") { Decode(keys: .convertFromSnakeCase) },
            response: .json(#"{"id": 1, "name": "a", "unit_price": 2}"#),
            reasonsWithoutClause: ["unitPrice is missing"]
        ),
    ]

    func drift(hasClause: Bool) async throws -> [String] {
        let recording = TemporaryRecording()
        let recorder = try RecordedTransport(recording.file, .record, over: StubTransport { _ in response })
        let client = Client(.mocked, transport: recorder)
        _ = try? await row.send(client, hasClause)
        try recorder.finish()
        return try RecordedTransport.drift(of: recording.file, from: row.api(client, hasClause: hasClause))
            .map(\.reason)
    }
}

/// A temporary recording file that is removed on deinitialization.
final class TemporaryRecording: Sendable {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("recording-\(UUID().uuidString).har")

    deinit { try? FileManager.default.removeItem(at: file) }
}

extension ClauseRow {
    fileprivate func document(hasClause: Bool) throws -> JSONValue {
        try api(hasClause: hasClause).openAPI(title: "Things", version: "1").json
    }

    /// Returns the findings of a comparison, except informational ones.
    fileprivate func findings(against document: JSONValue, hasClause: Bool) throws -> [String] {
        try api(hasClause: hasClause).compare(with: OpenAPIDocument(document))
            .filter { $0.severity > .information }.map(\.description)
    }
}

extension JSONValue {
    /// The document with each parameter required.
    fileprivate var requiringParameters: JSONValue {
        var document = self
        for (path, item) in self["paths"]?.objectValue ?? [:] {
            for (method, operation) in item.objectValue ?? [:] {
                let parameters = operation["parameters"]?.arrayValue ?? []
                guard !parameters.isEmpty else { continue }
                let required = parameters.map { $0.setting(true, at: ["required"]) }
                document = document.setting(.array(required), at: ["paths", path, method, "parameters"])
            }
        }
        return document
    }
}
