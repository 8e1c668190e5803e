import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

extension ConformanceCase {
    /// Returns a case for a body in a content coding, sent only to a client that accepts the coding.
    private static func coded(_ coding: String, _ base64: String) -> ConformanceCase {
        let encoded = Data(base64Encoded: base64) ?? Data()
        let response = Responder.response { request in
            let accepted = request.headerFields[.acceptEncoding] ?? ""
            return accepted.contains(coding)
                ? .bytes(encoded).header("Content-Encoding", coding) : .text("TEST\n")
        }
        return ConformanceCase("a body in the coding \(coding)", response) { #expect($1 == Data("TEST\n".utf8)) }
    }

    /// Response and request bodies, read completely and in part.
    static let bodies: [ConformanceCase] = [
        coded("gzip", "H4sIAP3Wd2kEAwtxDQ7hAgC+14P3BQAAAA=="), coded("deflate", "eJwLcQ0O4QIABGgBSw=="),
        coded("br", "DwKAVEVTVAoD"),
        ConformanceCase("a body without a coding", .text("TEST\n")) { response, body in
            #expect(response.headerFields[.contentEncoding] == nil && body == Data("TEST\n".utf8))
        },
        ConformanceCase(
            "a text that is echoed",
            .response { .bytes($0.body) },
            request: .post,
            body: HTTPBody(Chunks("Hello ", "World"))
        ) { #expect($1 == Data("Hello World".utf8)) },
        ConformanceCase(
            "1 MB that is echoed",
            .response { .bytes($0.body) },
            request: .post,
            body: HTTPBody(Chunks(Data.sample(count: 1_000_000), size: 70_001), length: 1_000_000)
        ) { #expect($1 == Data.sample(count: 1_000_000)) },
        ConformanceCase(
            "an empty body in chunks",
            described,
            request: .post,
            body: HTTPBody(Chunks(""))
        ) { #expect($1 == Data("POST [] ".utf8)) },
        ConformanceCase("1 MB of which one byte is read") { (carrier: Carrier) async throws in
            let transport = try carrier.transport()
            let responses: StubResponses = ["GET it": .bytes(Data.sample(count: 1_000_000)), "GET fine": .text("fine")]
            try await LoopbackServer.run(responses) { server async throws in
                let request = HTTPRequest(method: .get, url: server.url.appending(path: "it"))
                var iterator = try await transport.send(request).body.makeAsyncIterator()
                #expect(try await iterator.next()?.first == Data.sample(count: 1).first)
                try await transport.expectWorks(server)
            }
        },
        ConformanceCase("1 MB that is read byte by byte") { (carrier: Carrier) async throws in
            let transport = try carrier.transport()
            let bytes = Data.sample(count: 1_000_000)
            try await LoopbackServer.run(["GET it": .bytes(bytes).chunked(bytes: 1000)]) { server async throws in
                let response = try await transport.send(
                    HTTPRequest(method: .get, url: server.url.appending(path: "it"))
                )
                var collected: [UInt8] = []
                for try await chunk in response.body {
                    for byte in chunk { collected.append(byte) }
                }
                #expect(Data(collected) == bytes)
            }
        },
        cancelled("a task that is cancelled before the head", by: .never, reads: false),
        cancelled(
            "a task that is cancelled within the body",
            by: .response(.raw("HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\nabc", closing: false)),
            reads: true
        ),
    ]

    /// Returns a case for a task cancelled before its response is complete.
    private static func cancelled(_ name: String, by response: Responder, reads: Bool) -> ConformanceCase {
        ConformanceCase(name) { (carrier: Carrier) async throws in
            let transport = try carrier.transport()
            try await LoopbackServer.run(["GET it": response, "GET fine": .text("fine")]) { server async throws in
                let reading = Gate()
                let task = Task {
                    let request = HTTPRequest(method: .get, url: server.url.appending(path: "it"))
                    for try await _ in try await transport.send(request).body { reading.open() }
                }
                await server.waitForRequests(count: 1)
                if reads { await reading.waitUntilOpen() }
                task.cancel()
                let error = await #expect(throws: TransportError.self) { try await task.value }
                #expect(error?.kind == .cancelled)
                try await transport.expectWorks(server)
            }
        }
    }

    /// Bytes that alternate between both directions, one at a time.
    static let interleaved: [ConformanceCase] = [
        interleaved("a request whose bytes are echoed one by one", speaking: false),
        interleaved("a response whose bytes are echoed one by one", speaking: true),
    ]

    private static func interleaved(_ name: String, speaking: Bool) -> ConformanceCase {
        let reason = "the body is read to its end before it is sent, so both ends would wait"
        return ConformanceCase(name, unmet: notOverURLSession(reason)) { (carrier: Carrier) async throws in
            let rounds = 1000
            let server = try DuplexServer(speaking: speaking ? rounds : 0)
            let (stream, continuation) = AsyncStream<Data>.makeStream()
            let byte = Data("A".utf8)
            if !speaking { continuation.yield(byte) }
            let request = HTTPRequest(method: .post, url: server.url, body: HTTPBody(stream))
            let response = try await carrier.transport().send(request)
            #expect(response.status == 200)
            var count = 0
            for try await chunk in response.body {
                #expect(chunk == byte)
                count += 1
                if speaking || count < rounds { continuation.yield(chunk) } else { continuation.finish() }
            }
            continuation.finish()
            #expect(count == rounds)
        }
    }
}
