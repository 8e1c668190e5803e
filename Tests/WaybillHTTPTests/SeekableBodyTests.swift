import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Seekable bodies")
struct SeekableBodyTests {
    private let directory = TemporaryDirectory()

    /// Returns a body over a custom chunk source.
    private func source(_ bytes: Data, chunk: Int = 7) -> HTTPBody {
        HTTPBody(length: bytes.count) { offset in Chunks(Data(bytes.dropFirst(offset)), size: chunk) }
    }

    @Test("Byte, file, source and joined bodies have the same remainder from every offset")
    func remainders() async throws {
        let bytes = Data.sample(count: 61)
        let joined = HTTPBody(joining: [
            HTTPBody(bytes.prefix(10)), source(Data(bytes[10..<30])), HTTPBody(), source(Data(bytes[30..<40])),
            HTTPBody(Data(bytes[40..<41])), HTTPBody(Data(bytes[41...])),
        ])
        for body in [HTTPBody(bytes), try HTTPBody(file: directory.file(bytes)), source(bytes), joined] {
            #expect(body.isSeekable && body.isReplayable && body.length == 61)
            for offset in 0...61 {
                let rest = try #require(body.remainder(from: offset))
                #expect(rest.length == 61 - offset && rest.isSeekable && rest.isReplayable)
                for _ in 1...2 { #expect(try await rest.collect() == bytes.dropFirst(offset)) }
            }
            let middle = try #require(body.remainder(from: 20)?.remainder(from: 15))
            #expect(try await middle.collect() == bytes.dropFirst(35))
        }
    }

    @Test("A large file is read from an offset in chunks")
    func files() async throws {
        let bytes = Data.sample(count: 700_001)
        let rest = try #require(try HTTPBody(file: directory.file(bytes)).remainder(from: 300_007))
        var count = 0
        for try await chunk in rest {
            #expect(chunk == bytes.dropFirst(300_007 + count).prefix(chunk.count) && chunk.count <= 262_144)
            count += chunk.count
        }
        #expect(count == 399_994)
    }

    @Test("A body has no remainder from an offset outside it, and a stream has none at all", arguments: [-1, 14, .max])
    func outside(offset: Int) {
        #expect(HTTPBody(Data("one two three".utf8)).remainder(from: offset) == nil)
        #expect(source(Data("one two three".utf8)).remainder(from: offset) == nil)
        let stream = HTTPBody(Chunks("one"), length: 3, isReplayable: true)
        #expect(!stream.isSeekable && stream.remainder(from: 0) == nil)
    }

    @Test("A body's remainder has the body's trailer fields")
    func trailers() throws {
        let sum = HTTPField(name: .eTag, value: "1")
        let body = HTTPBody(Data("one".utf8), trailerFields: [sum])
        #expect(body.remainder(from: 1)?.trailerFields == body.trailerFields)
    }

    @Test("Joined bodies are replayable if each one is, and have a length if each one has")
    func joined() async throws {
        let bytes = HTTPBody(Data("zero ".utf8))
        let replayable = HTTPBody(joining: [bytes, HTTPBody(Chunks("one ", "two"), isReplayable: true)])
        #expect(replayable.isReplayable && !replayable.isSeekable && replayable.length == nil)
        for _ in 1...2 { #expect(try await replayable.collect() == Data("zero one two".utf8)) }
        let once = HTTPBody(joining: [bytes, HTTPBody(Chunks("one ", "two"), length: 7)])
        #expect(!once.isReplayable && !once.isSeekable && once.length == 12)
        #expect(HTTPBody(joining: [bytes, HTTPBody(), bytes]).bytes == Data("zero zero ".utf8))
        #expect(HTTPBody(joining: []).bytes == Data())
        #expect(HTTPBody(joining: [source(Data("1".utf8)), HTTPBody(length: .max) { _ in Chunks() }]).length == nil)
    }

    @Test("Joined bodies fail if one differs from its declared length, even if the total is right")
    func lengths() async throws {
        let body = HTTPBody(joining: [
            HTTPBody(Chunks("one"), length: 4, isReplayable: true), HTTPBody(Chunks("three"), length: 4),
        ])
        #expect(body.length == 8)
        let error = await #expect(throws: TransportError.self) { try await body.collect() }
        #expect(error?.kind == .unsupportedRequest)
    }

    @Test("A seekable body is sent again after a retry and a redirect")
    func repeated() async throws {
        let stub = StubTransport([
            "PUT a": .sequence([.status(503), .redirect(to: "b", status: 307), .status(204)])
        ])
        let client = Client(Shop.url, transport: stub, clock: SkippingClock()) { Retry() }
        let body = source(Data("12345".utf8), chunk: 2)
        let upload: Endpoint<Void> = client.endpoint {
            PUT("a")
            Body(body, contentType: "text/plain")
        }
        try await upload.send()
        #expect(stub.requests.map(\.text) == ["12345", "12345", "12345"])
    }
}
