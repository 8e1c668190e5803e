import Testing
import Waybill
import WaybillLimits

@Suite("httpbin: circuit breaker", .running(.httpbin))
struct HTTPBinCircuitTests {
    @Test("A 503 from httpbin opens the circuit, and a 404 does not", arguments: TransportUnderTest.all)
    func circuit(over transport: TransportUnderTest) async throws {
        let client = Client(Server.httpbin.url, transport: transport.transport) {
            CircuitBreaker(failures: 2, for: .seconds(60))
        }
        for status in [404, 503, 404, 503, 500] {
            let failure = try await statusFailure { try await client.get("status/\(status)", as: Int.self) }
            #expect(failure.status.code == status)
        }
        guard case .rejected(let failure) = try await failure({ try await client.get("get", as: JSONValue.self) }),
            case .circuitOpen(let circuit) = failure.reason
        else {
            Issue.record("expected an open circuit")
            return
        }
        #expect(circuit.failures == 2)
        #expect(circuit.cause.status == 500)
    }
}
