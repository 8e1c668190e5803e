import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Bodies of files")
struct FileBodyTests {
    private let directory = TemporaryDirectory()

    @Test("It has the file's length and bytes, as often as it is read", arguments: [0, 1, 262_144, 600_001])
    func bytes(count: Int) async throws {
        let bytes = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let body = try HTTPBody(file: directory.file(bytes))
        #expect(body.length == count)
        #expect(body.isReplayable)
        #expect(body.bytes == nil)
        for _ in 1...2 { #expect(try await body.collect() == bytes) }
    }

    @Test("Of a file that grows the first bytes are read; of one that shrinks what there is; of one that goes, nothing")
    func changing() async throws {
        let file = try directory.file(Data("12345".utf8))
        let body = try HTTPBody(file: file)
        for (text, read) in [("1234567", "12345"), ("123", "123")] {
            try Data(text.utf8).write(to: file)
            #expect(try await body.collect() == Data(read.utf8))
        }
        try FileManager.default.removeItem(at: file)
        await #expect(throws: TransportError.self) { try await body.collect() }
    }

    @Test("A file that has become shorter is no request, over each transport", arguments: Carrier.allCases)
    func shorter(carrier: Carrier) async throws {
        let file = try directory.file(Data("12345".utf8))
        let body = try HTTPBody(file: file)
        try Data("123".utf8).write(to: file)
        let transport = try carrier.transport()
        try await LoopbackServer.run(Answers().otherwise(.text("fine"))) { server async throws in
            await #expect(throws: TransportError.self) { try await transport.text(.put, server.url, body) }
            #expect(server.requestCount == 0)
        }
    }

    @Test("A redirect and a retry send it once more")
    func replayed() async throws {
        let file = try directory.file(Data("12345".utf8))
        let stub = StubTransport([
            "PUT a": .sequence([.status(503), .redirect(to: "b", status: 307), .status(204)])
        ])
        let client = Client(Shop.url, transport: stub, clock: SkippingClock()) { Retry() }
        let upload: Endpoint<Void> = client.endpoint {
            PUT("a")
            Body(file: file, contentType: "text/plain")
        }
        try await upload.send()
        #expect(stub.requests.map(\.text) == ["12345", "12345", "12345"])
        #expect(stub.requests.map { $0.headerFields[.contentType] } == Array(repeating: "text/plain", count: 3))
    }

    @Test(
        "What is no file, or is not there, is a mistake that names it; nothing is sent",
        arguments: ["none", ".", "pipe"]
    )
    func mistakes(name: String) async throws {
        _ = try directory.file(Data())
        #expect(mkfifo(directory.url.appendingPathComponent("pipe").path, 0o600) == 0)
        let stub = StubTransport { _ in .status(204) }
        let file = directory.url.appendingPathComponent(name)
        let upload: Endpoint<Void> = Client(Shop.url, transport: stub).endpoint {
            PUT("a")
            Body(file: file, contentType: "text/plain")
        }
        let error = await failure(upload.send)
        guard case .request(let failure)? = error else {
            Issue.record("expected a mistake, not \(String(describing: error))")
            return
        }
        #expect(failure.mistakes.map(\.clause) == ["Body"])
        #expect("\(failure)".contains(name == "none" ? "none" : "regular file"))
        #expect(stub.requests.isEmpty)
    }
}
