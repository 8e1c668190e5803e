import Foundation
import Testing
import Waybill
import WaybillDescription
import WaybillTesting

private nonisolated struct Product: Decodable, Sendable {
    let id: Int
    let price: Double
    let note: String?
}

@Suite("Drift.md")
struct DriftSamples {
    private let url = Sample.url

    @Test("The drift report matches Drift.md")
    func report() async throws {
        let stub = StubTransport([
            "GET products": .sequence([
                .json(#"{"data": [{"id": 1, "price": 2, "color": 1}, {"id": 2, "price": 3, "color": 1}], "took": 1}"#),
                .json(#"{"data": [{"id": 1, "price": "2", "color": 1}], "took": 1}"#),
            ])
        ])
        let drift = DriftDetector()
        let client = Client(url, transport: stub) { Observe(drift) }
        let products: Endpoint<[Product]> = client.endpoint {
            GET("products")
            Envelope("data")
        }
        _ = try await products.send()
        #expect(await Sample.failure { try await products.send() } != nil)
        print(drift.report)
        #expect(
            drift.report.description == """
                GET products: 2 responses
                  data[].color: not read, 3 times in 2 responses
                  data[].note: never present, 3 times in 2 responses
                  data[].price: a string instead of a number, 1 time in 1 response
                  took: not read, 2 times in 2 responses
                """
        )
        entries(drift)
    }

    private func entries(_ drift: DriftDetector) {
        let entries = drift.report.endpoints.flatMap(\.entries)
        let unread = entries.filter { $0.kind == .unread }.map(\.keyPath)
        let text = drift.report.json.description
        drift.reset()
        #expect(unread == ["data[].color", "took"])
        #expect(text.contains("otherType"))
        #expect(drift.report.isEmpty)
    }

    @Test("The detector in Drift.md is declared like any observer")
    func declaration() throws {
        let drift = DriftDetector()
        let client = Client(url) { Observe(drift) }
        #expect(try client.endpoint(Product.self) { GET("a") }.plan().explanation.contains("DriftDetector"))
        try sampled()
    }

    private func sampled() throws {
        let client = Client(url) { Observe(DriftDetector(sampleRate: 0.01)) }
        #expect(try client.endpoint(Product.self) { GET("a") }.plan().explanation.contains("DriftDetector"))
    }
}
