import Foundation
import Testing
import Waybill
import WaybillTesting

private struct Product: Entity {
    let id: Int
    var name: String
}

private struct Shop: API {
    let client: Client

    init(_ url: URL, transport: some Transport = .default) { client = Client(url, transport: transport) }

    var products: Resource<Product, ReadWrite> { resource("products") }
}

@Suite("Recording.md")
struct RecordingSamples {
    private let url = Sample.url

    private func reading(_ file: URL) async throws {
        let recorded = try RecordedTransport(file, .replay)
        let shop = Shop(url, transport: recorded)

        #expect(try await shop.products.read(7).name == "Lamp")
        try recorded.finish()
    }

    private func traffic(_ file: URL) throws {
        let traffic = TrafficRecorder(newest: 50)
        let client = Client(url) {
            Use(traffic, around: .eachAttempt)
            Observe(traffic)
        }

        try traffic.write(to: file)
        _ = client
    }

    private func report(_ traffic: TrafficRecorder, _ page: URL) throws {
        try traffic.report.write(to: page)
    }

    private func report(exported: URL, _ page: URL) throws {
        let har = try Data(contentsOf: exported)
        try TrafficRecorder.Report(har: har).write(to: page)
    }

    private func varying(_ file: URL) throws -> RecordedTransport {
        try RecordedTransport(file, varying: [.pathValues, .bodyMember("id")])
    }

    @Test("The text of a request with a different body matches Recording.md")
    func difference() async throws {
        func send(_ id: Int, _ transport: some Transport) async throws {
            let endpoint: Endpoint<Void> = Client(url, transport: transport).endpoint {
                POST("orders")
                Body(["items": [["id": id]]])
            }
            try await endpoint.send()
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("orders.har")
        let recorded = try RecordedTransport(file, .record, over: StubTransport { _ in .status(204) })
        try await send(1, recorded)
        try recorded.finish()
        let error = await Sample.failure { try await send(2, try RecordedTransport(file)) }
        let text = """
            - POST https://shop.example/orders (line 9): the body differs at items[0].id; if it differs in every run, declare varying: [.bodyMember("id")]
            """
        #expect(error?.description.contains(text) == true, "\(error?.description ?? "none")")
    }
}
