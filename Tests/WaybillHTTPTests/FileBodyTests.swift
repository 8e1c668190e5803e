import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("File bodies", .inTurn)
struct FileBodyTests {
    private let directory = TemporaryDirectory()

    @Test("A file body has the file's length and yields its bytes on each read", arguments: [0, 1, 262_144, 600_001])
    func bytes(count: Int) async throws {
        let bytes = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let body = try HTTPBody(file: directory.file(bytes))
        #expect(body.length == count)
        #expect(body.isReplayable)
        #expect(body.bytes == nil)
        for _ in 1...2 { #expect(try await body.collect() == bytes) }
    }

    @Test("A file body reads a grown file to its original length and all of a shrunken one, and fails on a removed one")
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

    @Test("A request fails over each transport if its body's file has shrunk", arguments: Carrier.allCases)
    func shorter(carrier: Carrier) async throws {
        let file = try directory.file(Data("12345".utf8))
        let body = try HTTPBody(file: file)
        try Data("123".utf8).write(to: file)
        let transport = try carrier.transport()
        try await LoopbackServer.run(StubResponses().otherwise(.text("fine"))) { server async throws in
            await #expect(throws: TransportError.self) { try await transport.text(.put, server.url, body) }
            #expect(server.requestCount == 0)
        }
    }

    @Test("A file body is sent again after a retry and a redirect")
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
        "A body of a missing or non-regular file is a one-line declaration error, and nothing is sent",
        arguments: [
            ("none", "there is no file "), (".", "is not a regular file"), ("pipe", "is not a regular file"),
        ]
    )
    func declarationErrors(name: String, words: String) async throws {
        _ = try directory.file(Data())
        #expect(mkfifo(directory.url.appendingPathComponent("pipe").path, 0o600) == 0)
        let stub = StubTransport { _ in .status(204) }
        let file = directory.url.appendingPathComponent(name)
        let upload: Endpoint<Void> = Client(Shop.url, transport: stub).endpoint {
            PUT("a")
            Body(file: file, contentType: "text/plain")
        }
        let error = await failure { try await upload.send() }
        guard case .request(let failure)? = error else {
            Issue.record("expected a declaration error, not \(String(describing: error))")
            return
        }
        #expect(failure.declarationErrors.map(\.clause) == ["Body"])
        let reason = try #require(failure.declarationErrors.first?.reason)
        #expect(reason.contains(words) && reason.contains(name == "." ? directory.url.path : name))
        #expect(!reason.contains("Error") && !reason.contains("{") && !reason.contains("\n"))
        #expect(stub.requests.isEmpty)
    }
}
