import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("JSON Lines bodies", .inTurn, .safetyNet)
struct LinesBodyTests {
    struct Item: Encodable, Sendable {
        var itemID: Int
        var note: String?
    }

    struct Broken: Error {}

    private static func upload(_ client: Client, _ body: Body, @Scope.Builder _ clauses: () -> Scope = { Scope() })
        -> Endpoint<Void>
    {
        let endpoint: Endpoint<Void> = client.endpoint {
            POST("import")
            body
        }
        return endpoint.with(clauses)
    }

    @Test("A collection is sent as one line per element, using the encoder in scope", arguments: Carrier.allCases)
    func collection(_ carrier: Carrier) async throws {
        let transport = try carrier.transport()
        try await LoopbackServer.run(StubResponses().otherwise(.status(204))) { server async throws in
            let client = Client(server.url, transport: transport) { Encode(keys: .convertToSnakeCase) }
            try await Self.upload(client, Body(lines: [Item(itemID: 1, note: "a\nb"), Item(itemID: 2)])).send()
            let request = try #require(server.requests.first)
            #expect(request.headerFields[.contentType] == "application/jsonl")
            #expect(request.text == "{\"item_id\":1,\"note\":\"a\\nb\"}\n{\"item_id\":2}\n")
        }
    }

    @Test("A pretty-printing encoder writes one line per element, and a JSON text sequence has record separators")
    func forms() async throws {
        let stub = StubTransport { _ in .status(204) }
        let client = Client(Shop.url, transport: stub)
        let pretty = JSONEncoder()
        pretty.outputFormatting = [.prettyPrinted, .sortedKeys]
        try await Self.upload(client, Body(lines: [[1], [2]], contentType: "application/x-ndjson")) {
            Encode(with: pretty)
        }.send()
        try await Self.upload(client, Body(lines: [1, 2], contentType: "application/json-seq")).send()
        try await Self.upload(client, Body(lines: [Int]())).send()
        #expect(stub.requests.map(\.text) == ["[1]\n[2]\n", "\u{1E}1\n\u{1E}2\n", ""])
        #expect(
            stub.requests.map { $0.headerFields[.contentType] ?? "" }
                == ["application/x-ndjson", "application/json-seq", "application/jsonl"]
        )
    }

    @Test("An asynchronous sequence produces each element only on demand")
    func backPressure() async throws {
        let asked = Lines()
        let elements = AsyncStream<Int>(unfolding: {
            let number = asked.add("")
            return number > 100 ? nil : number
        })
        let plan = try Self.upload(Client(Shop.url), Body(lines: elements)).plan()
        let body = try #require(plan.body)
        #expect(asked.all.isEmpty)
        #expect(body.length == nil)
        var iterator = body.makeAsyncIterator()
        #expect(try await iterator.next() == Data("1\n".utf8))
        #expect(try await iterator.next() == Data("2\n".utf8))
        #expect(asked.all.count == 2)
    }

    @Test("A long collection is encoded and sent in chunks")
    func chunks() async throws {
        let encoded = Lines()
        struct Counted: Encodable, Sendable {
            let encoded: Lines

            func encode(to encoder: any Encoder) throws {
                encoded.add("")
                var container = encoder.singleValueContainer()
                try container.encode(String(repeating: "x", count: 1000))
            }
        }
        let elements = Array(repeating: Counted(encoded: encoded), count: 99)
        let plan = try Self.upload(Client(Shop.url), Body(lines: elements)).plan()
        var iterator = try #require(plan.body).makeAsyncIterator()
        let first = try await iterator.next()
        #expect(first?.count == 17 * 1003)
        #expect(encoded.all.count == 17)
    }

    @Test(
        "Lines are resent by a retry if they come from a collection or are declared as replayable",
        arguments: [("collection", 2), ("sequence", 1), ("repeatable sequence", 2), ("asynchronous", 1)]
    )
    func retries(kind: String, count: Int) async throws {
        let stub = StubTransport { _ in .status(503) }
        let client = Client(Shop.url, transport: stub, clock: SkippingClock()) { Retry(attempts: 2) }
        let body =
            switch kind {
            case "collection": Body(lines: [1, 2])
            case "sequence": Body(lines: Plain(elements: [1, 2]))
            case "repeatable sequence":
                Body(lines: Plain(elements: [1, 2]), isReplayable: true)
            default: Body(lines: [1, 2].async)
            }
        let endpoint: Endpoint<Void> = client.endpoint {
            PUT("import")
            body
        }
        _ = await failure { try await endpoint.send() }
        #expect(stub.requests.map(\.text) == Array(repeating: "1\n2\n", count: count))
    }

    @Test("An element that cannot be encoded or produced ends the call with the underlying error")
    func failures() async throws {
        let client = Client(Shop.url, transport: StubTransport { _ in .status(204) })
        let infinite = await failure {
            try await Self.upload(client, Body(lines: [1, Double.infinity])).send()
        }
        #expect(infinite?.transportError?.underlying is EncodingError)
        let broken = await failure {
            let elements = AsyncThrowingStream<Int, any Error>(unfolding: { throw Broken() })
            try await Self.upload(client, Body(lines: elements)).send()
        }
        #expect(broken?.transportError?.underlying is Broken)
    }
}

extension APIError {
    fileprivate var transportError: TransportError? {
        if case .transport(let failure) = self { failure.error } else { nil }
    }
}

/// A sequence that is not a collection.
private struct Plain: Sequence, Sendable {
    let elements: [Int]

    func makeIterator() -> [Int].Iterator { elements.makeIterator() }
}

extension [Int] {
    fileprivate var async: AsyncStream<Int> {
        AsyncStream { continuation in
            for element in self { continuation.yield(element) }
            continuation.finish()
        }
    }
}
