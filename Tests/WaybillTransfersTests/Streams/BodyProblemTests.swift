import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting
import WaybillTransfers

@Suite("Problems instead of bytes and files", .inTurn, .safetyNet)
struct BodyProblemTests {
    struct Failure: Codable, Sendable, Hashable { let error: String }

    private static let problem = #"{"error":"no"}"#

    private static func file(
        _ client: Client,
        @Scope.Builder _ clauses: () -> Scope
    ) -> Endpoint<Data> {
        FileAPI(client: client).file().with(clauses)
    }

    private static func file(_ client: Client) -> Endpoint<Data> {
        file(client) { Problem(Failure.self, on: .success) }
    }

    private static func client(_ response: StubResponse, _ clock: ManualClock = ManualClock()) -> Client {
        Client(Shop.url, transport: StubTransport(["GET files/1": .response(response)], clock: clock), clock: clock)
    }

    @Test("A declared problem with a successful status does not replace an existing file", arguments: Carrier.allCases)
    func download(_ carrier: Carrier) async throws {
        let responses: [Responder] = [
            .json(Self.problem), .json(Self.problem, status: 201), .text(Self.problem),
            .json(Self.problem).chunked(bytes: 3), .json(Self.problem).header("ETag", #""v1""#),
        ]
        for response in responses {
            let folder = try DownloadFolder()
            try Data("old".utf8).write(to: folder.file)
            let transport = try carrier.transport()
            try await LoopbackServer.run(["GET files/{}": response]) { server async throws in
                let recorder = Recorder()
                let endpoint = Self.file(Client(server.url, transport: transport) { Observe(recorder) })
                let error = await #expect(throws: APIError.self) { try await endpoint.download(to: folder.file) }
                #expect(error?.problem() == Failure(error: "no"))
                #expect(try Data(contentsOf: folder.file) == Data("old".utf8))
                #expect(try folder.names == ["export.zip"])
                #expect(recorder.kinds.last?.hasPrefix("failed") == true)
            }
        }
    }

    @Test("A declared problem instead of the rest of a file keeps the partial file, which a later download resumes")
    func part() async throws {
        let folder = try DownloadFolder()
        let served = ServedFile()
        let count = Locked(0)
        let responses: StubResponses = [
            "GET files/{}": .response { request in
                let number = count.withLock { count in
                    count += 1
                    return count
                }
                switch number {
                case 1: return served.response(to: request).truncated(afterBytes: 1_000_000)
                case 2: return .json(Self.problem)
                default: return served.response(to: request)
                }
            }
        ]
        try await LoopbackServer.run(responses) { server async throws in
            let endpoint = Self.file(Client(server.url))
            for _ in 0..<2 { await #expect(throws: APIError.self) { try await endpoint.download(to: folder.file) } }
            let file = try await endpoint.download(to: folder.file)
            #expect(file.wasResumed)
            #expect(try Data(contentsOf: folder.file) == served.bytes)
        }
    }

    @Test("bytes() throws a declared problem with a successful status", arguments: Carrier.allCases)
    func bytes(_ carrier: Carrier) async throws {
        let transport = try carrier.transport()
        for response in [Responder.json(Self.problem), .text(Self.problem).chunked(bytes: 5)] {
            try await LoopbackServer.run(["GET files/{}": response]) { server async throws in
                let recorder = Recorder()
                let endpoint = Self.file(Client(server.url, transport: transport) { Observe(recorder) })
                let error = await #expect(throws: APIError.self) { try await endpoint.bytes() }
                #expect(error?.problem() == Failure(error: "no"))
                #expect(recorder.kinds.last?.hasPrefix("failed") == true)
            }
        }
    }

    /// Bodies that are not the declared problem.
    static let bodies: [String] = [
        "", " ", "PK\u{3}\u{4}", #"{"name":"lamp"}"#, #"[{"error":"no"}]"#, #"{"error":"no"}{"error":"no"}"#,
        "{\"error\":\"no\"}\n{\"name\":\"lamp\"}\n", #"{"error":"no""#, #"{"error":7}"#, "\"text\"",
        #"{"error":"\#(String(repeating: "x", count: 300_000))"}"#,
        String(repeating: #"{"name":"lamp"},"#, count: 30_000),
    ]

    @Test("A body that is not a declared problem is returned unchanged", arguments: bodies)
    func otherBody(_ text: String) async throws {
        let size = text.utf8.count > 1_000 && !Thoroughness.isWhole ? 5_000 : 5
        for response in [
            StubResponse.json(text), .json(text).chunked(bytes: size), .json(text).chunked(bytes: 100_000),
        ] {
            let endpoint = Self.file(Self.client(response))
            var received = Data()
            for try await chunk in try await endpoint.bytes() { received.append(chunk) }
            #expect(received == Data(text.utf8))
            let folder = try DownloadFolder()
            let file = try await endpoint.download(to: folder.file)
            #expect(file.length == text.utf8.count)
            #expect(try Data(contentsOf: folder.file) == Data(text.utf8))
        }
    }

    @Test("bytes() returns as soon as the body can no longer be the declared problem")
    func arriving() async throws {
        for text in ["data: a\n\n", "{\"a\":1}\n", "[1]\n"] {
            let clock = ManualClock()
            let response = StubResponse.json(text + "data: b")
                .chunked(bytes: text.utf8.count)
                .dripped(bytes: text.utf8.count, every: .seconds(600))
            var chunks = try await Self.file(Self.client(response, clock)).bytes().makeAsyncIterator()
            #expect(try await chunks.next() == Data(text.utf8))
            #expect(clock.now.offset == .zero)
        }
    }

    @Test("A body whose beginning was read early keeps the response's length")
    func length() async throws {
        let text = #"{"a":1} and more"#
        let response = StubResponse.json(text).dripped(bytes: 8, every: .zero)
        let stream = try await Self.file(Self.client(response)).bytes()
        #expect(stream.length == text.utf8.count)
    }

    @Test("bytes() throws a text problem for a text response")
    func text() async throws {
        let response = StubResponse.text("no").chunked(bytes: 1)
        let endpoint = Self.file(Self.client(response)) { Problem(String.self, on: .success) }
        let error = await #expect(throws: APIError.self) { try await endpoint.bytes() }
        #expect(error?.problem() == "no")
    }

    @Test("A problem declared only for failed statuses is not searched for in a successful body")
    func failures() async throws {
        let clock = ManualClock()
        let response = StubResponse.json(Self.problem).bodyNever()
        let endpoint = Self.file(Self.client(response, clock)) { Problem(Failure.self) }
        #expect(try await endpoint.bytes().status == 200)
    }
}
