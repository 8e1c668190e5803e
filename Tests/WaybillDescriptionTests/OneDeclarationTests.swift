import Foundation
import Testing
import Waybill
import WaybillDescription
import WaybillTesting

@Suite("Uses of one declaration")
struct OneDeclarationTests {
    @Test("One declaration is mocked, described, compared, recorded, replayed and checked for drift")
    func readings() async throws {
        let mock = try MockServer(Shop()) { Seeds([Shop.Product.lamp, .rug]) }
        #expect(try await Shop(mock.url).products.read(1) == .lamp)

        let document = try Shop().openAPI(title: "Shop", version: "1")
        #expect(try Shop().compare(with: OpenAPIDocument(Data(document.text.utf8))).map(\.description) == [])

        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).har")
        defer { try? FileManager.default.removeItem(at: file) }
        let recorder = try RecordedTransport(file, .record)
        #expect(try await Shop(mock.url, transport: recorder).products.read(2) == .rug)
        try recorder.finish()
        mock.stop()
        let replay = try RecordedTransport(file, .replay)
        #expect(try await Shop(mock.url, transport: replay).products.read(2) == .rug)
        try replay.finish()
        #expect(try RecordedTransport.drift(of: file, from: Shop()).isEmpty)

        let changed: StubResponse = .json(
            #"{"data": {"id": 1, "name": "Lamp", "unit_price": 20, "kind": "lamp", "color": "red"}}"#
        )
        let newer = try MockServer(Shop(), overriding: ["GET products/{}": .response(changed)])
        let drift = DriftDetector()
        #expect(try await Shop(newer.url, drift: drift).products.read(1).name == "Lamp")
        #expect(drift.report.description.contains("data.color"))
    }
}
