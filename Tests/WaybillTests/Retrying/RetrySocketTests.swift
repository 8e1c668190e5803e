import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill

@testable import WaybillTesting
@testable import WaybillURLSession

@Suite("Retries over sockets", .inTurn, .safetyNet)
struct RetrySocketTests {
    static let transports: [any Transport] = [.default, .urlSession()]

    private func client(
        _ url: URL,
        _ transport: any Transport,
        @Scope.Builder _ clauses: () -> Scope = { Scope() }
    ) -> Client {
        let scope = clauses()
        func make(_ transport: some Transport) -> Client {
            Client(url, transport: transport, clock: SkippingClock(), randomNumberGenerator: .half) {
                Retry(attempts: 4)
                scope
            }
        }
        return make(transport)
    }

    @Test("A GET over a socket is retried after a reset, a truncated body and a rejection", arguments: [0, 1])
    func misbehaviour(place: Int) async throws {
        try await LoopbackServer.run([
            "GET a": .sequence([
                .reset(.beforeHead), .json("[1,2,3]").truncated(afterBytes: 3),
                .status(503).header("Retry-After", "2"), .json("[1,2,3]"),
            ])
        ]) { server async throws in
            let client = client(server.url, Self.transports[place])
            #expect(try await client.get("a", as: [Int].self) == [1, 2, 3])
            #expect(server.requestCount == 4)
        }
    }

    @Test(
        "A POST whose connection was reset is retried only with an idempotency key, which stays the same",
        arguments: [0, 1]
    )
    func posts(place: Int) async throws {
        try await LoopbackServer.run(["POST a": .sequence([.reset(.beforeHead), .status(204)])]) {
            server async throws in
            let client = client(server.url, Self.transports[place])
            let error = await failure { try await client.post("a") }
            #expect(error?.call.retryRejection == .notIdempotent)
            #expect(server.requestCount == 1)
        }
        try await LoopbackServer.run(["POST a": .sequence([.reset(.beforeHead), .status(204)])]) {
            server async throws in
            let client = client(server.url, Self.transports[place]) { IdempotencyKey() }
            try await client.post("a")
            let keys = server.requests.map { $0.headerFields["Idempotency-Key"] }
            #expect(keys.count == 2)
            #expect(keys[0] != nil && keys[0] == keys[1])
        }
    }

    @Test(
        "A POST that the server received before closing the connection is not retried",
        arguments: [0, 1]
    )
    func vanished(place: Int) async throws {
        let server = try VanishingServer()
        let client = client(server.url, Self.transports[place])
        #expect(try await client.get("a", as: Int.self) == 1)
        let error = await failure { try await client.post("b") }
        #expect(server.methods() == ["GET", "POST"])
        #expect(error?.call.attempt == 1)
        #expect(error?.call.retryRejection == .notIdempotent)
    }

    @Test("A POST to a port without a server is retried", arguments: [0, 1])
    func rejected(place: Int) async throws {
        let (reserved, port) = try Socket.bound()
        defer { withExtendedLifetime(reserved) {} }
        let client = client(try #require(URL(string: "http://127.0.0.1:\(port)")), Self.transports[place])
        let error = await failure { try await client.post("a") }
        guard case .transport(let failure) = error else {
            Issue.record("expected a transport's error")
            return
        }
        #expect(failure.error.kind == .cannotConnect)
        #expect(failure.call.attempt == 4)
    }
}
