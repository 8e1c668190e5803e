import CallSupport
import Foundation
import TestSupport
import Testing
@testable import WaybillCaching
import WaybillTesting

@testable import Waybill

#if os(Linux)
    @testable import WaybillCurl
#endif

@Suite("Long bodies", .inTurn, .safetyNet, .serialized)
struct LongBodyTests {
    @Test("A Void call reads a long body to its end without keeping it")
    func ignored() async throws {
        let chunk = Data(count: 64 * 1024)
        let transport = ChunkTransport(chunks: Array(repeating: chunk, count: 100))
        let client = Client(Shop.url, transport: transport)
        let response = try await client.endpoint { GET("a") }.response()
        #expect(response.body.isEmpty)
        #expect(transport.chunksRead == 100)
    }

    @Test("A Void call keeps a short body, and a long one if it declares metadata")
    func kept() async throws {
        let short = ChunkTransport(chunks: [Data("[1]".utf8)])
        let client = Client(Shop.url, transport: short)
        #expect(try await client.endpoint { GET("a") }.response().body == Data("[1]".utf8))

        let spaces = Data(repeating: UInt8(ascii: " "), count: 300 * 1024)
        let long = ChunkTransport(chunks: [Data(#"{"id": 7}"#.utf8), spaces])
        let response = try await Client(Shop.url, transport: long).endpoint {
            GET("a")
            Metadata(Int.self, at: "id")
        }.response()
        #expect(response.body.count == spaces.count + 9)
    }

    @Test("A Void call keeps a long body that may be a declared problem, and throws the problem")
    func problem() async throws {
        struct Failure: Decodable, Sendable { let error: String }
        let spaces = Data(repeating: UInt8(ascii: " "), count: 300 * 1024)
        let transport = ChunkTransport(chunks: [Data(#"{"error": "full"}"#.utf8), spaces])
        let client = Client(Shop.url, transport: transport) { Problem(Failure.self, on: .success) }
        let error = await failure { try await client.endpoint { GET("a") }.send() }
        #expect(error?.problem(as: Failure.self)?.error == "full")
    }

    @Test("A long body dropped by a Void call is neither cached nor shared with other calls")
    func caching() async throws {
        let spaces = Data(repeating: UInt8(ascii: " "), count: 300 * 1024)
        let transport = ChunkTransport(
            chunks: [Data("[1]".utf8), spaces],
            headerFields: HTTPFields([HTTPField(name: .cacheControl, value: "max-age=60")])
        )
        let client = Client(Shop.url, transport: transport) { Cached(in: HTTPCache()) }
        try await client.endpoint { GET("a") }.send()
        #expect(try await client.get("a", as: [Int].self) == [1])

        let shared = Client(Shop.url, transport: transport) { Coalesced() }
        async let nothing: Void = shared.endpoint { GET("a") }.send()
        async let numbers = shared.get("a", as: [Int].self)
        try await nothing
        #expect(try await numbers == [1])
    }

    @Test("A Void call fails if its body exceeds BodyLimits")
    func limited() async throws {
        let transport = ChunkTransport(chunks: Array(repeating: Data(count: 200 * 1024), count: 4))
        let client = Client(Shop.url, transport: transport) { BodyLimits(successBytes: 500 * 1024) }
        let error = await failure { try await client.endpoint { GET("a") }.send() }
        guard case .transport(let failure) = error else {
            Issue.record("expected a body that is too large")
            return
        }
        #expect(failure.error.kind == .bodyTooLarge)
    }

    /// A transport that responds with a body of fixed chunks.
    private final class ChunkTransport: Transport {
        private let chunks: [Data]
        private let headerFields: HTTPFields
        private let count = Locked(0)

        init(chunks: [Data], headerFields: HTTPFields = HTTPFields()) {
            (self.chunks, self.headerFields) = (chunks, headerFields)
        }

        var chunksRead: Int { count.withLock { $0 } }

        func send(_ request: HTTPRequest, options: TransferOptions) async throws(TransportError) -> HTTPResponse {
            let next = Locked(0)
            let body = AsyncStream<Data> { [chunks, count] in
                let index = next.withLock { index in
                    index += 1
                    return index - 1
                }
                guard index < chunks.count else { return nil }
                count.withLock { $0 += 1 }
                return chunks[index]
            }
            return HTTPResponse(status: 200, headerFields: headerFields, body: HTTPBody(body))
        }
    }

    #if os(Linux)
        @Test("CurlTransport does not limit bodies by default")
        func limits() {
            let limits = CurlTransport.Configuration().limits
            #expect(limits.bodyBytes == .max && limits.decodedBodyBytes == .max)
        }

        @Test(
            "A compressed body that decodes to more than 1 GiB is streamed to its end",
            .enabled(if: Thoroughness.isWhole && ContentCoding.zstd.isSupported)
        )
        func decoded() async throws {
            // 8,300 RLE blocks of 131,072 zeros each (RFC 8878, section 3.1.1.2).
            let block = Data([0x02, 0x00, 0x10, 0x00])
            let zstd =
                Data([0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x68]) + Data((0..<8299).flatMap { _ in block })
                + Data([0x03, 0x00, 0x10, 0x00])
            let responses: StubResponses = ["GET it": .bytes(zstd).header("Content-Encoding", "zstd")]
            try await LoopbackServer.run(responses) { server async throws in
                let client = Client(server.url, transport: try CurlTransport())
                let bytes = client.endpoint(Data.self) { GET("it") }
                var count = 0
                for try await chunk in try await bytes.bytes() { count += chunk.count }
                #expect(count == 8300 * 131_072)
            }
        }
    #endif
}
