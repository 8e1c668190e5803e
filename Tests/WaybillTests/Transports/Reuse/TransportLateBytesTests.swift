import Foundation
import Testing
import Waybill
import WaybillTesting

/// Bytes that arrive over a kept connection before the next request goes out must not become its response.
@Suite("Transports, late bytes on a kept connection", .timeLimit(.minutes(3)))
struct TransportLateBytesTests {
    /// A response that is complete, by each of the ways to tell.
    enum Complete: String, CaseIterable, Sendable {
        case length
        case noContent
        case notModified
        case chunked

        var answer: Answer {
            switch self {
            case .length: .text("fine")
            case .noContent: Answer(status: 204)
            case .notModified: Answer(status: 304)
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
        "A second response to one request is not the response to the next request",
        arguments: Complete.allCases,
        [0, 1, 5, 50]
    )
    func secondResponse(complete: Complete, milliseconds: Int) async throws {
        for carrier in Carrier.without(.readsLateBytes) {
            try await exchange(complete, Self.poison, after: .milliseconds(milliseconds), then: .get, over: carrier)
        }
    }

    @Test("A 408 to an idle connection does not fail the next POST", arguments: Complete.allCases, [0, 1, 5, 50])
    func timeoutOfIdleConnection(complete: Complete, milliseconds: Int) async throws {
        for carrier in Carrier.without(.readsLateBytes) {
            try await exchange(complete, Self.timeout, after: .milliseconds(milliseconds), then: .post, over: carrier)
        }
    }

    #if os(Linux)
        @Test("Over URLSession on Linux, late bytes are the response to the next request", arguments: [1, 5, 50])
        func deviation(milliseconds: Int) async throws {
            let gate = Gate()
            let pause = Duration.milliseconds(milliseconds)
            let first = Answer.text("fine").followed(by: Self.poison, after: pause, opening: gate)
            try await LoopbackServer.run(["GET first": .answer(first), "GET second": .text("fine")]) {
                server async throws in
                let transport = try Carrier.urlSession.transport()
                #expect(try await transport.text(.get, server.url.appending(path: "first")) == "fine")
                await gate.waitUntilOpen()
                #expect(try await transport.text(.get, server.url.appending(path: "second")) == "poison")
            }
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
        let first = complete.answer.followed(by: late, after: pause, opening: gate)
        let answers: Answers = ["GET first": .answer(first), "\(method) second": .text("the second")]
        try await LoopbackServer.run(answers) { server async throws in
            let transport = try carrier.transport()
            #expect(try await transport.text(.get, server.url.appending(path: "first")) == complete.text)
            await gate.waitUntilOpen()
            let body = method == .post ? HTTPBody(Data("body".utf8)) : nil
            #expect(try await transport.text(method, server.url.appending(path: "second"), body) == "the second")
            #expect(server.requestCount == 2)
        }
    }
}
