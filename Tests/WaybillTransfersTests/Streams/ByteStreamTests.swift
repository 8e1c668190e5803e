import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillLimits
import WaybillTesting

private struct Files: API {
    let client: Client

    var file: Endpoint<Data> { endpoint { GET("it") } }
}

@Suite("Byte streams", .inTurn, .safetyNet)
struct ByteStreamTests {
    private static let bytes = Data.sample(count: 3_000_000)

    /// Runs a closure with a client and a server that has one route.
    private static func withClient<Result>(
        _ carrier: Carrier,
        _ response: Responder,
        _ body: (Client, LoopbackServer) async throws -> Result
    ) async throws -> Result {
        let transport = try carrier.transport()
        return try await LoopbackServer.run(["GET it": response]) { server async throws in
            try await body(Client(server.url, transport: transport) { Problem(Problem.Details.self) }, server)
        }
    }

    @Test("Bytes in an unknown content coding are an error unless the call requests that coding")
    func unknownCoding() async throws {
        let stub = StubTransport { request in
            request.headerFields[.acceptEncoding] == "identity"
                ? .text("plain") : .text("coded").header("Content-Encoding", "br").header("Content-Encoding", "exi")
        }
        func bytes(_ accepted: String?) async throws -> Data {
            let endpoint: Endpoint<Data> = Client(Shop.url, transport: stub).endpoint {
                GET("file")
                if let accepted { Header("Accept-Encoding", accepted) }
            }
            var bytes = Data()
            for try await chunk in try await endpoint.bytes() { bytes += chunk }
            return bytes
        }
        let error = await #expect(throws: APIError.self) { try await bytes(nil) }
        let text = "\(try #require(error))"
        #expect(text.contains("the content coding br, exi"), "\(text)")
        #expect(text.contains(#"declare Header("Accept-Encoding", "identity")"#), "\(text)")
        #expect(try await bytes("identity") == Data("plain".utf8))
        #expect(try await bytes("br, exi") == Data("coded".utf8))
    }

    @Test("bytes() returns at once after the head, and the body as it arrives", arguments: Carrier.allCases)
    func headFirst(_ carrier: Carrier) async throws {
        let gate = Gate()
        let response: Responder = .bytes(Self.bytes).header("X-Name", "export").bodyHeld(by: gate)
        try await Self.withClient(carrier, response) { client, _ in
            let stream = try await Files(client: client).file.bytes()
            #expect(stream.status == 200)
            #expect(stream.headerFields["X-Name"] == "export")
            #expect(stream.length == Self.bytes.count)
            gate.open()
            var received = Data()
            for try await chunk in stream { received.append(chunk) }
            #expect(received == Self.bytes)
        }
    }

    @Test(
        "A failed status of a streamed call throws the declared problem, and nothing is streamed",
        arguments: Carrier.allCases
    )
    func problem(_ carrier: Carrier) async throws {
        let response: Responder = .json(#"{"title":"Sold out"}"#, status: 409)
        try await Self.withClient(carrier, response) { client, _ in
            let error = await #expect(throws: APIError.self) { try await Files(client: client).file.bytes() }
            guard case .status(let failure)? = error else {
                return #expect(Bool(false), "\(String(describing: error))")
            }
            #expect(failure.problem(as: Problem.Details.self)?.title == "Sold out")
        }
    }

    @Test("An interrupted body throws a transport failure after its last chunk", arguments: Carrier.allCases)
    func brokenOff(_ carrier: Carrier) async throws {
        let response: Responder = .bytes(Self.bytes).truncated(afterBytes: 100_000)
        try await Self.withClient(carrier, response) { client, _ in
            let stream = try await Files(client: client).file.bytes()
            var received = Data()
            let error = await #expect(throws: APIError.self) {
                for try await chunk in stream { received.append(chunk) }
            }
            #expect(received == Self.bytes.prefix(100_000))
            guard case .transport(let failure)? = error else {
                return #expect(Bool(false), "\(String(describing: error))")
            }
            #expect(failure.error.kind == .connectionLost)
        }
    }

    @Test("A Timeout ends a stream whose body never completes", arguments: Carrier.allCases)
    func timeout(_ carrier: Carrier) async throws {
        let clock = ManualClock()
        let response: Responder = .bytes(Self.bytes).bodyNever()
        let transport = try carrier.transport()
        try await LoopbackServer.run(["GET it": response]) { server async throws in
            let client = Client(server.url, transport: transport, clock: clock) { Timeout(.seconds(30)) }
            let stream = try await Files(client: client).file.bytes()
            async let failure: APIError? = {
                do throws(APIError) {
                    var chunks = stream.makeAsyncIterator()
                    while try await chunks.next() != nil {}
                    return nil
                } catch {
                    return error
                }
            }()
            await clock.waitForSleepers(count: 1)
            clock.advance(by: .seconds(30))
            guard case .timeout(let timeout)? = await failure else { return #expect(Bool(false)) }
            #expect(timeout.limit == .seconds(30))
        }
    }

    @Test("Leaving the loop closes the connection", arguments: Carrier.without(.buffersWithoutBound))
    func left(_ carrier: Carrier) async throws {
        let response: Responder = .bytes(Self.bytes).dripped(bytes: 1000, every: .milliseconds(1))
        try await Self.withClient(carrier, response) { client, server in
            for try await _ in try await Files(client: client).file.bytes() { break }
            await server.waitForOpenConnections(atMost: 0)
        }
    }

    @Test("A concurrency limit counts a streamed call until its body has ended")
    func limited() async throws {
        let gate = Gate()
        let responses: StubResponses = ["GET it": .bytes(Self.bytes).bodyHeld(by: gate), "GET next": .text("next")]
        try await LoopbackServer.run(responses) { server async throws in
            let recorder = Recorder()
            let client = Client(server.url) {
                Limit(concurrent: 1)
                Observe(recorder)
            }
            let stream = try await Files(client: client).file.bytes()
            async let next = client.get("next", as: String.self)
            await waitUntil { recorder.kinds.contains("queued") || server.requestCount == 2 }
            #expect(server.requestCount == 1)
            gate.open()
            var count = 0
            for try await chunk in stream { count += chunk.count }
            #expect(count == Self.bytes.count)
            #expect(try await next == "next")
            #expect(server.requests.map(\.path) == ["/it", "/next"])
        }
    }

    @Test("A streamed call's last event follows the body")
    func events() async throws {
        let recorder = Recorder()
        try await LoopbackServer.run(["GET it": .bytes(Self.bytes)]) { server async throws in
            let client = Client(server.url) { Observe(recorder) }
            for try await _ in try await Files(client: client).file.bytes() {}
            #expect(
                recorder.kinds == ["began", "sent", "head, 200 OK", "body, 3.0 MB", "finished, 200 OK"]
            )
        }
    }
}
