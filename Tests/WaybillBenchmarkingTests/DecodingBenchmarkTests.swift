import Foundation
import Testing
import Waybill
import WaybillBenchmarking
import WaybillTransfers

@Suite("Decoding benchmarks")
struct DecodingBenchmarkTests {
    private let items = Envelope("data", "items")

    @Test("A document in an envelope is measured with Foundation's decoder, Waybill's decoder and a stream")
    func envelope() async throws {
        let results = try await DecodingBenchmark(
            "products",
            decoding: [BenchmarkedProduct].self,
            from: BenchmarkFixture.products,
            in: items,
            by: [.decoder(JSONDecoder()), .decoder("Waybill", WaybillJSONDecoder()), .stream()]
        ).run(rounds: 1)
        #expect(results.rows.map(\.decoder) == ["JSONDecoder", "Waybill", "stream"])
        #expect(results.rows.allSatisfy { $0.document == "products" && $0.bytes == BenchmarkFixture.products.count })
        #expect(results.rows.allSatisfy { $0.milliseconds.median > 0 && $0.megabytesPerSecond.median > 0 })
    }

    @Test("An envelope with separate keys for items and lists is applied as in an endpoint")
    func envelopeByShape() async throws {
        let document = Data(#"{"product":{"id":1,"name":"Lamp"},"products":[{"id":2,"name":"Rug"}]}"#.utf8)
        let envelope = Envelope(item: "product", list: "products")
        let one = DecodingBenchmark(
            "one",
            decoding: BenchmarkedProduct.self,
            from: document,
            in: envelope,
            by: [.decoder(JSONDecoder())]
        )
        let list = DecodingBenchmark(
            "list",
            decoding: [BenchmarkedProduct].self,
            from: document,
            in: envelope,
            by: [.decoder(JSONDecoder()), .stream()]
        )
        let results = try await DecodingBenchmark([one, list]).run(rounds: 1)
        #expect(
            results.rows.map { "\($0.document) \($0.decoder)" } == [
                "one JSONDecoder", "list JSONDecoder", "list stream",
            ]
        )
    }

    @Test("A decoder of a format other than JSON is measured through an envelope")
    func propertyList() async throws {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        let document = try encoder.encode(["data": [EncodableProduct(id: 1, name: "Lamp")]])
        let results = try await DecodingBenchmark(
            "property list",
            decoding: [EncodableProduct].self,
            from: document,
            in: Envelope("data"),
            by: [.decoder(PropertyListDecoder())]
        ).run(rounds: 1)
        #expect(results.rows.map(\.decoder) == ["PropertyListDecoder"])
    }

    @Test("JSON Lines are decoded line by line and streamed to the same values")
    func lines() async throws {
        let lines = Data("{\"id\":1,\"name\":\"Lamp\"}\r\n\n{\"id\":2,\"name\":\"Rug\"}\n".utf8)
        let results = try await DecodingBenchmark(
            "log",
            decoding: [BenchmarkedProduct].self,
            fromLines: lines,
            by: [.decoder(JSONDecoder()), .decoder(WaybillJSONDecoder()), .stream()]
        ).run(rounds: 1)
        #expect(results.rows.map(\.decoder) == ["JSONDecoder", "WaybillJSONDecoder", "stream"])
    }

    @Test("The lines of a document are split once, before the first round")
    func splitLines() async throws {
        let (time, count) = (VirtualTime(), 20)
        // Long lines, so that a round decodes the document once.
        let line = "{\"id\":1\(String(repeating: " ", count: 15_000))}\n"
        let lines = Data(String(repeating: line, count: count).utf8)
        let results = try await DecodingBenchmark(
            "log",
            decoding: [Int].self,
            fromLines: lines,
            by: [.decoder("stub", StubDecoder(name: "stub", time: time) { _ in 1 })]
        ).run(rounds: 1, with: time.instruments, header: BenchmarkFixture.header)
        #expect(results.rows.first.map { ($0.milliseconds.median - 20).magnitude < 0.1 } == true)
        #expect(time.log.count == 2 * count)
    }

    /// A decoder class with state that must not be shared between threads.
    private final class StatefulDecoder: DecodingBenchmark.UnsharedDecoder {
        private let base = JSONDecoder()
        private var count = 0
        private let limit: Int

        init(limit: Int) { self.limit = limit }

