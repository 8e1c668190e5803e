import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@testable import WaybillHTTP

@Suite("Silent connections", .inTurn, .safetyNet)
struct TransportSilenceTests {
    private static let second = Duration.seconds(1)

    @Test(
        "A transport's idle timeout yields to a longer declared timeout",
        arguments: [
            (nil, nil, nil), (second, nil, second), (second, .duration(.seconds(2)), .seconds(2)),
            (second, .duration(.milliseconds(1)), second), (second, TransferOptions.Timeout.none, nil),
            (nil, .duration(second), nil), (nil, TransferOptions.Timeout.none, nil),
        ] as [(Duration?, TransferOptions.Timeout?, Duration?)]
    )
    func limits(own: Duration?, declared: TransferOptions.Timeout?, expected: Duration?) {
        #expect(TransferOptions(timeout: declared).idleTimeout(own) == expected)
    }

    private struct NotingTransport: Transport {
        let seen: Lines

        func send(_ request: HTTPRequest, options: TransferOptions) async throws(TransportError) -> HTTPResponse {
            seen.add("\(String(describing: options.timeout))")
            return HTTPResponse(status: 200, body: HTTPBody(Data("1".utf8)))
        }
    }

    @Test("A transport receives the declared timeout of a call")
    func declared() async throws {
        let seen = Lines()
        let client = Client(Shop.url, transport: NotingTransport(seen: seen))
        _ = try await client.get("a", as: Int.self)
        _ = try await client.get("a", as: Int.self) { Timeout(.seconds(70)) }
        _ = try await client.get("a", as: Int.self) { Timeout.none }
        #expect(seen.all.count == 3)
        #expect(seen.all[0] == "nil")
        #expect(seen.all[1].contains("duration(70.0 seconds)"))
        #expect(seen.all[2].contains("none"))
    }

    @Test(
        "A longer declared timeout lets a late response arrive, and later calls keep the transport's timeout",
        arguments: Carrier.allCases,
        ["head", "body"]
    )
    func longPoll(carrier: Carrier, place: String) async throws {
        let gate = Gate()
        let response = StubResponse.text("late")
        let late = place == "head" ? response.held(by: gate) : response.bodyHeld(by: gate)
        try await LoopbackServer.run(["GET it": .response { _ in late }]) { server async throws in
            // URLSession's shortest timeout on Linux.
            let limit: Duration = carrier == .urlSession ? .seconds(1) : .milliseconds(50)
            let transport = try carrier.transport(Carrier.Settings(firstByte: limit, idle: limit))
            let client = Client(server.url, transport: transport)
            async let patient = client.get("it", as: String.self) { Timeout(.seconds(3_600)) }
            async let unlimited = client.get("it", as: String.self) { Timeout.none }
            await server.waitForRequests(count: 2)
            // Before the second call, no timeouts are pending except those of the patient calls.
            for _ in 1...2 {
                let own = await failure { try await client.get("it", as: String.self) }
                guard case .transport(let failure)? = own else {
                    Issue.record("expected the transport's limit, not \(String(describing: own))")
                    gate.open()
                    return
                }
                #expect(failure.error.kind == .timedOut)
            }
            gate.open()
            #expect(try await patient == "late")
            #expect(try await unlimited == "late")
        }
    }
}
