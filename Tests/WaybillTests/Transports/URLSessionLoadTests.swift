import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("URLSessionTransport, load", .timeLimit(.minutes(10)))
struct URLSessionLoadTests {
    @Test("carries 200 requests at a time, each to its own answer")
    func concurrent() async throws {
        let transport = URLSessionTransport()
        try await LoopbackServer.run(["POST {}": .answer { .text($0.path + $0.text) }]) { server async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<200 {
                    group.addTask {
                        let request = HTTPRequest(
                            method: .post,
                            url: server.url.appending(path: "\(index)"),
                            body: HTTPBody(Data("-\(index)".utf8))
                        )
                        let response = try await transport.send(request)
                        #expect(try await response.body.collect() == Data("/\(index)-\(index)".utf8))
                    }
                }
                try await group.waitForAll()
            }
            #expect(server.acceptedConnections <= 200)
        }
    }

    @Test("opens no more connections than configured, however many requests there are")
    func limited() async throws {
        let configuration = URLSessionTransport.defaultConfiguration
        configuration.httpMaximumConnectionsPerHost = 4
        let transport = URLSessionTransport(configuration: configuration)
        try await LoopbackServer.run(["GET it": .text("fine")]) { server async throws in
            let request = HTTPRequest(method: .get, url: server.url.appending(path: "it"))
            try await withThrowingTaskGroup(of: Data.self) { group in
                for _ in 0..<100 { group.addTask { try await transport.send(request).body.collect() } }
                for try await body in group { #expect(body == Data("fine".utf8)) }
            }
            #expect(server.acceptedConnections <= 4)
        }
    }

    @Test("delivers 20 MB, chunk by chunk", arguments: [false, true])
    func large(isChunked: Bool) async throws {
        let bytes = Data.sample(count: 20_000_000)
        var answer = Answer.bytes(bytes)
        if isChunked { answer = answer.chunked(size: 50_000) }
        try await LoopbackServer.run(["GET it": .answer(answer)]) { server async throws in
            let response = try await URLSessionTransport().send(
                HTTPRequest(method: .get, url: server.url.appending(path: "it"))
            )
            if !isChunked { #expect(response.body.length == bytes.count) }
            #expect(try await response.body.collect() == bytes)
        }
    }

    @Test("lets go of its session and its connections when it is dropped")
    func dropped() async throws {
        try await LoopbackServer.run(["GET it": .text("fine")]) { server async throws in
            for _ in 1...50 {
                let request = HTTPRequest(method: .get, url: server.url.appending(path: "it"))
                #expect(try await URLSessionTransport().send(request).body.collect() == Data("fine".utf8))
            }
            await server.waitForOpenConnections(atMost: 0)
        }
    }
}
