import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Transports: uploads", .inTurn, .safetyNet)
struct TransportUploadTests {
    private static let everything = StubResponses().otherwise(.text("fine"))

    @Test("A transport sends a body of unknown length in chunks", arguments: Carrier.allCases)
    func unknownLength(_ carrier: Carrier) async throws {
        let transport = try carrier.transport()
        try await LoopbackServer.run(Self.everything) { server async throws in
            let body = HTTPBody(Chunks("one ", "", "two ", "three"))
            #expect(try await transport.text(.post, server.url, body) == "fine")
            let request = try #require(server.requests.first)
            #expect(request.text == "one two three")
            let isCollected = carrier.deviations.contains(.collectsUploads)
            #expect(request.headerFields[values: .transferEncoding] == (isCollected ? [] : ["chunked"]))
            #expect(request.headerFields[values: .contentLength] == (isCollected ? ["13"] : []))
        }
    }

    @Test("A transport sends a body of known length with Content-Length", arguments: Carrier.allCases)
    func knownLength(_ carrier: Carrier) async throws {
        let transport = try carrier.transport()
        try await LoopbackServer.run(Self.everything) { server async throws in
            let body = HTTPBody(Chunks("one ", "", "two ", "three", ""), length: 13)
            #expect(try await transport.text(.put, server.url, body) == "fine")
            let request = try #require(server.requests.first)
            #expect(request.text == "one two three")
            #expect(request.headerFields[values: .contentLength] == ["13"])
            #expect(request.headerFields[.transferEncoding] == nil)
        }
    }

    @Test(
        "A transport sends 5 MB intact from memory, a file and a stream, with or without a length",
        arguments: Carrier.allCases
    )
    func large(_ carrier: Carrier) async throws {
        let transport = try carrier.transport()
        let bytes = Data.sample(count: 5_000_000)
        let chunks = Chunks(bytes, size: 70_001)
        let directory = TemporaryDirectory()
        let file = try directory.file(bytes)
        let bodies = try [
            HTTPBody(bytes), HTTPBody(file: file), HTTPBody(chunks, length: bytes.count), HTTPBody(chunks),
        ]
        try await LoopbackServer.run(Self.everything) { server async throws in
            for body in bodies {
                #expect(try await transport.text(.put, server.url, body) == "fine")
            }
            #expect(server.requests.count == 4)
            #expect(server.requests.allSatisfy { $0.body == bytes })
            #expect(server.requests[1].headerFields[.contentLength] == "5000000")
        }
    }

    @Test(
        "A transport rejects a body that differs from its declared length, and sends no complete request",
        arguments: [1, 4, 12, 14, 99],
        Carrier.allCases
    )
    func wrongLength(length: Int, _ carrier: Carrier) async throws {
        let transport = try carrier.transport()
        try await LoopbackServer.run(Self.everything) { server async throws in
            let body = HTTPBody(Chunks("one ", "two ", "three"), length: length)
            let error = await #expect(throws: TransportError.self) {
                try await transport.text(.put, server.url, body)
            }
            #expect(error?.kind == .unsupportedRequest)
            await server.waitForOpenConnections(atMost: 0)
            #expect(server.requestCount == 0)
            #expect(try await transport.text(.put, server.url, HTTPBody(Chunks("right"))) == "fine")
        }
    }

    @Test("A transport throws the error of a failing body", arguments: [nil, 100], Carrier.allCases)
    func failingBody(length: Int?, _ carrier: Carrier) async throws {
        let transport = try carrier.transport()
        try await LoopbackServer.run(Self.everything) { server async throws in
            let body = HTTPBody(Chunks("one ", error: Chunks.Broken()), length: length)
            let error = await #expect(throws: TransportError.self) {
                try await transport.text(.put, server.url, body)
            }
            #expect(error?.underlying is Chunks.Broken)
            await server.waitForOpenConnections(atMost: 0)
            #expect(server.requestCount == 0)
        }
    }

    @Test(
        "The first-byte timeout applies after a body with or without a length",
        arguments: [nil, 200_000],
        Carrier.allCases
    )
    func silence(length: Int?, _ carrier: Carrier) async throws {
        let transport = try carrier.transport(Carrier.Settings(firstByte: .milliseconds(200)))
        try await LoopbackServer.run(["PUT it": .never, "GET fine": .text("fine")]) { server async throws in
            let body = HTTPBody(Chunks(Data.sample(count: 200_000), size: 70_001), length: length)
            let error = await #expect(throws: TransportError.self) {
                try await transport.text(.put, server.url.appending(path: "it"), body)
            }
            #expect(error?.kind == .timedOut)
            #expect(error?.timeout == (carrier.deviations.contains(.hasOneTimeLimit) ? nil : .firstByte))
            try await transport.expectWorks(server)
        }
    }
}
