#if os(Linux)
    import Foundation
    import TestSupport
    import Testing
    import Waybill
    import WaybillTesting
    import WaybillCurl

    @Suite("CurlTransport: content codings", .inTurn, .safetyNet)
    struct CurlCodingTests {
        @Test("CurlTransport rejects a truncated gzip body with a correct Content-Length", arguments: [11, 30, 43])
        func truncated(count: Int) async throws {
            let transport = try CurlTransport()
            let gzip = try #require(
                Data(base64Encoded: "H4sIAAAAAAACA0tUSMpPqVQoyUgsUShPLFZILi1RKM7ILyrRUUjEJQUAmiF+rDQAAAA=")
            )
            let stubbed = StubResponse.bytes(gzip.prefix(count)).header("Content-Encoding", "gzip")
            try await LoopbackServer.run(["GET it": .response(stubbed)]) { server async throws in
                let response = try await transport.send(
                    HTTPRequest(method: .get, url: server.url.appending(path: "it"))
                )
                #expect(response.status == 200)
                let error = await #expect(throws: TransportError.self) { try await response.body.collect() }
                #expect(error?.kind == .connectionLost)
            }
        }
    }
#endif
