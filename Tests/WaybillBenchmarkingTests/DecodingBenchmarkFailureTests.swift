import Foundation
import Testing
import Waybill
import WaybillBenchmarking
import WaybillTransfers

@Suite("Errors of decoding benchmarks")
struct DecodingBenchmarkFailureTests {
    /// An input that cannot be measured and the text of its error.
    struct Rejected: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let benchmark: DecodingBenchmark
        var rounds = 1
        let text: String
    }

    private static func products(
        _ document: Data = BenchmarkFixture.products,
        in envelope: Envelope = Envelope("data", "items"),
        by candidates: [DecodingBenchmark.Candidate<[BenchmarkedProduct]>]
    ) -> DecodingBenchmark {
        DecodingBenchmark(
            "products",
            decoding: [BenchmarkedProduct].self,
            from: document,
            in: envelope,
            by: candidates
        )
    }

    private static let valid = products(by: [.decoder(JSONDecoder())])

    private static let stub = StubDecoder(name: "A", time: VirtualTime())

    static let inputs: [Rejected] = [
        Rejected(
            testDescription: "no rounds",
            benchmark: valid,
            rounds: 0,
            text: "the number of rounds is 0; pass at least 1"
        ),
        Rejected(
            testDescription: "a negative number of rounds",
            benchmark: valid,
            rounds: .min,
            text: "the number of rounds is \(Int.min); pass at least 1"
        ),
        Rejected(
            testDescription: "no documents",
            benchmark: DecodingBenchmark([]),
            text: "there is no document to measure; create the benchmark with at least one"
        ),
        Rejected(
            testDescription: "two documents of one name",
            benchmark: DecodingBenchmark([valid, valid]),
            text: "products: two documents have this name; give each a unique name"
        ),
        Rejected(
            testDescription: "an empty document",
            benchmark: products(Data(), by: [.decoder(JSONDecoder())]),
            text: "products: the document is empty; pass the bytes of a response's body"
        ),
        Rejected(
            testDescription: "no decoders",
            benchmark: products(by: []),
            text: "products: there is no decoder to measure; add one, such as .decoder(JSONDecoder())"
        ),
        Rejected(
            testDescription: "two decoders of one name",
            benchmark: products(by: [.decoder(JSONDecoder()), .stream(), .decoder(JSONDecoder())]),
            text: #"products: two decoders are named "JSONDecoder"; give each a unique name: .decoder("…", decoder)"#
        ),
        Rejected(
            testDescription: "a document that a decoder rejects",
            benchmark: products(
                Data(#"[{"id":1,"name":"Lamp"},{"id":2,"naem":"Rug"}]"#.utf8),
                in: .none,
                by: [.decoder(JSONDecoder())]
            ),
            text: """
                products: JSONDecoder cannot decode the document as Array<BenchmarkedProduct>
                  [1] (line 1, column 25): the key "name" is missing; did you mean "naem"?
                      [{"id":1,"name":"Lamp"},{"id":2,"naem":"Rug"}]
                                              ^~~~~~~~~~~~~~~~~~~~~
                change the type or the decoder's strategies, or remove this decoder
                """
        ),
        Rejected(
            testDescription: "a document with a secret that Waybill's decoder rejects",
            benchmark: products(
                Data(#"[{"id":1,"token":"5ecret"}]"#.utf8),
                in: .none,
                by: [.decoder(WaybillJSONDecoder())]
            ),
            text: """
                products: WaybillJSONDecoder cannot decode the document as Array<BenchmarkedProduct>
                  [0] (line 1, column 2): the key "name" is missing; there are "id" and "token"
                      [{"id":1,"token":‹redacted›}]
                       ^~~~~~~~~~~~~~~~~~~~~~~~~~~
                change the type or the decoder's strategies, or remove this decoder
                """
        ),
        Rejected(
            testDescription: "a list whose stream is cut",
            benchmark: products(Data(#"[{"id":1,"name":"Lamp"},"#.utf8), in: .none, by: [.stream()]),
            text: """
                products: stream cannot decode the document as Array<BenchmarkedProduct>
                  line 1, column 25: expected a value after ',', found the end of the text
                change the type or the decoder's strategies, or remove this decoder
                """
        ),
        Rejected(
            testDescription: "an envelope that is not in the document",
            benchmark: products(in: Envelope("data", "rows"), by: [.decoder(JSONDecoder())]),
            text: "products: JSONDecoder found no value at data.rows; correct the envelope's path,"
                + " or omit the envelope"
        ),
        Rejected(
            testDescription: "an envelope that a stream does not find",
            benchmark: products(in: Envelope("data", "rows"), by: [.stream()]),
            text: "products: stream found no value at data.rows; correct the envelope's path, or omit the envelope"
        ),
        Rejected(
            testDescription: "an envelope with an index that the document does not have",
            benchmark: products(in: Envelope("data", "items", 3), by: [.decoder(WaybillJSONDecoder())]),
            text: "products: WaybillJSONDecoder found no value at data.items[3]; correct the envelope's path,"
                + " or omit the envelope"
        ),
        Rejected(
            testDescription: "an envelope with an index from the end for a stream",
            benchmark: products(
                Data(#"[[{"id":1,"name":"Lamp"}]]"#.utf8),
                in: Envelope(-1),
                by: [.stream()]
            ),
            text: """
                products: stream cannot decode the document as Array<BenchmarkedProduct>
                  the envelope has an index from the end, which a stream cannot resolve
                change the type or the decoder's strategies, or remove this decoder
                """
        ),
        Rejected(
            testDescription: "decoders with different results",
            benchmark: products(
                in: Envelope("data", "items"),
                by: [.decoder(JSONDecoder()), .decoder("other", RenamingDecoder(replaces: "Rug", with: "Mat"))]
            ),
            text: """
                products: JSONDecoder and other produced different results; nothing was measured
                  at [1].name
                  JSONDecoder: "Rug"
                  other: "Mat"
                give the decoders the same strategies, or remove one of them
                """
        ),
        Rejected(
            testDescription: "decoders with lists of different lengths",
            benchmark: products(
                in: Envelope("data", "items"),
                by: [
                    .decoder("whole", WaybillJSONDecoder()),
                    .decoder("cut", RenamingDecoder(replaces: #"{"id":2,"name":"Rug"},"#, with: "")),
                ]
            ),
            text: """
                products: whole and cut produced different results; nothing was measured
                  at [1].id
                  whole: 2
                  cut: 3
                give the decoders the same strategies, or remove one of them
                """
        ),
    ]

    @Test("Input that cannot be measured throws an error that describes the problem and its fix", arguments: inputs)
    func rejected(_ input: Rejected) async {
        let error = await #expect(throws: DecodingBenchmark.Failure.self) {
            try await input.benchmark.run(rounds: input.rounds)
        }
        #expect(error?.description == input.text)
    }

    @Test("Different results throw an error with both decoders and the first difference before any measurement")
    func difference() async throws {
        let time = VirtualTime()
        let error = await #expect(throws: DecodingBenchmark.Failure.self) {
            try await DecodingBenchmark(
                "number",
                decoding: Int.self,
                from: BenchmarkFixture.large,
                by: [
                    .decoder("A", StubDecoder(name: "A", time: time)),
                    .decoder("B", StubDecoder(name: "B", time: time, text: "8")),
                ]
            ).run(rounds: 3, with: time.instruments)
        }
        guard case .differentResults(let difference) = error?.reason else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(difference.decoders == ["A", "B"])
        #expect(difference.path.isEmpty)
        #expect(difference.values == ["7", "8"])
        #expect(error?.document == "number")
        #expect(time.log == ["A", "B"])
    }

    @Test("A decoder that fails in a later round causes an error with its name")
    func laterFailure() async throws {
        let time = VirtualTime()
        let error = await #expect(throws: DecodingBenchmark.Failure.self) {
            try await DecodingBenchmark(
                "number",
                decoding: Int.self,
                from: BenchmarkFixture.large,
                by: [.decoder("flaky", FlakyDecoder(time: time))]
            ).run(rounds: 3, with: time.instruments)
        }
        #expect(
            error?.reason == .undecodable(decoder: "flaky", type: "Int", diagnosis: "Failure()")
        )
    }
}

/// A decoder that replaces a text in the document before decoding.
private struct RenamingDecoder: ResponseDecoder {
    let replaces: String
    let with: String

    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        let text = String(decoding: data, as: UTF8.self).replacingOccurrences(of: replaces, with: with)
        return try JSONDecoder().decode(type, from: Data(text.utf8))
    }
}

/// A decoder whose third decoding fails.
private struct FlakyDecoder: ResponseDecoder {
    struct Failure: Error {}

    let time: VirtualTime

    func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        guard time.log.count < 2 else { throw Failure() }
        return try StubDecoder(name: "flaky", time: time).decode(type, from: data)
    }
}
