import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Transports: cancellation", .inTurn, .safetyNet)
struct TransportCancellationTests {
    private func expectCancelled<Value: Sendable>(_ task: Task<Value, any Error>) async {
        let error = await #expect(throws: TransportError.self) { try await task.value }
        #expect(error?.kind == .cancelled)
    }

    @Test("A transport sends nothing for an already cancelled task", arguments: Carrier.allCases)
    func cancelledBefore(_ carrier: Carrier) async throws {
        let transport = try carrier.transport()
        try await LoopbackServer.run(["GET fine": .text("fine")]) { server async throws in
            let gate = Gate()
            let task = Task {
                await gate.waitUntilOpen()
                return try await transport.send(HTTPRequest(method: .get, url: server.url))
            }
            task.cancel()
            gate.open()
            await expectCancelled(task)
            #expect(server.acceptedConnections == 0)
            try await transport.expectWorks(server)
        }
    }

    @Test("A transport cancels a request waiting for a connection", arguments: Carrier.allCases)
    func cancelledInLine(_ carrier: Carrier) async throws {
        let transport = try carrier.transport(Carrier.Settings(callsPerOrigin: 1))
        let gate = Gate()
        try await LoopbackServer.run(["GET it": .text("fine").held(by: gate)]) { server async throws in
            let url = server.url.appending(path: "it")
            async let first = transport.text(.get, url)
            await server.waitForRequests(count: 1)
            let second = Task { try await transport.text(.get, url) }
            async let third = transport.text(.get, url)
            second.cancel()
            await expectCancelled(second)
            gate.open()
            #expect(try await [first, third] == ["fine", "fine"])
            #expect(server.requestCount == 2)
        }
    }

    @Test(
        "A transport releases a request cancelled while waiting for a connection",
        arguments: Carrier.allCases
    )
    func releasedInLine(_ carrier: Carrier) async throws {
        let transport = try carrier.transport(Carrier.Settings(callsPerOrigin: 1))
        try await LoopbackServer.run(["GET it": .never]) { server async throws in
            let url = server.url.appending(path: "it")
            let first = Task { try await transport.text(.get, url) }
            await server.waitForRequests(count: 1)
            let released = Gate()
            let second = Task { try await transport.text(.put, url, HTTPBody(Kept(released: released))) }
            for _ in 0..<100 { await Task.yield() }
            second.cancel()
            await expectCancelled(second)
            await released.waitUntilOpen()
            #expect(server.requestCount == 1)
            first.cancel()
            await expectCancelled(first)
        }
    }

    /// An empty body that opens a gate when it is released.
    private final class Kept: AsyncSequence, Sendable {
        private let released: Gate

        init(released: Gate) { self.released = released }

        deinit { released.open() }

        struct AsyncIterator: AsyncIteratorProtocol {
            mutating func next() async -> Data? { nil }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
    }

    @Test("A transport sends the next request after the one ahead of it is cancelled", arguments: Carrier.allCases)
    func cancelledAheadOfLine(_ carrier: Carrier) async throws {
        let transport = try carrier.transport(Carrier.Settings(callsPerOrigin: 1))
        try await LoopbackServer.run(["GET it": .never, "GET fine": .text("fine")]) { server async throws in
            for count in 1...3 {
                let first = Task { try await transport.text(.get, server.url.appending(path: "it")) }
                await server.waitForRequests(count: 2 * count - 1)
                async let second: Void = transport.expectWorks(server)
                first.cancel()
                await expectCancelled(first)
                try await second
            }
        }
    }

    @Test("Cancelling a call before the head ends the call and closes its connection", arguments: Carrier.allCases)
    func cancelledBeforeHead(_ carrier: Carrier) async throws {
        let transport = try carrier.transport()
        try await LoopbackServer.run(["GET it": .never, "GET fine": .text("fine")]) { server async throws in
            let task = Task { try await transport.text(.get, server.url.appending(path: "it")) }
            await server.waitForRequests(count: 1)
            task.cancel()
            await expectCancelled(task)
            await server.waitForOpenConnections(atMost: 0)
            try await transport.expectWorks(server)
        }
    }

    @Test("Cancelling a call inside the body ends the call and closes its connection", arguments: Carrier.allCases)
    func cancelledInsideBody(_ carrier: Carrier) async throws {
        let transport = try carrier.transport()
        let head = Gate()
        try await LoopbackServer.run([
            "GET it": .raw("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", closing: false),
            "GET fine": .text("fine"),
        ]) { server async throws in
            let task = Task {
                let request = HTTPRequest(method: .get, url: server.url.appending(path: "it"))
                for try await chunk in try await transport.send(request).body {
                    #expect(chunk == Data("abc".utf8))
                    head.open()
                }
            }
            await head.waitUntilOpen()
            task.cancel()
            await expectCancelled(task)
            await server.waitForOpenConnections(atMost: 0)
            try await transport.expectWorks(server)
        }
    }

    /// Returns a body that yields one chunk and then never ends.
    ///
    /// - Parameters:
    ///   - isRead: opens when the chunk is read.
    ///   - ended: opens when reading ends. A reader that stops between two chunks does so by dropping the body, so no
    ///     other reference to the body may exist.
    private static func endless(length: Int?, isRead: Gate, ended: Gate) -> HTTPBody {
        let chunks = AsyncStream(Data.self) { continuation in
            continuation.onTermination = { _ in ended.open() }
            continuation.yield(Data("abc".utf8))
        }
        let read = chunks.map { chunk in
            isRead.open()
            return chunk
        }
        return HTTPBody(read, length: length)
    }

    @Test(
        "A cancelled upload closes the connection and stops reading its body",
        arguments: [nil, 10],
        Carrier.allCases
    )
    func cancelledInsideUpload(length: Int?, _ carrier: Carrier) async throws {
        let transport = try carrier.transport()
        try await LoopbackServer.run(["PUT it": .text("no"), "GET fine": .text("fine")]) { server async throws in
            let (isRead, ended) = (Gate(), Gate())
            let task = Task {
                let body = Self.endless(length: length, isRead: isRead, ended: ended)
                return try await transport.text(.put, server.url.appending(path: "it"), body)
            }
            await isRead.waitUntilOpen()
            // A transport that collects the body first sends nothing until the body is complete.
            let isCollected = carrier.deviations.contains(.collectsUploads)
            await waitUntil { isCollected || server.acceptedConnections > 0 }
            task.cancel()
            await expectCancelled(task)
            await ended.waitUntilOpen()
            await server.waitForOpenConnections(atMost: 0)
            #expect(server.requestCount == 0)
            #expect(server.acceptedConnections == (isCollected ? 0 : 1))
            try await transport.expectWorks(server)
        }
    }
}
