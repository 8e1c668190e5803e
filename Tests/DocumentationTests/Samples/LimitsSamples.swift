import Foundation
import Testing
import Waybill
import WaybillLimits
import WaybillTesting

private struct Product: Entity { let id: Int }

private struct Shop: API {
    let client: Client

    var products: Resource<Product, ReadOnly> { resource("products") }
}

@Suite("Limits.md")
struct LimitsSamples {
    struct Report: Entity { let id: Int }

    struct Reports: API {
        let client: Client
        private let heavy = Limit(concurrent: 2)

        var daily: Resource<Report, ReadOnly> { resource("reports/daily") { heavy } }
        var monthly: Resource<Report, ReadOnly> { resource("reports/monthly") { heavy } }
    }

    private let url = Sample.url

    private func shop(_ response: StubResponse, @Scope.Builder _ clauses: () -> Scope) -> Shop {
        Shop(
            client: Client(
                url,
                transport: StubTransport(["GET products": .response(response)]),
                clock: ManualClock(),
                dates: Client.DateProvider { Date(timeIntervalSince1970: 1_800_000_000) },
                clauses
            )
        )
    }

    @Test("The explanation lists the clauses in Limits.md")
    func clauses() throws {
        let client = Client(url) {
            Limit(concurrent: 8)  // at most 8 calls in flight
            Limit(10, per: .seconds(1), to: .eachOrigin)  // at most 10 in any second to each origin
            CircuitBreaker(failures: 5, for: .seconds(30))  // no calls for 30 s after 5 failures in a row
            BodyLimits(successBytes: 10_000_000)  // a longer body is an error
        }
        let endpoint: Endpoint<Int> = client.endpoint { GET("a") }
        let explanation = try endpoint.explanation
        #expect(explanation.contains("Limit: 8 at once, 10 in 1 s to each origin"))
        #expect(explanation.contains("CircuitBreaker: 5 failures, for 30 s"))
        #expect(explanation.contains("BodyLimits: 10000000 bytes"))
    }

    @Test("The explanations of two resources list the shared limit in Limits.md")
    func shared() throws {
        let reports = Reports(client: Client(url))
        for endpoint in [reports.daily.endpoints.read(1), reports.monthly.endpoints.read(1)] {
            #expect(try endpoint.explanation.contains("Limit: 2 at once"))
        }
    }

    @Test("The explanation lists the limit set only by the server in Limits.md")
    func byServer() throws {
        let client = Client(url) {
            Limit.byServer()
        }
        let endpoint: Endpoint<Int> = client.endpoint { GET("a") }
        #expect(try endpoint.explanation.contains("Limit: by the server"))
    }

    @Test("The explanation lists the paced limit in Limits.md")
    func paced() throws {
        let paced = Client(url) {
            Limit.byServer(pacedBelow: 20)  // the last requests of a window are spread over its rest
        }
        let endpoint: Endpoint<Int> = paced.endpoint { GET("a") }
        #expect(try endpoint.explanation.contains("Limit: by the server, paced below 20"))
    }

    @Test("The text of a rejected call matches Limits.md")
    func rejected() async {
        let shop = shop(.status(429).header("Retry-After", "3600")) { Limit.byServer() }
        _ = await Sample.failure { try await shop.products.list() }
        let error = await Sample.failure { try await shop.products.list() }
        #expect(
            error?.description == """
                GET products was not sent: the server accepts no request before 2027-01-15T09:00:00Z
                  https://shop.example/products
                  the wait would be 1 h; Limit(…, maximumWait:) allows at most 1 min
                """
        )
    }

    func advice(_ error: APIError) -> String? {
        guard case .rejected(let failure) = error else { return nil }
        return switch failure.reason {
        case .rateLimited(let date, _, _): "again at \(date)"
        case .circuitOpen(let circuit): "\(circuit.origin) is down since \(circuit.since)"
        case .tooManyWaiting: "busy"
        }
    }

    @Test("The reason for a rejection in Limits.md is a value")
    func reason() async throws {
        let shop = shop(.json("[]")) { Limit(1, per: .seconds(1), waiting: 0) }
        #expect(try await shop.products.list().isEmpty)
        let error = await Sample.failure { try await shop.products.list() }
        #expect(error.flatMap(advice) == "busy")
    }

    @Test("The text of an open circuit matches Limits.md")
    func circuit() async {
        let shop = shop(.status(503)) { CircuitBreaker(failures: 5, for: .seconds(30)) }
        for _ in 0..<5 { _ = await Sample.failure { try await shop.products.list() } }
        let error = await Sample.failure { try await shop.products.list() }
        #expect(
            error?.description == """
                GET products was not sent: the circuit to https://shop.example is open
                  https://shop.example/products
                  5 failures in a row, the last at 2027-01-15T08:00:00Z; the next call is let through at 2027-01-15T08:00:30Z
                  the last: GET products failed: 503 Service Unavailable
                """
        )
    }

    private struct HugeTransport: Transport {
        func send(_ request: HTTPRequest, options: TransferOptions) async throws(TransportError) -> HTTPResponse {
            HTTPResponse(status: 200, body: HTTPBody(AsyncStream<Data> { _ in }, length: 100_000_001))
        }
    }

    @Test("The text of a body beyond the default limit matches Limits.md")
    func body() async {
        let shop = Shop(client: Client(url, transport: HugeTransport()))
        let error = await Sample.failure { try await shop.products.list() }
        #expect(
            error?.description == """
                GET products got no response: the body is too large: it has more than 100000000 bytes; declare BodyLimits(successBytes:) to read more
                  https://shop.example/products
                """
        )
    }
}
