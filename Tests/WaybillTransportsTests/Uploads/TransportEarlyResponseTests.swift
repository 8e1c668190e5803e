import CallSupport

#if os(Linux)
    import Foundation
    import TestSupport
    import Testing
    import Waybill
    import WaybillCurl

    /// Responses that are complete before their requests (RFC 9112, section 9.5).
    @Suite("CurlTransport: responses before the end of an upload", .largeInTurn, .safetyNet)
    struct TransportEarlyResponseTests {
        struct Row: Sendable, CustomTestStringConvertible {
            let head: String
            let status: Int
            let text: String

            var testDescription: String { head }

            static let all = [
                Row(head: "HTTP/1.1 413 Content Too Large\r\nContent-Length: 4\r\n\r\nmuch", status: 413, text: "much"),
                Row(head: "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine", status: 200, text: "fine"),
                Row(head: "HTTP/1.1 204 No Content\r\n\r\n", status: 204, text: ""),
                Row(head: "HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n", status: 401, text: ""),
                Row(
                    head: "HTTP/1.1 507 Full\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nfull\r\n0\r\n\r\n",
                    status: 507,
                    text: "full"
                ),
            ]
        }

        @Test(
            "A complete response before the end of an upload is the upload's response",
            arguments: Row.all,
            EarlyServer.Ending.allCases
        )
        func isTheResponse(_ row: Row, _ ending: EarlyServer.Ending) async throws {
            let server = try EarlyServer(Array(row.head.utf8), ending, reading: 100_000)
            let transport = try CurlTransport(.with { _ in })
            let bytes = Data.sample(count: 8_000_000)
            for body in [HTTPBody(bytes), HTTPBody(Chunks(bytes, size: 50_000)), HTTPBody(bytes)] {
                let request = HTTPRequest(method: .put, url: server.url, body: body)
                let response = try await transport.send(request)
                #expect(response.status.code == row.status)
                #expect(String(decoding: try await response.body.collect(), as: UTF8.self) == row.text)
            }
        }

        @Test("A truncated response before the end of an upload is reported as a lost connection")
        func isCutOff() async throws {
            let response = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfine"
            let server = try EarlyServer(Array(response.utf8), .closes, reading: 100_000)
            let transport = try CurlTransport(.with { _ in })
            let request = HTTPRequest(method: .post, url: server.url, body: HTTPBody(Data.sample(count: 8_000_000)))
            let error = await #expect(throws: TransportError.self) {
                try await transport.send(request).body.collect()
            }
            #expect(error?.kind == .connectionLost, "\(String(describing: error))")
        }
    }
#endif
