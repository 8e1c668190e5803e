import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Oversized requests", .largeInTurn, .safetyNet)
struct RequestSizeTests {
    private static func error(_ carrier: Carrier, _ request: HTTPRequest) async throws -> TransportError? {
        let transport = try carrier.transport()
        do throws(TransportError) {
            _ = try await transport.send(request)
            return nil
        } catch {
            return error
        }
    }

    // In a debug build, building the error's text takes seconds.
    @Test(
        "A URL beyond the size limit is an error with its size, and nothing is sent",
        arguments: Thoroughness.isWhole ? Carrier.allCases : Array(Carrier.allCases.prefix(1))
    )
    func url(carrier: Carrier) async throws {
        let server = try LoopbackServer(StubResponses().otherwise(.text("fine")))
        defer { server.stop() }
        let client = Client(server.url, transport: try carrier.transport())
        let endpoint: Endpoint<String> = client.endpoint {
            GET("a")
            Query("q", String(repeating: "a", count: 1_200_000))
        }
        let error = await failure { try await endpoint.send() }
        guard case .transport(let failure) = error else {
            Issue.record("expected a transport failure")
            return
        }
        #expect(failure.error.kind == .unsupportedRequest)
        let count = server.url.absoluteString.utf8.count + "/a?q=".utf8.count + 1_200_000
        #expect(
            failure.error.message
                == "its URL has \(count) bytes, but the limit for the URL and all header fields is 1000000 bytes; "
                + "move long values from the path or the Query to a Body"
        )
        #expect(server.requestCount == 0)
        guard Thoroughness.isWhole else { return }
        #expect(failure.description.utf8.count < 3_000)
        #expect(failure.call.url?.hasSuffix("aaa…") == true)
    }

    @Test(
        "A header field beyond the size limit is an error that names it, and nothing is sent",
        arguments: Carrier.allCases
    )
    func field(carrier: Carrier) async throws {
        let server = try LoopbackServer(StubResponses().otherwise(.text("fine")))
        defer { server.stop() }
        let name = try #require(HTTPField.Name("X-Big"))
        let value = String(repeating: "a", count: 1_200_000)
        var request = HTTPRequest(method: .get, url: server.url)
        request.headerFields = [HTTPField(name: .accept, value: "*/*"), HTTPField(name: name, value: value)]
        let error = try await Self.error(carrier, request)
        #expect(error?.kind == .unsupportedRequest)
        #expect(
            error?.message
                == "its Header X-Big has 1200000 bytes, "
                + "but the limit for the URL and all header fields is 1000000 bytes; send it in a Body"
        )
        #expect(server.requestCount == 0)
    }

    @Test("A request at the size limit is sent, and one byte more is rejected", arguments: Carrier.allCases)
    func limit(carrier: Carrier) async throws {
        let server = try LoopbackServer(
            StubResponses().otherwise(.text("fine")),
            limits: LoopbackServer.Limits(headBytes: 2_000_000)
        )
        defer { server.stop() }
        let name = try #require(HTTPField.Name("X-Big"))
        let count = 1_000_000 - server.url.absoluteString.utf8.count - "X-Big: \r\n".utf8.count
        for (count, isSent) in [(count, true), (count + 1, false)] {
            var request = HTTPRequest(method: .get, url: server.url)
            request.headerFields = [HTTPField(name: name, value: String(repeating: "a", count: count))]
            let error = try await Self.error(carrier, request)
            #expect(error?.kind == (isSent ? nil : .unsupportedRequest))
        }
        #expect(server.requestCount == 1)
    }

    #if os(Linux)
        @Test(
            "A Unix socket path that is too long or contains a zero byte is an error with the reason",
            arguments: [
                ("/tmp/" + String(repeating: "a", count: 103), "has 108 bytes, but the limit is 107"),
                ("/tmp/" + String(repeating: "é", count: 52), "has 109 bytes, but the limit is 107"),
                ("/tmp/a\0b", "contains a zero byte"),
            ]
        )
        func socketPath(path: String, cause: String) async throws {
            let host = try #require(path.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
            let url = try #require(URL(string: "http+unix://\(host)/version"))
            let error = try await Self.error(.libcurl, HTTPRequest(method: .get, url: url))
            #expect(error?.kind == .unsupportedRequest)
            #expect(error?.message.contains(cause) == true, "\(error?.message ?? "none")")
        }

        @Test("A Unix socket path of the maximum length is accepted")
        func longestSocketPath() async throws {
            let path = "%2Ftmp%2F" + String(repeating: "a", count: 102)
            let url = try #require(URL(string: "http+unix://\(path)/version"))
            #expect(try await Self.error(.libcurl, HTTPRequest(method: .get, url: url))?.kind == .cannotConnect)
        }
    #endif
}
