import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("A loopback server", .timeLimit(.minutes(1)))
struct LoopbackServerTests {
    @Test("serves its table over a socket, one request after the other on a connection")
    func servesTable() async throws {
        try await LoopbackServer.run([
            "GET products/{}": .json(#"{"id":1}"#).header("ETag", "\"a\""),
            "DELETE products/{}": .status(204),
        ]) { server in
            let client = try WireClient(server.url)
            await client.send("GET /products/7?expand=all&q=a+b HTTP/1.1\r\nHost: h\r\nX-oDD: 1\r\n\r\n")
            let first = await client.receiveResponse()
            #expect(
                first.text == "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nETag: \"a\"\r\n"
                    + "Content-Length: 8\r\n\r\n{\"id\":1}"
            )
            await client.send("DELETE /products/7 HTTP/1.1\r\nHost: h\r\n\r\n")
            #expect(await client.receiveResponse().text == "HTTP/1.1 204 No Content\r\n\r\n")

            let requests = server.requests
            #expect(requests.map(\.template) == ["products/{}", "products/{}"])
            #expect(requests.map { $0.wire?.connection } == [1, 1])
            #expect(requests[0].url.absoluteString == server.url.absoluteString + "/products/7?expand=all&q=a+b")
            #expect(requests[0].pathValues == ["7"])
            #expect(requests[0].query("q") == "a b")
            #expect(
                requests[0].wire?.lines == ["GET /products/7?expand=all&q=a+b HTTP/1.1", "Host: h", "X-oDD: 1"]
            )
            #expect(server.acceptedConnections == 1)
        }
    }
}
