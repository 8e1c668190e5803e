import CallSupport
import Foundation
import TestSupport
import Testing
import WaybillTesting

@testable import Waybill

#if os(Linux)
    @testable import WaybillCurl
#endif

/// Bytes that arrive on a persistent connection before the next request is sent must not become its response.
@Suite("Transports: late bytes on a persistent connection", .inTurn, .safetyNet)
struct TransportLateBytesTests {
    /// A complete response with each kind of framing.
    enum Complete: String, CaseIterable, Sendable {
        case length
        case noContent
        case notModified
        case chunked

        var response: StubResponse {
            switch self {
            case .length: .text("fine")
            case .noContent: StubResponse(status: 204)
            case .notModified: StubResponse(status: 304)
            case .chunked: .text("fine").chunked()
            }
        }

        var text: String { self == .length || self == .chunked ? "fine" : "" }
    }

    private static let poison = Array("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison".utf8)
    private static let timeout = Array(
        "HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8
    )

    @Test(
        "A second response to one request is not used for the next request",
        arguments: Complete.allCases,
        [0, 1, 5, 50]
    )
    func secondResponse(complete: Complete, milliseconds: Int) async throws {
        for carrier in Carrier.without(.readsLateBytes) {
            try await exchange(complete, Self.poison, after: .milliseconds(milliseconds), then: .get, over: carrier)
        }
    }

    @Test("A 408 on an idle connection does not fail the next POST", arguments: Complete.allCases, [0, 1, 5, 50])
    func timeoutOfIdleConnection(complete: Complete, milliseconds: Int) async throws {
        for carrier in Carrier.without(.readsLateBytes) {
            try await exchange(complete, Self.timeout, after: .milliseconds(milliseconds), then: .post, over: carrier)
        }
    }

    #if os(Linux)
        @Test(
            "URLSessionTransport on Linux can use late bytes as the response to the next request",
            .enabled(
                if: (0x075700..<0x080001).contains(CurlLibrary.versionNumber),
                "this libcurl closes the connection"
            )
        )
        func deviation() async throws {
            let responses: StubResponses = ["GET second": .text("fine")]
            for _ in 0..<50 {
                let gate = Gate()
                let first = StubResponse.text("fine").followed(by: Self.poison, after: .milliseconds(1), opening: gate)
                let second = try await LoopbackServer.run(
                    responses.otherwise(.response(first))
                ) { server async throws in
                    let transport = try Carrier.urlSession.transport()
                    #expect(try await transport.text(.get, server.url.appending(path: "first")) == "fine")
                    await gate.waitUntilOpen()
                    return try await transport.text(.get, server.url.appending(path: "second"))
                }
                // A busy session can open another connection.
                if second == "poison" { return }
                #expect(second == "fine")
            }
            Issue.record("each of 50 requests got its own response")
        }
    #endif

    private func exchange(
        _ complete: Complete,
        _ late: [UInt8],
        after pause: Duration,
        then method: HTTPRequest.Method,
        over carrier: Carrier
    ) async throws {
        let gate = Gate()
        let first = complete.response.followed(by: late, after: pause, opening: gate)
        let responses: StubResponses = ["GET first": .response(first), "\(method) second": .text("the second")]
        try await LoopbackServer.run(responses) { server async throws in
            let transport = try carrier.transport()
            #expect(try await transport.text(.get, server.url.appending(path: "first")) == complete.text)
            await gate.waitUntilOpen()
            let body = method == .post ? HTTPBody(Data("body".utf8)) : nil
            #expect(try await transport.text(method, server.url.appending(path: "second"), body) == "the second")
            #expect(server.requestCount == 2)
        }
    }
}
