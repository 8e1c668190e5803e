import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting
import WaybillURLSession

#if os(Linux)
    import WaybillCurl
#endif

@Suite("Transfer metrics", .inTurn, .safetyNet)
struct TransferMetricsTests {
    private static let responses: StubResponses = [
        "GET it": .text("fine"),
        "POST it": .text("stored", status: 201),
        "GET drip": .text("in pieces").chunked().dripped(bytes: 3, every: .milliseconds(1)),
        "GET cut": .text("in pieces").truncated(afterBytes: 3),
        "GET moved": .redirect(to: "/it"),
    ]

    #if os(Linux)
        @Test("libcurl metrics report a reused connection without connection times")
        func reuse() async throws {
            try await LoopbackServer.run(Self.responses) { server async throws in
                let recorder = Recorder()
                let client = Client(server.url, transport: try CurlTransport()) { Observe(recorder) }
                for _ in 1...2 { _ = try await client.get("it", as: Data.self) }
                let heads = recorder.events.filter { if case .head = $0.kind { true } else { false } }
                let bodies = recorder.events.filter { if case .body = $0.kind { true } else { false } }
                #expect(server.acceptedConnections == 1)
                #expect(heads.map { $0.metrics?.isConnectionReused } == [false, true])
                #expect(bodies.map { $0.metrics?.isConnectionReused } == [false, true])
                #expect(bodies.map { $0.metrics?.protocolVersion } == ["HTTP/1.1", "HTTP/1.1"])
                #expect(bodies.map { $0.metrics?.connect == nil } == [false, true])
                #expect(bodies.allSatisfy { $0.metrics?.secure == nil })
                for metrics in bodies.compactMap(\.metrics) {
                    let total = try #require(metrics.total)
                    #expect(try #require(metrics.firstByte) <= total)
                    #expect(metrics.bytesReceived == 4)
                    #expect(metrics.bytesSent == 0)
                }
                #expect(recorder.events.count { $0.metrics != nil } == 4)
            }
        }

        @Test("libcurl metrics for a streamed body are complete after the body ends")
        func streamed() async throws {
            try await LoopbackServer.run(Self.responses) { server async throws in
                let request = HTTPRequest(method: .get, url: server.url.appending(path: "drip"))
                let report = TransferOptions.Report(isMeasured: true)
                let response = try await CurlTransport().send(request, options: TransferOptions(report: report))
                #expect(report.metrics?.isConnectionReused == false)
                #expect(try await response.body.collect().count == 9)
                #expect(report.metrics?.total != nil)
                #expect(report.metrics?.bytesReceived == 9)
            }
        }

        @Test("libcurl metrics count the bytes of a request body and of a truncated response")
        func bytes() async throws {
            try await LoopbackServer.run(Self.responses) { server async throws in
                let transport = try CurlTransport()
                for count in [5, 100_000] {
                    let body = HTTPBody(Data(repeating: 0x61, count: count))
                    let request = HTTPRequest(method: .post, url: server.url.appending(path: "it"), body: body)
                    let report = TransferOptions.Report(isMeasured: true)
                    let response = try await transport.send(request, options: TransferOptions(report: report))
                    _ = try await response.body.collect()
                    #expect(report.metrics?.bytesSent == count)
                }
                let request = HTTPRequest(method: .get, url: server.url.appending(path: "cut"))
                let report = TransferOptions.Report(isMeasured: true)
                let response = try await transport.send(request, options: TransferOptions(report: report))
                _ = try? await response.body.collect()
                #expect(report.metrics?.bytesReceived == 3)
            }
        }
    #endif

    @Test("Without an observer, nothing is measured on Linux")
    func unmeasured() async throws {
        try await LoopbackServer.run(Self.responses) { server async throws in
            let request = HTTPRequest(method: .get, url: server.url.appending(path: "it"))
            var transports: [any Transport] = [StubTransport(Self.responses)]
            #if os(Linux)
                transports += [try CurlTransport(), URLSessionTransport()] as [any Transport]
            #endif
            for transport in transports {
                let report = TransferOptions.Report(isMeasured: false)
                let response = try await transport.send(request, options: TransferOptions(report: report))
                _ = try await response.body.collect()
                #expect(report.metrics == nil)
            }
        }
    }

    @Test("A call's events over a socket are in order, including those of a redirect")
    func order() async throws {
        try await LoopbackServer.run(Self.responses) { server async throws in
            var transports: [any Transport] = [URLSessionTransport()]
            #if os(Linux)
                transports.append(try CurlTransport())
            #endif
            for transport in transports {
                let recorder = Recorder()
                let client = Client(server.url, transport: AnyTransport(transport)) { Observe(recorder) }
                _ = try await client.get("moved", as: Data.self)
                _ = try? await client.get("cut", as: Data.self)
                #expect(
                    recorder.kinds.prefix(7) == [
                        "began", "sent", "head, 302 Found", "sent", "head, 200 OK", "body, 4 bytes",
                        "finished, 200 OK",
                    ]
                )
                #expect(recorder.kinds.dropFirst(7).prefix(2) == ["began", "sent"])
                #expect(recorder.kinds.last?.hasPrefix("failed: ") == true)
                #expect(!recorder.kinds.dropFirst(7).contains { $0.hasPrefix("body") })
            }
        }
    }

    private struct AnyTransport: Transport {
        let transport: any Transport

        init(_ transport: any Transport) { self.transport = transport }

        func send(_ request: HTTPRequest, options: TransferOptions) async throws(TransportError) -> HTTPResponse {
            try await transport.send(request, options: options)
        }
    }

    @Test("Metrics from a custom transport appear in events")
    func ownTransport() async throws {
        struct Measuring: Transport {
            func send(_ request: HTTPRequest, options: TransferOptions) async throws(TransportError) -> HTTPResponse {
                options.report?.measure {
                    var metrics = TransferOptions.Report.Metrics()
                    metrics.protocolVersion = "HTTP/3"
                    return metrics
                }
                return HTTPResponse(status: 204)
            }
        }
        let recorder = Recorder()
        let client = Client(Shop.url, transport: Measuring()) { Observe(recorder) }
        try await client.delete("a")
        #expect(recorder.events.map { $0.metrics?.protocolVersion } == [nil, nil, "HTTP/3", "HTTP/3", nil])
    }
}
