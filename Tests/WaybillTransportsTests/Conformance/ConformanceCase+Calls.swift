import CallSupport
import Foundation
import Testing
import Waybill
import WaybillCaching
import WaybillSessions
import WaybillTesting

extension ConformanceCase {
    /// Cases that the client handles above its transport: redirects, the cache, and the forms of a call.
    static let aboveTransports: [ConformanceCase] = [
        called("a `GET` in one line", ["GET it": described]) { (client: Client, server: LoopbackServer) async throws in
            #expect(try await client.get("it", as: String.self) == "GET [] ")
        },
        called("a `POST` in one line", ["POST it": described]) {
            (client: Client, server: LoopbackServer) async throws in
            let endpoint: Endpoint<String> = client.endpoint {
                POST("it")
                Body(Data("Hello World".utf8), contentType: "text/plain")
            }
            #expect(try await endpoint.send() == "POST [] Hello World")
        },
        called(
            "a redirect with 301 and with 308",
            [
                "GET 301": .redirect(to: "/it", status: 301), "GET 308": .redirect(to: "/it", status: 308),
                "GET it": described,
            ]
        ) { (client: Client, server: LoopbackServer) async throws in
            #expect(try await client.get("301", as: String.self) == "GET [] ")
            #expect(try await client.get("308", as: String.self) == "GET [] ")
        },
        called(
            "a redirect without an end",
            ["GET ping": .redirect(to: "/pong", status: 301), "GET pong": .redirect(to: "/ping", status: 301)]
        ) { (client: Client, server: LoopbackServer) async throws in
            let error = await #expect(throws: APIError.self) { try await client.get("ping", as: String.self) }
            #expect(error?.transportKind == .redirectLoop)
            #expect(server.requestCount == 2)
        },
        called(
            "a 304 whose fields update the cached response",
            ["GET it": .sequence((0..<3).flatMap { version(number: $0) })]
        ) { (client: Client, server: LoopbackServer) async throws in
            let cache = HTTPCache()
            for number in 0..<3 {
                for state in ["new", "confirmed"] {
                    let endpoint: Endpoint<String> = client.endpoint {
                        GET("it")
                        Cached(in: cache)
                    }
                    let response = try await endpoint.response()
                    #expect(response.status == 200 && response.value == "\(number)")
                    #expect(response.headerFields[name("X-State")] == state)
                }
            }
            let conditions = server.requests.map { $0.headerFields[.ifNoneMatch] }
            #expect(conditions == [nil, #""0""#, #""0""#, #""1""#, #""1""#, #""2""#])
        },
        ConformanceCase(
            "a cookie that is sent back",
            unmet: Dictionary(
                uniqueKeysWithValues: Carrier.allCases.map {
                    ($0, "no transport keeps cookies; [the clause `Cookies` does](../Declare/Cookies.md)")
                }
            )
        ) { _ in },
    ]

    /// Returns the responses to two requests for a version: the version, then a 304 that confirms it.
    private static func version(number: Int) -> [StubResponse] {
        let tag = "\"\(number)\""
        return [
            .text("\(number)").header("ETag", tag).header("Cache-Control", "no-cache").header("X-State", "new"),
            .status(304).header("ETag", tag).header("X-State", "confirmed"),
        ]
    }

    private static func called(
        _ name: String,
        _ responses: StubResponses,
        check: @escaping @Sendable (Client, LoopbackServer) async throws -> Void
    ) -> ConformanceCase {
        ConformanceCase(name) { (carrier: Carrier) async throws in
            let transport = try carrier.transport()
            try await LoopbackServer.run(responses) { server async throws in
                try await check(Client(server.url, transport: transport), server)
            }
        }
    }
}

extension APIError {
    fileprivate var transportKind: TransportError.Kind? {
        if case .transport(let failure) = self { failure.error.kind } else { nil }
    }
}
