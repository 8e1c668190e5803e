import Foundation
import Testing
import Waybill
import WaybillDescription
import WaybillTesting

/// Every use of a call: a document, a mock, a comparison, a recording, a replay and drift detection.
@Suite("Methods and scopes in every use of a declaration")
struct DeclarationReadingTests {
    @Test(
        "A method is described, mocked, compared, recorded and, with content, checked for drift",
        arguments: ReadMethod.all
    )
    func methods(_ row: ReadMethod) async throws {
        let method = row.testDescription
        let api = row.api(Client(.mocked))
        let document = try api.openAPI(title: "Things", version: "1").json
        let item = document["paths"]?["/things"]
        let operation = item?[method.lowercased()] ?? item?["additionalOperations"]?[method]
        #expect(operation?["responses"] != nil)

        #expect(try api.compare(with: OpenAPIDocument(document)).map(\.description) == [])
        let other = document.setting(["trace": ["responses": [:]]], at: ["paths", "/things"])
        #expect(try api.compare(with: OpenAPIDocument(other)).first?.reason == "the path has no such method")

        let recording = TemporaryRecording()
        let mock = StubTransport(try .mocking(api))
        let recorder = try RecordedTransport(recording.file, .record, over: mock)
        try await row.send(Client(.mocked, transport: recorder))
        try recorder.finish()
        #expect(mock.requests.map { "\($0.method)" } == [method])
        #expect(try RecordedTransport.drift(of: recording.file, from: api).map(\.description) == [])

        let drift = DriftDetector()
        let replay = try RecordedTransport(recording.file)
        try await row.send(Client(.mocked, transport: replay) { Observe(drift) })
        try replay.finish()
        let endpoints = drift.report.endpoints.map { "\($0.method) \($0.template)" }
        #expect(endpoints == (row.hasContent ? ["\(method) things"] : []))
    }

    @Test(
        "Clauses in a style, in a scope and on an operation apply like those of the resource",
        arguments: Wrapping.all
    )
    func wrappings(_ row: Wrapping) async throws {
        let client = Client(.mocked)
        let api = ClauseRow.Listing(client) { row.things(client) }
        let document = try api.openAPI(title: "Things", version: "1").json
        let place = ["paths", "/things/{id}", "get", "responses", "200", "content", "application/json", "schema"]
        let schema = place.reduce(Optional(document)) { $0?[$1] }
        #expect(schema?["properties"]?.objectValue?.keys.sorted() == ["data"])
        let plain = document.setting(schema?["properties"]?["data"] ?? [:], at: place)
        let finding = try api.compare(with: OpenAPIDocument(plain)).first
        #expect(finding?.reason.contains("does not list it") ?? false, "\(String(describing: finding))")

        let mock = StubTransport(try .mocking(api) { Seeds([ClauseRow.thing]) })
        let response = try await row.things(Client(.mocked, transport: mock)).endpoints.read(1).response()
        #expect(response.value == ClauseRow.thing)
        #expect(String(decoding: response.body, as: UTF8.self).hasPrefix(#"{"data":"#))

        let recording = TemporaryRecording()
        let drift = DriftDetector()
        let stub = StubTransport { _ in .json(#"{"id": 1, "name": "a", "unitPrice": 2}"#) }
        let recorder = try RecordedTransport(recording.file, .record, over: stub)
        _ = try? await row.things(Client(.mocked, transport: recorder) { Observe(drift) }).read(1)
        try recorder.finish()
        let reasons = try RecordedTransport.drift(of: recording.file, from: api).map(\.reason)
        #expect(reasons == ["data is missing"])
        #expect(drift.report.description.contains("data: missing"))
    }
}

/// A call with an HTTP method.
struct ReadMethod: Sendable, CustomTestStringConvertible {
    typealias Thing = ClauseRow.Thing

    let testDescription: String
    let hasContent: Bool
    private let calls: @Sendable (Client) -> APIDescription
    let send: @Sendable (Client) async throws -> Void

    private init<Value: Sendable>(
        _ method: String,
        hasContent: Bool = true,
        _ endpoint: @escaping @Sendable (Client) -> Endpoint<Value>
    ) {
        testDescription = method
        self.hasContent = hasContent
        calls = { APIDescription.Builder.buildExpression(endpoint($0)) }
        send = { _ = try await endpoint($0).send() }
    }

    func api(_ client: Client) -> ClauseRow.Listing { ClauseRow.Listing(client) { calls(client) } }

    static let all: [ReadMethod] = [
        ReadMethod("GET") { $0.endpoint(Thing.self) { GET("things") } },
        ReadMethod("DELETE") { $0.endpoint(Thing.self) { DELETE("things") } },
        ReadMethod("OPTIONS") { $0.endpoint(Thing.self) { OPTIONS("things") } },
        ReadMethod("PURGE") { $0.endpoint(Thing.self) { Route("PURGE", "things") } },
        ReadMethod("HEAD", hasContent: false) { client -> Endpoint<Void> in client.endpoint { HEAD("things") } },
        ReadMethod("POST") {
            $0.endpoint(Thing.self) {
                POST("things")
                Body(ClauseRow.thing)
            }
        },
        ReadMethod("PUT") {
            $0.endpoint(Thing.self) {
                PUT("things")
                Body(ClauseRow.thing)
            }
        },
        ReadMethod("PATCH") {
            $0.endpoint(Thing.self) {
                PATCH("things")
                Body(ClauseRow.thing)
            }
        },
        ReadMethod("QUERY") {
            $0.endpoint(Thing.self) {
                QUERY("things")
                Body(ClauseRow.thing)
            }
        },
    ]
}

/// A resource whose envelope is declared in a style, in a scope or on an operation.
struct Wrapping: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let things: @Sendable (Client) -> Resource<ClauseRow.Thing, ClauseRow.Reading>

    static let all = [
        Wrapping(testDescription: "Style") { client in
            client.resource("things") { Style("wrapped") { Envelope("data") } }
        },
        Wrapping(testDescription: "Scope") { client in
            client.resource("things") { envelope() }
        },
        Wrapping(testDescription: "On") { client in
            client.resource("things") { On(.read) { Envelope("data") } }
        },
    ]

    @Scope.Builder private static func envelope() -> Scope { Envelope("data") }
}