        func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
            count += 1
            return try base.decode(type, from: data)
        }
    }

    @Test("A decoder that is not Sendable is created once and decodes through an envelope")
    func unsharedDecoder() async throws {
        let made = Locked(0)
        let results = try await DecodingBenchmark(
            "products",
            decoding: [BenchmarkedProduct].self,
            from: BenchmarkFixture.products,
            in: Envelope("data", "items"),
            by: [
                .decoder(WaybillJSONDecoder()),
                .decoder("class") {
                    made.withLock { $0 += 1 }
                    return StatefulDecoder(limit: 3)
                },
            ]
        ).run(rounds: 2)
        #expect(results.rows.map(\.decoder) == ["WaybillJSONDecoder", "class"])
        #expect(made.withLock { $0 } == 1)
    }

    @Test("A line that does not decode throws an error with its number")
    func invalidLine() async {
        let lines = Data("{\"id\":1,\"name\":\"Lamp\"}\n{\"id\":\"x\",\"name\":\"Rug\"}\n".utf8)
        let benchmark = DecodingBenchmark(
            "log",
            decoding: [BenchmarkedProduct].self,
            fromLines: lines,
            by: [.decoder(WaybillJSONDecoder())]
        )
        let error = await #expect(throws: DecodingBenchmark.Failure.self) { try await benchmark.run(rounds: 1) }
        #expect(error?.description.contains("in line 2: id (line 1, column 7): expected an integer") == true)
    }

    @Test("A list longer than a chunk is streamed to the same values as decoding it at once")
    func longStream() async throws {
        let elements = (0..<5_000).map { #"{"id":\#($0),"name":"Lamp \#($0)"}"# }.joined(separator: ",")
        let results = try await DecodingBenchmark(
            "long",
            decoding: [BenchmarkedProduct].self,
            from: Data("[\(elements)]".utf8),
            by: [.decoder(WaybillJSONDecoder()), .stream("one by one")]
        ).run(rounds: 1)
        #expect(results.rows.map(\.decoder) == ["WaybillJSONDecoder", "one by one"])
    }

    @Test("A stream decodes with the strategies of its decoder")
    func streamStrategies() async throws {
        struct Event: ResponseContent, Equatable {
            let createdAt: Date
        }
        var waybill = WaybillJSONDecoder()
        waybill.keyDecodingStrategy = .convertFromSnakeCase
        waybill.dateDecodingStrategy = .secondsSince1970
        let foundation = JSONDecoder()
        foundation.keyDecodingStrategy = .convertFromSnakeCase
        foundation.dateDecodingStrategy = .secondsSince1970
        let results = try await DecodingBenchmark(
            "events",
            decoding: [Event].self,
            from: Data(#"[{"created_at":5}]"#.utf8),
            by: [.decoder(foundation), .stream(by: waybill)]
        ).run(rounds: 1)
        #expect(results.rows.count == 2)
    }

    @Test("Types that are Encodable but not Equatable are compared by their JSON, and others member by member")
    func otherTypes() async throws {
        let encodable = DecodingBenchmark(
            "encodable",
            decoding: [EncodableProduct].self,
            from: BenchmarkFixture.products,
            in: items,
            by: [.decoder(JSONDecoder()), .decoder(WaybillJSONDecoder()), .stream()]
        )
        let plain = DecodingBenchmark(
            "plain",
            decoding: PlainProduct.self,
            from: Data(#"{"id":1,"kind":"rug","maker":{"name":"Ann"},"sizes":{"a":[1],"b":[2]}}"#.utf8),
            by: [.decoder(JSONDecoder()), .decoder(WaybillJSONDecoder())]
        )
        let results = try await DecodingBenchmark([encodable, plain]).run(rounds: 1)
        #expect(results.rows.count == 5)
    }

    @Test("A benchmark can run from the main actor")
    @MainActor
    func mainActor() async throws {
        let benchmark = DecodingBenchmark(
            "number",
            decoding: Int.self,
            from: Data("7".utf8),
            by: [.decoder(JSONDecoder())]
        )
        let results = try await benchmark.run(rounds: 2)
        #expect(results.rounds == 2)
    }

    @Test("A cancelled task measures nothing")
    func cancellation() async {
        let time = VirtualTime()
        let benchmark = DecodingBenchmark(
            "number",
            decoding: Int.self,
            from: BenchmarkFixture.large,
            by: [.decoder(StubDecoder(name: "A", time: time))]
        )
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await benchmark.run(rounds: 1, with: time.instruments)
        }
        await #expect(throws: DecodingBenchmark.Failure(.cancelled)) { try await task.value }
        #expect(time.log.isEmpty)
    }
}
