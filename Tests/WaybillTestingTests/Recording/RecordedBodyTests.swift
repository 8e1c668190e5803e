import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting
import WaybillTransfers

@Suite("Recorded bodies and faults", .inTurn)
struct RecordedBodyTests {
    private let url = URL(string: "https://shop.example/stream") ?? URL(fileURLWithPath: "/")

    private var request: HTTPRequest { HTTPRequest(method: .get, url: url) }

    private func recorded(_ response: StubResponse, in folder: RecordingFolder) throws -> RecordedTransport {
        try RecordedTransport(folder.file, .record, over: StubTransport { _ in response })
    }

    @Test(
        "A replayed body has the recorded bytes, whether or not they are text",
        arguments: [
            Data(), Data([0xFF, 0xD8, 0, 1]), Data("{\"a\": 1.50, \"b\":\t\"\\u00e9\"}\n".utf8),
            Data("\u{FEFF}é\u{0}".utf8),
            Data("data: one\n\ndata: two\n\n".utf8),
        ]
    )
    func bytes(_ bytes: Data) async throws {
        for chunkSize in [nil, 2] {
            let folder = RecordingFolder()
            var response = StubResponse(status: 200)
            response.body = bytes
            let stubbed: StubResponse = chunkSize.map { response.chunked(bytes: $0) } ?? response
            let recording = try recorded(stubbed, in: folder)
            #expect(try await recording.send(request).body.collect() == bytes)
            try recording.finish()
            #expect(try await RecordedTransport(folder.file).send(request).body.collect() == bytes)
        }
    }

    @Test(
        "A fault in place of a response is replayed with its kind, phase and timeout",
        arguments: [
            TransportError(.connectionLost, "it is gone", phase: .waiting),
            TransportError(.timedOut, timeout: .firstByte),
            TransportError(.cannotConnect, phase: .connecting),
        ]
    )
    func fault(_ fault: TransportError) async throws {
        let folder = RecordingFolder()
        let recording = try recorded(.failure(fault), in: folder)
        await #expect(throws: TransportError.self) { try await recording.send(request) }
        try recording.finish()
        let replayed = try RecordedTransport(folder.file)
        let error = await #expect(throws: TransportError.self) { try await replayed.send(request) }
        #expect(error?.description == fault.description)
        #expect(error?.kind == fault.kind)
        #expect(error?.phase == fault.phase)
        #expect(error?.timeout == fault.timeout)
    }

    @Test("A truncated body is truncated after the same bytes in the replay")
    func brokenBody() async throws {
        let folder = RecordingFolder()
        let recording = try recorded(.json(#"[1, 2, 3]"#).truncated(afterBytes: 4), in: folder)
        let texts = [
            await Self.read(try await recording.send(request)),
            await Self.read(try await RecordedTransport(folder.file).send(request)),
        ]
        #expect(texts == ["[1, connectionLost", "[1, connectionLost"])
    }

    @Test("A body abandoned by its reader fails at the same point in the replay")
    func leftBody() async throws {
        let folder = RecordingFolder()
        do {
            let recording = try recorded(StubResponse(body: Data("abcdef".utf8)).chunked(bytes: 2), in: folder)
            var chunks = try await recording.send(request).body.makeAsyncIterator()
            #expect(try await chunks.next() == Data("ab".utf8))
        }
        #expect(await Self.read(try await RecordedTransport(folder.file).send(request)) == "abother")
    }

    @Test("Finishing a recording while a response is being read throws an error")
    func unfinished() async throws {
        let folder = RecordingFolder()
        let recording = try recorded(StubResponse(body: Data("abcdef".utf8)).chunked(bytes: 2), in: folder)
        let response = try await recording.send(request)
        let error = #expect(throws: RecordedTransport.Failure.self) { try recording.finish() }
        #expect(error?.reason == .unfinishedResponses(["GET \(url)"]))
        _ = try await response.body.collect()
        try recording.finish()
    }

    @Test("A streamed request body is sent and matched by its bytes")
    func requestChunks() async throws {
        let folder = RecordingFolder()
        var request = HTTPRequest(method: .post, url: url)
        request.body = HTTPBody(
            AsyncStream<Data> {
                $0.yield(Data("ab".utf8)); $0.yield(Data("c".utf8)); $0.finish()
            }
        )
        let stub = StubTransport { request in .json("\"\(request.text)\"") }
        let response = try await RecordedTransport(folder.file, .record, over: stub).send(request)
        #expect(try await response.body.collect() == Data("\"abc\"".utf8))
        request.body = HTTPBody(Data("abc".utf8))
        #expect(try await RecordedTransport(folder.file).send(request).status == 200)
        request.body = HTTPBody(Data("abd".utf8))
        await #expect(throws: TransportError.self) { try await RecordedTransport(folder.file).send(request) }
    }

    /// Returns the text of a body, followed by the kind of the error that ended it, if any.
    private static func read(_ response: HTTPResponse) async -> String {
        var text = ""
        do {
            for try await chunk in response.body { text += String(decoding: chunk, as: UTF8.self) }
        } catch {
            text += "\(TransportError(wrapping: error).kind)"
        }
        return text
    }

    @Test("A list streamed over a socket has the same elements in its replay")
    func streamed() async throws {
        struct Item: Codable, Sendable, Equatable { let id: Int }
        let folder = RecordingFolder()
        let lines = (1...500).map { "{\"id\": \($0)}\n" }.joined()
        let response: Responder = .bytes(Data(lines.utf8)).header("Content-Type", "application/jsonl")
            .chunked(bytes: 100)
        let server = try LoopbackServer(["GET items": response])
        func ids(over transport: RecordedTransport) async throws -> [Int] {
            let items: Endpoint<[Item]> = Client(server.url, transport: transport).endpoint { GET("items") }
            var ids: [Int] = []
            for try await item in try await items.stream() { ids.append(item.id) }
            return ids
        }
        let recording = try RecordedTransport(folder.file, .record)
        #expect(try await ids(over: recording) == Array(1...500))
        try recording.finish()
        server.stop()
        let replay = try RecordedTransport(folder.file)
        #expect(try await ids(over: replay) == Array(1...500))
        try replay.finish()
    }
}
