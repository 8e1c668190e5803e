import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Transport error texts", .inTurn, .safetyNet)
struct TransportTextTests {
    /// Returns the error text of a failing request, without the library's text, which differs by version.
    private func text(_ carrier: Carrier, _ url: URL) async throws -> String {
        let client = Client(url, transport: try carrier.transport()) { Header("Connection", "close") }
        let error = await failure { try await client.get("", as: Int.self) }
        let line = try #require(error?.description.split(separator: "\n").first)
        return String(line).replacing(#/ \((libcurl|URLSession): .+\)$/#) { " (\($0.output.1))" }
    }

    private func expected(_ carrier: Carrier, _ text: String) -> String {
        "GET / got no response: \(text) (\(carrier == .urlSession ? "URLSession" : "libcurl"))"
    }

    @Test("The error for a refused connection contains the address only once", arguments: Carrier.allCases)
    func rejected(carrier: Carrier) async throws {
        try await LoopbackServer.run([:]) { server async throws in
            let place = try FaultPlace(.nothing, server)
            let url = try #require(URL(string: "/", relativeTo: place.url)?.absoluteURL)
            let port = try #require(url.port)
            #expect(
                try await text(carrier, url)
                    == expected(carrier, "no connection could be made: 127.0.0.1:\(port) cannot be reached")
            )
        }
    }

    @Test("The error for https to a port without TLS explains the cause", arguments: Carrier.allCases)
    func plain(carrier: Carrier) async throws {
        try await LoopbackServer.run(StubResponses().otherwise(.text("fine"))) { server async throws in
            let port = try #require(server.url.port)
            let url = try #require(URL(string: "https://127.0.0.1:\(port)/"))
            let words =
                "no secure connection could be made: 127.0.0.1:\(port) does not speak TLS; if it supports "
                + "only plain HTTP, use an http:// URL"
            #expect(try await text(carrier, url) == expected(carrier, words))
        }
    }

    @Test("The error for an unresolved host contains the host once", arguments: Carrier.allCases)
    func unknownHost(carrier: Carrier) async throws {
        let host = String(repeating: "a", count: 64) + ".invalid"
        let url = try #require(URL(string: "http://\(host)/"))
        #expect(
            try await text(carrier, url) == expected(carrier, "the host could not be found: \(host) has no address")
        )
    }

    #if os(Linux)
        @Test("The error for a reset connection contains the phase")
        func reset() async throws {
            try await LoopbackServer.run(StubResponses().otherwise(.text("fine").reset(.beforeHead))) {
                server async throws in
                let port = try #require(server.url.port)
                let words =
                    "the connection was lost: to 127.0.0.1:\(port), while waiting for the response; if it expects TLS,"
                    + " use an https:// URL"
                #expect(try await text(.libcurl, server.url) == expected(.libcurl, words))
            }
        }
    #endif
}
