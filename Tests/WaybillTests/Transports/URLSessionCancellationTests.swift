import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("URLSessionTransport, cancellation", .timeLimit(.minutes(10)))
struct URLSessionCancellationTests {
    private let transport = URLSessionTransport()

    /// Checks that the transport is none the worse.
    private func expectWorks(_ server: LoopbackServer) async throws {
        let request = HTTPRequest(method: .get, url: server.url.appending(path: "fine"))
        #expect(try await transport.send(request).body.collect() == Data("fine".utf8))
    }

    @Test("sends nothing for a task that is cancelled already")
    func cancelledBefore() async throws {
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
            try await expectWorks(server)
        }
    }

    @Test("stops waiting for the head, and closes the connection")
    func cancelledBeforeHead() async throws {
        try await LoopbackServer.run(["GET it": .never, "GET fine": .text("fine")]) { server async throws in
            let task = Task {
                try await transport.send(HTTPRequest(method: .get, url: server.url.appending(path: "it")))
            }
            await server.waitForRequests(count: 1)
            task.cancel()
            await expectCancelled(task)
            await server.waitForOpenConnections(atMost: 0)
            try await expectWorks(server)
        }
    }

    @Test("stops waiting for more of the body, and closes the connection")
    func cancelledInsideBody() async throws {
        let head = Gate()
        try await LoopbackServer.run([
            "GET it": .raw("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", closing: false),
            "GET fine": .text("fine"),
        ]) { server async throws in
            let task = Task {
                let response = try await transport.send(
                    HTTPRequest(method: .get, url: server.url.appending(path: "it"))
                )
                for try await chunk in response.body {
                    #expect(chunk == Data("abc".utf8))
                    head.open()
                }
            }
            await head.waitUntilOpen()
            task.cancel()
            await expectCancelled(task)
            await server.waitForOpenConnections(atMost: 0)
            try await expectWorks(server)
        }
    }

    /// None of them is complete before the response is dropped, however late that is: then there would be nothing to
    /// stop, and the connection would stay open for the next request.
    static let unfinished: [Answer] = [
        .raw("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", closing: false),
        .raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", closing: false),
        .bytes(Data(count: 1_000_000)).dripped(bytes: 1, every: .milliseconds(1)),
    ]

    @Test(
        "closes the connection when the response is dropped and its body was not read to the end",
        arguments: unfinished,
        [0, 1]
    )
    func dropped(_ answer: Answer, chunksRead: Int) async throws {
        try await LoopbackServer.run([
            "GET it": .answer(answer),
            "GET fine": .text("fine"),
        ]) { server async throws in
            let url = server.url.appending(path: "it")
            var response: HTTPResponse? = try await transport.send(HTTPRequest(method: .get, url: url))
            #expect(response?.status == 200)
            var iterator = response?.body.makeAsyncIterator()
            for _ in 0..<chunksRead { #expect(try await iterator?.next()?.isEmpty == false) }
            response = nil
            iterator = nil
            await server.waitForOpenConnections(atMost: 0)
            try await expectWorks(server)
        }
    }

    @Test("keeps the transfer alive while only an iterator is left, and without the transport")
    func keptByIterator() async throws {
        let gate = Gate()
        try await LoopbackServer.run(["GET it": .text("a body").bodyHeld(by: gate)]) { server async throws in
            let request = HTTPRequest(method: .get, url: server.url.appending(path: "it"))
            var iterator = try await URLSessionTransport().send(request).body.makeAsyncIterator()
            gate.open()
            var bytes = Data()
            while let chunk = try await iterator.next() { bytes += chunk }
            #expect(bytes == Data("a body".utf8))
        }
    }

    @Test("stops a request that waits for its turn")
    func cancelledInLine() async throws {
        let configuration = URLSessionTransport.defaultConfiguration
        configuration.httpMaximumConnectionsPerHost = 1
        let transport = URLSessionTransport(configuration: configuration)
        let gate = Gate()
        try await LoopbackServer.run(["GET it": .text("fine").held(by: gate)]) { server async throws in
            let request = HTTPRequest(method: .get, url: server.url.appending(path: "it"))
            async let first = transport.send(request).body.collect()
            await server.waitForRequests(count: 1)
            let second = Task { try await transport.send(request) }
            async let third = transport.send(request).body.collect()
            second.cancel()
            await expectCancelled(second)
            gate.open()
            #expect(try await [first, third] == [Data("fine".utf8), Data("fine".utf8)])
            #expect(server.requestCount == 2)
        }
    }

    @Test("survives cancellations that race with every phase of an answer", arguments: Race.allCases)
    func races(_ race: Race) async throws {
        try await LoopbackServer.run(["POST it": .answer(race.answer), "GET fine": .text("fine")]) {
            server async throws in
            let url = server.url.appending(path: "it")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<1000 {
                    if index >= 16 { try await group.next() }
                    group.addTask { try await cancelMidway(url, after: index % 40) }
                }
                try await group.waitForAll()
            }
            try await expectWorks(server)
        }
    }

    /// Sends a request and cancels it a little later: after other tasks had so many turns.
    private func cancelMidway(_ url: URL, after turns: Int) async throws {
        let task = Task {
            let request = HTTPRequest(method: .post, url: url, body: HTTPBody(Data("x".utf8)))
            let response = try await transport.send(request)
            return (response.status, try await response.body.collect())
        }
        for _ in 0..<(turns * turns / 4) { await Task.yield() }
        task.cancel()
        do {
            let (status, body) = try await task.value
            #expect(body == Data((status == 200 ? "a body" : "other").utf8))
        } catch let error as TransportError {
            #expect(error.kind == .cancelled)
        }
    }

    enum Race: CaseIterable {
        case whole, chunked, redirect, challenge

        var answer: Answer {
            switch self {
            case .whole: .text("a body")
            case .chunked: .text("a body").chunked(size: 1)
            case .redirect: .text("other", status: 302).header("Location", "/other")
            case .challenge: .text("other", status: 401).header("WWW-Authenticate", "Basic realm=\"x\"")
            }
        }
    }

    private func expectCancelled<Value: Sendable>(_ task: Task<Value, any Error>) async {
        let error = await #expect(throws: TransportError.self) { try await task.value }
        #expect(error?.kind == .cancelled)
    }
}
