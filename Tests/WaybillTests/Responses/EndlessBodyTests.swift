import CallSupport
import Foundation
import TestSupport
import Testing
import WaybillTesting

@testable import Waybill

/// A transport whose responses have endless bodies, in chunks that share their memory.
struct EndlessTransport: Transport {
    /// The chunks read from all bodies.
    let chunks = Lines()
    let chunk: Data
    var status: HTTPResponse.Status = 200
    /// The length announced by the response.
    var length: Int?

    init(chunkBytes: Int, length: Int? = nil) {
        chunk = Data(count: chunkBytes)
        self.length = length
    }

    func send(_ request: HTTPRequest, options: TransferOptions) async throws(TransportError) -> HTTPResponse {
        HTTPResponse(status: status, body: HTTPBody(Repeating(chunk: chunk, read: chunks), length: length))
    }

    private struct Repeating: AsyncSequence, AsyncIteratorProtocol, Sendable {
        let chunk: Data
        let read: Lines

        func next() async throws -> Data? {
            read.add("")
            return chunk
        }

        func makeAsyncIterator() -> Self { self }
    }
}

@Suite("Endless bodies", .largeInTurn, .safetyNet)
struct EndlessBodyTests {
    private static func error(
        _ transport: some Transport,
        @Scope.Builder _ clauses: () -> Scope = { Scope() }
    ) async -> TransportError? {
        let client = Client(Shop.url, transport: transport, clauses)
        let error = await failure { try await client.get("a", as: Data.self) }
        guard case .transport(let failure) = error else {
            Issue.record("expected a transport failure, not \(error.map { "\($0)" } ?? "a value")")
            return nil
        }
        return failure.error
    }

    @Test("An endless successful body is rejected after the first chunk that exceeds the declared limit")
    func declaredLimit() async {
        let transport = EndlessTransport(chunkBytes: 10)
        let error = await Self.error(transport) { BodyLimits(successBytes: 95) }
        #expect(error?.kind == .bodyTooLarge)
        #expect(error?.message == "it has more than 95 bytes; declare BodyLimits(successBytes:) to read more")
        #expect(transport.chunks.all.count == 10)
    }

    @Test("An endless successful body is rejected after 100 MB without BodyLimits")
    func defaultLimit() async {
        let transport = EndlessTransport(chunkBytes: 1_000_000)
        let error = await Self.error(transport)
        #expect(error?.kind == .bodyTooLarge)
        #expect(error?.message == "it has more than 100000000 bytes; declare BodyLimits(successBytes:) to read more")
        #expect(transport.chunks.all.count == 101)
    }

    @Test(
        "A body whose Content-Length exceeds the default limit is not read; one within the limit is read",
        arguments: [(100_000_001, 0), (100_000_000, 101)]
    )
    func announcedLength(length: Int, chunks: Int) async {
        let transport = EndlessTransport(chunkBytes: 1_000_000, length: length)
        #expect(await Self.error(transport)?.kind == .bodyTooLarge)
        #expect(transport.chunks.all.count == chunks)
    }

    @Test("Inner BodyLimits raise the default limit, and BodyLimits.none removes it", arguments: [false, true])
    func raisedLimit(isLifted: Bool) async throws {
        let bytes = Data(count: 100_000_001)
        let transport = StubTransport(["GET a": .response { _ in .bytes(bytes) }])
        let client = Client(Shop.url, transport: transport)
        let endpoint: Endpoint<Data> = client.endpoint { GET("a") }
        let limits = isLifted ? BodyLimits.none : BodyLimits(successBytes: 100_000_001)
        #expect(try await endpoint.with { limits }.send().count == 100_000_001)
        let error = await failure { try await endpoint.send() }
        guard case .transport(let failure) = error else {
            Issue.record("expected a body that is too large")
            return
        }
        #expect(failure.error.kind == .bodyTooLarge)
    }

    @Test("An explanation shows the body limit and the scope that sets it")
    func explanation() throws {
        let client = Client(Shop.url)
        let plain: Endpoint<Data> = client.endpoint { GET("a") }
        #expect(
            try plain.explanation.split(separator: "\n").last == "  BodyLimits: 100000000 bytes      Waybill"
        )
        let raised = plain.with { BodyLimits(successBytes: 200_000_000) }
        #expect(try raised.explanation.contains("BodyLimits: 200000000 bytes"))
        #expect(try raised.explanation.contains("before Waybill: 100000000 bytes"))
    }

    @Test("A body that a middleware reads in chunks is not limited")
    func streamedBody() async throws {
        struct Summing: Middleware {
            func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
                var response = try await next(request)
                var count = 0
                do {
                    for try await chunk in response.body {
                        count += chunk.count
                        if count >= 200 { break }
                    }
                } catch {
                    throw call.failure(error)
                }
                response.body = HTTPBody(Data("\(count)".utf8))
                return response
            }
        }
        let client = Client(Shop.url, transport: EndlessTransport(chunkBytes: 50)) {
            Use(Summing())
            BodyLimits(successBytes: 100)
        }
        #expect(try await client.get("a", as: Int.self) == 200)
    }

    @Test("Call.bytes(of:upTo:) in a middleware enforces BodyLimits or the given limit")
    func middlewareBytes() async {
        struct Reading: Middleware {
            let limit: Int?

            func handle(_ request: HTTPRequest, of call: Call, next: Next) async throws(APIError) -> HTTPResponse {
                var response = try await next(request)
                _ = try await call.bytes(of: &response, upTo: limit)
                return response
            }
        }
        for (limit, chunks) in [(nil, 10), (50, 6)] {
            let transport = EndlessTransport(chunkBytes: 10)
            let error = await Self.error(transport) {
                Use(Reading(limit: limit))
                BodyLimits(successBytes: 95)
            }
            #expect(error?.kind == .bodyTooLarge)
            #expect(transport.chunks.all.count == chunks)
        }
    }

    @Test(
        "A gzip bomb over a socket is rejected at the limit",
        arguments: Carrier.allCases
    )
    func bomb(carrier: Carrier) async throws {
        let response = StubResponse.bytes(Self.bomb(megabytes: 1000)).header("Content-Encoding", "gzip")
        let server = try LoopbackServer(["GET a": .response(response)])
        defer { server.stop() }
        let client = Client(server.url, transport: try carrier.transport()) { BodyLimits(successBytes: 1_000_000) }
        let error = await failure { try await client.get("a", as: Data.self) }
        guard case .transport(let failure) = error else {
            Issue.record("expected a body that is too large")
            return
        }
        #expect(failure.error.kind == .bodyTooLarge)
        #expect(
            failure.error.message == "it has more than 1000000 bytes; declare BodyLimits(successBytes:) to read more"
        )
    }

    /// Returns gzip-compressed zeros, about 1,000 times smaller, without an end, which a client should never reach.
    private static func bomb(megabytes: Int) -> Data {
        let head: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3]
        // 64 KiB of zeros, followed by an empty stored block to align the next block to a byte (RFC 1951).
        let block = Data(base64Encoded: zeros) ?? Data()
        return (0..<megabytes * 16).reduce(into: Data(head)) { bytes, _ in bytes.append(block) }
    }

    private static let zeros = """
        7MEBAQAAAICQ/q/uCAoAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABqAAAA//8=
        """
}
