import Foundation
import Testing
import Waybill
import WaybillTransfers

@Suite("httpbin: events", .running(.httpbin))
struct HTTPBinObservingTests {
    @Test(
        "The events of a redirected call include every request, and no secret that httpbin echoes",
        arguments: TransportUnderTest.all
    )
    func redirects(over transport: TransportUnderTest) async throws {
        let events = CallEvent.Stream(bufferingNewest: 100)
        let (lines, writer) = AsyncStream.makeStream(of: String.self)
        let call: Endpoint<[String: JSONValue]> = HTTPBinAPI(over: transport).endpoint {
            GET("redirect-to")
            Query("url", "/get?session=s3cret", secret: true)
            Secret("session")
            Header("Session", "s3cret")
            Observe(events)
            Observe(RequestLog(.headers) { writer.yield($0) })
        }
        let body = try await call.response().body
        #expect(String(decoding: body, as: UTF8.self).contains("s3cret"))
        let number: Endpoint<Int> = HTTPBinAPI(over: transport).endpoint {
            GET("get")
            Query("session", "s3cret")
            Secret("session")
            Observe(events)
            Observe(RequestLog(.headers) { writer.yield($0) })
        }
        let error = try await failure(number.send)
        events.finish()
        writer.finish()

        var seen: [CallEvent] = []
        for await event in events { seen.append(event) }
        #expect(
            seen.prefix(7).map { "\($0.kind)" } == [
                "began", "sent", "head, 302 Found", "sent", "head, 200 OK", "body, \(body.count) bytes",
                "finished, 200 OK",
            ]
        )
        #expect(seen.count == 12)
        // The redirect target contains the value declared as secret.
        #expect(seen[3].url == "\(Server.httpbin.url.absoluteString)‹redacted›")
        #expect("\(seen[11])".contains("returned 200 OK, but its body does not decode as Int: line 1, column 1"))
        #if os(Linux)
            if transport.name == "the default" {
                #expect(seen[5].metrics?.protocolVersion == "HTTP/1.1")
                #expect(seen[5].metrics?.bytesReceived == body.count)
            }
        #endif
        var texts = seen.map { "\($0) \($0.url) \($0.headerFields)" } + ["\(error)"]
        for await line in lines { texts.append(line) }
        for text in texts { #expect(!text.contains("s3cret"), "\(text)") }
    }
}
