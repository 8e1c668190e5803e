#if os(Linux)
    import Foundation
    import Testing
    import Waybill
    import WaybillTesting

    @Suite("CurlTransport, content codings", .timeLimit(.minutes(5)))
    struct CurlCodingTests {
        @Test("tells of a gzip body that was cut short, though its length is right", arguments: [11, 30, 43])
        func truncated(count: Int) async throws {
            let transport = try CurlTransport()
            let gzip = try #require(
                Data(base64Encoded: "H4sIAAAAAAACA0tUSMpPqVQoyUgsUShPLFZILi1RKM7ILyrRUUjEJQUAmiF+rDQAAAA=")
            )
            let answer = Answer.bytes(gzip.prefix(count)).header("Content-Encoding", "gzip")
            try await LoopbackServer.run(["GET it": .answer(answer)]) { server async throws in
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
