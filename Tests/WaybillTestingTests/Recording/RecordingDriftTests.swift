import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Drift of recordings")
struct RecordingDriftTests {
    @Test("A recorded response that the types no longer describe is reported with its line and its member")
    func drift() async throws {
        let folder = RecordingFolder()
        let stub = StubTransport([
            "GET products/{}": .sequence([
                .json(#"{"id": 1, "name": "Lamp"}"#), .json(#"{"id": 2, "title": "Rug"}"#),
                .json(#"{"id": "3", "name": ""}"#),
                .text("no JSON"), .status(404),
            ]),
            "GET search": .json("[]"),
        ])
        let url = try #require(URL(string: "https://shop.example"))
        let recorded = try RecordedTransport(folder.file, .record, over: stub)
        let shop = RecordingShop(url, transport: recorded)
        for id in 1...5 { _ = try? await shop.products.read(id) }
        _ = try await shop.search([]).send()

        let drift = try RecordedTransport.drift(of: folder.file, from: RecordingShop(url))
        #expect(
            drift.map { "\($0.call): \($0.reason)" } == [
                "GET products/{}: name is missing", "GET products/{}: id is not an integer",
                "GET products/{}: the body is not JSON",
                "GET search: the API has no call with this method and template",
            ]
        )
        let lines = try folder.text.split(separator: "\n", omittingEmptySubsequences: false)
        for line in drift.compactMap(\.line) { #expect(lines[line - 1] == "      {") }
        #expect(drift.compactMap(\.line).count == 4)
    }

    @Test("The error of a replayed response that does not decode names its place in the file, and says to record again")
    func stale() async throws {
        let folder = RecordingFolder()
        let stub = StubTransport(["GET products/{}": .sequence([.json(#"{"id": 1, "title": "Lamp"}"#), .status(404)])])
        let url = try #require(URL(string: "https://shop.example"))
        let shop = RecordingShop(url, transport: try RecordedTransport(folder.file, .record, over: stub))
        for id in 1...2 {
            let live = await #expect(throws: APIError.self) { try await shop.products.read(id) }
            #expect(live?.description.contains("record") == false)
        }
        let replayed = RecordingShop(url, transport: try RecordedTransport(folder.file))
        let lines = try folder.text.split(separator: "\n", omittingEmptySubsequences: false)
        let starts = lines.indices.filter { lines[$0] == "      {" }.map { $0 + 1 }
        let decoding = await #expect(throws: APIError.self) { try await replayed.products.read(1) }
        let text = try #require(decoding).description
        #expect(text.contains("recorded in \(folder.file.lastPathComponent), line \(starts[0])"))
        #expect(text.hasSuffix("record it again if the server sends something else now"))
        let status = await #expect(throws: APIError.self) { try await replayed.products.read(2) }
        #expect(status?.description.contains("line \(starts[1])") == true)
    }
}
