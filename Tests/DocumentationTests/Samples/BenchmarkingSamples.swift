import Foundation
import Testing
import Waybill
import WaybillBenchmarking
import WaybillTransfers

private struct Product: ResponseContent, Equatable {
    let id: Int
    let name: String
}

private struct OrderPage: ResponseContent, Equatable {
    let orders: [Int]
}

@Suite("Benchmarking.md")
struct BenchmarkingSamples {
    private func run(_ file: URL, _ folder: URL) async throws -> DecodingBenchmark {
        let products = DecodingBenchmark(
            "products",
            decoding: [Product].self,
            from: try Data(contentsOf: file),
            in: Envelope("data"),
            by: [.decoder(JSONDecoder()), .decoder(WaybillJSONDecoder()), .stream()]
        )
        let results = try await products.run(rounds: 20)

        print(results.table)
        try results.json.write(to: folder.appendingPathComponent("products.json"))
        try Data(results.csv.utf8).write(to: folder.appendingPathComponent("products.csv"))
        try results.svg.write(to: folder.appendingPathComponent("products.svg"), atomically: true, encoding: .utf8)
        return products
    }

    private func runBoth(
        _ products: DecodingBenchmark,
        _ document: Data,
        _ foundation: JSONDecoder,
        _ waybill: WaybillJSONDecoder
    ) async throws -> [DecodingBenchmark.Row] {
        let orders = DecodingBenchmark(
            "orders",
            decoding: OrderPage.self,
            from: document,
            by: [.decoder("Foundation", foundation), .decoder("Waybill", waybill)]
        )
        let both = try await DecodingBenchmark([products, orders]).run()
        return both.rows
    }

    @Test("The samples in Benchmarking.md measure documents and write reports")
    func running() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("response.json")
        try Data(#"{"data":[{"id":7,"name":"Lamp"}]}"#.utf8).write(to: file)
        let products = try await run(file, folder)
        let document = Data(#"{"orders":[1,2]}"#.utf8)
        let rows = try await runBoth(products, document, JSONDecoder(), WaybillJSONDecoder())
        #expect(rows.map(\.decoder) == ["JSONDecoder", "WaybillJSONDecoder", "stream", "Foundation", "Waybill"])
        let written = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(Set(written) == ["response.json", "products.json", "products.csv", "products.svg"])
    }

    @Test("The table of results matches Benchmarking.md")
    func table() async throws {
        let time = ScriptedTime()
        let results = try await DecodingBenchmark(
            "products",
            decoding: [Product].self,
            from: Data(repeating: 32, count: 1_200_000),
            by: [
                .decoder("JSONDecoder", ScriptedDecoder(time: time, milliseconds: [29, 33, 30])),
                .decoder("WaybillJSONDecoder", ScriptedDecoder(time: time, milliseconds: [4, 4.05, 4.25])),
                .decoder("stream", ScriptedDecoder(time: time, milliseconds: [6, 6.1, 6.2])),
            ]
        ).run(rounds: 3, with: time.instruments)
        let lines = results.table.components(separatedBy: "\n").drop { !$0.hasPrefix("document") }
        let table = lines.prefix(4).joined(separator: "\n")
        #expect(
            table == """
                document   decoder                                  ms    MB/s   times as fast   by the clock
                products   JSONDecoder             30.0 [29.5 to 31.5]    40.0
                           WaybillJSONDecoder   4.050 [4.025 to 4.150]   296.3            7.41           7.41
                           stream               6.100 [6.050 to 6.150]   196.7            4.92           4.92
                """
        )
    }
}

/// A clock that decoders advance.
private nonisolated final class ScriptedTime: Sendable {
    private let seconds = Locked(0.0)

    var instruments: Instruments {
        Instruments(now: { self.seconds.withLock { TimeSpent(wall: $0, processor: $0) } })
    }

    func advance(milliseconds: Double) { seconds.withLock { $0 += milliseconds / 1000 } }
}

/// A decoder with scripted round times.
private nonisolated struct ScriptedDecoder: ResponseDecoder {
    let time: ScriptedTime
    let milliseconds: [Double]
    private let calls = Locked(0)

    init(time: ScriptedTime, milliseconds: [Double]) {
        self.time = time
        self.milliseconds = milliseconds
    }

    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        let call = calls.withLock { calls in
            defer { calls += 1 }
            return calls
        }
        // The first call is for the comparison, and a round repeats short decodings until they take 10 ms.
        let repetitions = Int((10 / milliseconds[0]).rounded(.up))
        time.advance(milliseconds: milliseconds[max(0, call - 1) / repetitions])
        return try JSONDecoder().decode(type, from: Data("[]".utf8))
    }
}
