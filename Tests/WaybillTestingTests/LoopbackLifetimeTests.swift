import Foundation
import TestSupport
import Testing
import Waybill

@testable import WaybillTesting

@Suite("Lifetime of loopback servers", .inTurn, .safetyNet)
struct LoopbackLifetimeTests {
    @Test("Stopping a loopback server ends its connections and listening, and is idempotent")
    func stops() async throws {
        let server = try LoopbackServer(["GET a": .text("abcd")])
        let idle = try WireClient(server.url)
        await idle.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
        _ = await idle.receiveResponse()
        server.stop()
        server.stop()
        #expect(await idle.receiveAll().ending == .closed)
        #expect(throws: WireClient.Failure.self) { try WireClient(server.url) }
        #expect(server.requests.count == 1)
    }

    @Test("A loopback server stops when it is released or its scope ends")
    func ends() async throws {
        var server: LoopbackServer? = try LoopbackServer([:])
        let url = try #require(server?.url)
        server = nil
        #expect(throws: WireClient.Failure.self) { try WireClient(url) }

        struct Oops: Error {}
        var scoped = url
        await #expect(throws: Oops.self) {
            try await LoopbackServer.run([:]) { server in
                scoped = server.url
                throw Oops()
            }
        }
        #expect(throws: WireClient.Failure.self) { try WireClient(scoped) }
    }

    @Test("A loopback server keeps serving after clients disconnect at any point")
    func survives() async throws {
        let server = try LoopbackServer([
            "GET a": .bytes(Data(count: 1 << 20)), "GET b": .text("b"), "PUT a": .status(204),
        ])
        for beginning in ["", "GE", "GET /a HTTP/1.1\r\nHost: h\r\n\r\n", "PUT /a HTTP/1.1\r\nContent-Le"] {
            for _ in 1...20 {
                let client = try WireClient(server.url)
                await client.send(beginning)
            }
        }
        #expect(try await server.url.get("/b").text.hasSuffix("\r\n\r\nb"))
        await server.waitForOpenConnections(atMost: 0)
    }

    @Test("A loopback server at its connection limit serves a waiting connection when another one closes")
    func full() async throws {
        let server = try LoopbackServer(
            ["GET a": .text("a")],
            limits: LoopbackServer.Limits(),
            keepsRequests: true,
            maximumConnections: 3
        )
        var clients: [WireClient] = []
        for _ in 1...3 {
            let client = try WireClient(server.url)
            await client.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
            _ = await client.receiveResponse()
            clients.append(client)
        }
        let waiting = try WireClient(server.url)
        await waiting.send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
        await clients[0].send("GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
        _ = await clients[0].receiveResponse()
        #expect(server.acceptedConnections == 3)
        #expect(server.requestCount == 4)
        clients.removeFirst()
        #expect(await waiting.receiveResponse().text.hasSuffix("\r\n\r\na"))
        #expect(server.acceptedConnections == 4)
        #expect(server.openConnections == 3)
    }

    // A separate process, because other tests open descriptors and start threads in parallel.
    #if os(Linux)
        @Test("A loopback server leaks no descriptor and no thread")
        func leavesNothing() async throws {
            await #expect(processExitsWith: .success) {
                func count() throws -> Int {
                    try ["/proc/self/fd", "/proc/self/task"].map {
                        try FileManager.default.contentsOfDirectory(atPath: $0).count
                    }.reduce(0, +)
                }
                let before = try count()
                for round in 1...300 {
                    let server = try LoopbackServer([
                        "GET a": .response { _ in .text("a") }, "GET b": .reset(.insideHead),
                    ])
                    let client = try WireClient(server.url)
                    await client.send("GET /\(round.isMultiple(of: 2) ? "a" : "b") HTTP/1.1\r\nHost: h\r\n\r\n")
                    _ = await client.receive { !$0.bytes.isEmpty }
                    server.stop()
                }
                #expect(try count() - before < 150)
            }
        }

        @Test("A running loopback server leaks no thread stacks")
        func joinsThreads() async throws {
            await #expect(processExitsWith: .success) {
                func bytes() throws -> Int {
                    let sizes = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
                    return (sizes.split(separator: " ").first.flatMap { Int($0) } ?? 0) * Int(getpagesize())
                }
                let server = try LoopbackServer(["GET a": .status(204)])
                let before = try bytes()
                for _ in 1...400 { _ = try await server.url.get("/a") }
                // The stacks of 400 threads would occupy 3 GB of address space.
                #expect(try bytes() - before < 2 << 30)
                #expect(server.acceptedConnections == 400)
            }
        }
    #endif

    @Test("Many loopback servers serve many clients at once")
    func servesInParallel() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 1...8 {
                group.addTask {
                    try await LoopbackServer.run(["GET {}": .response { .text("\(index) \($0.pathValues)") }]) {
                        server in
                        try await withThrowingTaskGroup(of: Void.self) { group in
                            for number in 1...8 {
                                group.addTask {
                                    let client = try WireClient(server.url)
                                    for _ in 1...10 {
                                        await client.send("GET /\(number) HTTP/1.1\r\nHost: h\r\n\r\n")
                                        let text = await client.receiveResponse().text
                                        #expect(text.hasSuffix("\r\n\r\n\(index) [\"\(number)\"]"))
                                    }
                                }
                            }
                            try await group.waitForAll()
                        }
                        #expect(server.requests.count == 80)
                        #expect(server.acceptedConnections == 8)
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
