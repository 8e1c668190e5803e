import CallSupport

#if os(Linux)
    import Foundation
    import TestSupport
    import Testing
    import Waybill

    @testable import WaybillTesting
    @testable import WaybillCurl

    /// The server closes each connection after its response, just as the next request arrives.
    @Suite("CurlTransport: connections that have just closed", .inTurn, .safetyNet)
    struct TransportStaleConnectionTests {
        private static let count = Thoroughness.repetitions(2_000, otherwise: 200)

        @Test(
            "An idempotent request does not fail if its persistent connection has just closed",
            arguments: Thoroughness.some(["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"], oneIn: 4)
        )
        func idempotent(method: String) async throws {
            let method = try #require(HTTPRequest.Method(method))
            let server = try LoopbackServer(StubResponses().otherwise(.text("fine").closing(announced: false)))
            defer { server.stop() }
            let transport = try CurlTransport(.with { $0.connections.perOrigin = 4 })
            var failures: [String] = []
            for _ in 0..<Self.count {
                let body = method == .put ? HTTPBody(Data("body".utf8)) : nil
                do {
                    let text = try await transport.text(method, server.url, body)
                    if text != (method == .head ? "" : "fine") { failures.append(text) }
                } catch {
                    failures.append("\(error)")
                }
            }
            #expect(failures.isEmpty, "\(failures.count) of \(Self.count), the first: \(failures.first ?? "")")
        }

        @Test("A POST does not reach the server twice if its persistent connection has just closed")
        func post() async throws {
            let server = try LoopbackServer(StubResponses().otherwise(.text("fine").closing(announced: false)))
            defer { server.stop() }
            let transport = try CurlTransport(.with { _ in })
            for number in 0..<Self.count {
                do {
                    #expect(try await transport.text(.post, server.url, HTTPBody(Data("\(number)".utf8))) == "fine")
                } catch let error as TransportError {
                    #expect(error.kind == .connectionLost)
                }
            }
            let bodies = server.requests.map(\.text)
            #expect(Set(bodies).count == bodies.count)
        }

        @Test("The client closes an idle connection at once when the server closes it")
        func closesAtOnce() async throws {
            try await LoopbackServer.run(["GET it": .text("fine").closing(announced: false)]) { server async throws in
                let transport = try CurlTransport(.with { $0.connections.idleLifetime = .seconds(3600) })
                #expect(try await transport.get(server.url.appending(path: "it")).text == "fine")
                await waitUntil { ConnectionDescriptors.to(server.url).isEmpty }
                _ = transport
            }
        }

        @Test("Child processes do not inherit the sockets of CurlTransport")
        func closesOnExec() async throws {
            try await LoopbackServer.run(["GET it": .text("fine")]) { server async throws in
                let transport = try CurlTransport(.with { _ in })
                #expect(try await transport.get(server.url.appending(path: "it")).text == "fine")
                let descriptors = ConnectionDescriptors.to(server.url)
                #expect(descriptors.count == 1)
                for descriptor in descriptors { #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0) }
                _ = transport
            }
        }
    }
#endif
