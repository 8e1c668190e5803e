import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting
import WaybillTransfers

@Suite("Named events")
struct NamedEventTests {
    struct Product: Decodable, Sendable, Hashable { let id: Int }

    enum StockEvent: NamedEvent, Hashable {
        case added(Product)
        case moved(productNumber: Int, shelf: String)
        case priced(Product, price: Double?)
        case removed(Product?)
        case note(String)
        case image(Data)
        case count(Int)
        case message(String)
        case closed

        enum CodingKeys: String, CodingKey {
            case added = "product.added"
            case moved, priced, removed, note, image, count, message, closed
        }
    }

    struct Failure: Decodable, Sendable { let message: String }

    private static func endpoint<Value: Decodable & Sendable>(
        _ text: String,
        of type: Value.Type = StockEvent.self,
        @Scope.Builder _ clauses: () -> Scope = { Scope() }
    ) throws -> Endpoint<Events<Value>> {
        let url = try #require(URL(string: "https://example.com"))
        let stub = StubTransport(["POST stock": .events(text)])
        return Client(url, transport: stub).endpoint { POST("stock") }.with(clauses)
    }

    private static func read<Value>(
        _ endpoint: Endpoint<Events<Value>>
    ) async -> (events: [Value], error: APIError?) where Value: Decodable & Sendable {
        var received: [Value] = []
        do throws(APIError) {
            var events = try await endpoint.stream().makeAsyncIterator()
            while let event = try await events.next() { received.append(event.data) }
            return (received, nil)
        } catch {
            return (received, error)
        }
    }

    static let rows: [(text: String, event: StockEvent)] = [
        ("event: product.added\ndata: {\"id\":7}\n\n", .added(Product(id: 7))),
        ("event: moved\ndata: {\"product_number\":7,\"shelf\":\"B\"}\n\n", .moved(productNumber: 7, shelf: "B")),
        ("event: priced\ndata: {\"id\":7,\"price\":1.5}\n\n", .priced(Product(id: 7), price: 1.5)),
        ("event: priced\ndata: {\"id\":7,\"price\":null}\n\n", .priced(Product(id: 7), price: nil)),
        ("event: priced\ndata: {\"id\":7}\n\n", .priced(Product(id: 7), price: nil)),
        ("event: removed\ndata: {\"id\":7}\n\n", .removed(Product(id: 7))),
        ("event: removed\ndata: null\n\n", .removed(nil)),
        ("event: removed\ndata\n\n", .removed(nil)),
        ("event: note\ndata: no JSON: {\ndata: two lines\n\n", .note("no JSON: {\ntwo lines")),
        ("event: image\ndata: bytes\n\n", .image(Data("bytes".utf8))),
        ("event: count\ndata: 12\n\n", .count(12)),
        ("data: without a name\n\n", .message("without a name")),
        ("event: closed\ndata: [DONE]\n\n", .closed),
        ("event: closed\ndata\n\n", .closed),
    ]

    @Test("An event's name selects the case, and its data provides the associated values", arguments: rows)
    func cases(_ row: (text: String, event: StockEvent)) async throws {
        let endpoint = try Self.endpoint(row.text) { Decode(keys: .convertFromSnakeCase) }
        let (events, error) = await Self.read(endpoint)
        #expect(error == nil)
        #expect(events == [row.event])
        #expect(try await endpoint.send().all.map(\.data) == [row.event])
    }

    @Test("Foundation's decoder also decodes associated values of named events")
    func otherDecoder() async throws {
        let added = "event: product.added\ndata: {\"id\":7}\n\n"
        let text = added + "event: moved\ndata: {\"productNumber\":7,\"shelf\":\"B\"}\n\n"
        let (events, error) = await Self.read(try Self.endpoint(text) { Decode(with: JSONDecoder()) })
        #expect(error == nil)
        #expect(events == [.added(Product(id: 7)), .moved(productNumber: 7, shelf: "B")])
    }

    @Test("An unknown event name is an error that contains the name, after the events before it")
    func unknown() async throws {
        let endpoint = try Self.endpoint("event: closed\ndata: 1\n\nevent: sold\ndata: {\"id\":7}\n\n")
        let (events, error) = await Self.read(endpoint)
        #expect(events == [.closed])
        guard case .decoding(let failure)? = error else { return unexpected(error) }
        #expect(
            failure.description.contains(
                "event 2 has the name \"sold\", which is not a case of StockEvent; add the case, or declare "
                    + "Events.IgnoreUnknown()"
            ),
            "\(failure)"
        )
        await #expect(throws: APIError.self) { try await endpoint.send() }
    }

    @Test("Events.IgnoreUnknown skips only events with unknown names")
    func ignored() async throws {
        let known = "event: count\ndata: 1\n\nevent: sold\ndata: 2\n\nevent: count\ndata: 3\n\n"
        let endpoint = try Self.endpoint(known + "event: count\ndata: x\n\n") { Events.IgnoreUnknown() }
        let (events, error) = await Self.read(endpoint)
        #expect(events == [.count(1), .count(3)])
        guard case .decoding(let failure)? = error else { return unexpected(error) }
        #expect(failure.path == "[3]")
        let whole = try Self.endpoint(known) { Events.IgnoreUnknown() }
        #expect(try await whole.send().all.map(\.data) == [.count(1), .count(3)])
    }

    @Test("Any number of ignored events is skipped")
    func manyIgnored() async throws {
        let unknown = "event: sold\ndata: \"\(String(repeating: "x", count: 1000))\"\n\n"
        let text = "event: count\ndata: 1\n\n" + String(repeating: unknown, count: 300) + "event: count\ndata: 2\n\n"
        let (events, error) = await Self.read(try Self.endpoint(text) { Events.IgnoreUnknown() })
        #expect(events == [.count(1), .count(2)])
        #expect(error == nil)
    }

    @Test("An event with an unknown name is a declared problem if its data matches, even if unknown events are ignored")
    func problem() async throws {
        let text = "event: error\ndata: {\"message\":\"overloaded\"}\n\n"
        let endpoint = try Self.endpoint(text) {
            Events.IgnoreUnknown()
            Problem(Failure.self, on: .success)
        }
        let (events, error) = await Self.read(endpoint)
        #expect(events.isEmpty)
        #expect(error?.problem(as: Failure.self)?.message == "overloaded")
    }

    static let malformed: [(text: String, path: String, line: Int, column: Int, excerpt: String)] = [
        ("event: closed\ndata\n\nevent: product.added\ndata: {\"id\":\"x\"}\n\n", "[1].id", 1, 7, #"{"id":"x"}"#),
        ("event: moved\ndata: {\"productNumber\":7,\ndata: \"shelf\":8}\n\n", "[0].shelf", 2, 9, #""shelf":8}"#),
        ("event: moved\ndata: {\"productNumber\":7}\n\n", "[0]", 1, 1, #"{"productNumber":7}"#),
        ("event: added\ndata: {\"id\":7,}\n\n", "[0]", 1, 9, #"{"id":7,}"#),
    ]

    @Test("A decoding failure of a named event has the event's index, the position, and an excerpt")
    func places() async throws {
        enum Plain: NamedEvent, Hashable {
            case added(Product)
            case moved(productNumber: Int, shelf: String)
        }
        for row in Self.malformed {
            let places: APIError? =
                row.text.contains("product.added")
                ? await Self.read(try Self.endpoint(row.text)).error
                : await Self.read(try Self.endpoint(row.text, of: Plain.self)).error
            guard case .decoding(let failure)? = places else { return unexpected(places) }
            #expect(failure.path == row.path)
            #expect(failure.position?.line == row.line, "\(failure)")
            #expect(failure.position?.column == row.column, "\(failure)")
            #expect(failure.description.contains(row.excerpt), "\(failure)")
        }
    }

    @Test("A NamedEvent that is not an enum throws an explanatory error")
    func notAnEnum() async throws {
        struct Single: NamedEvent {
            init(from decoder: any Decoder) throws { _ = try decoder.singleValueContainer() }
        }
        let (_, error) = await Self.read(try Self.endpoint("data: 1\n\n", of: Single.self))
        guard case .decoding(let failure)? = error else { return unexpected(error) }
        #expect("\(failure.underlying)".contains("A NamedEvent is an enum"))
    }

    @Test("Endpoints of resources and singletons accept events")
    func accepted() async throws {
        let url = try #require(URL(string: "https://example.com"))
        let text = "data: a\n\n"
        let stub = StubTransport([
            "GET stock/events": .events(text), "GET shop/events": .events(text),
        ])
        let client = Client(url, transport: stub)
        let stock: Resource<JSONValue, ReadOnly> = client.resource("stock")
        let shop: Singleton<JSONValue, ReadOnly> = client.singleton("shop")
        let endpoints: [Endpoint<Events<String>>] = [
            stock.endpoint {
                GET("\(.resource)/events")
                Events.Reconnection.none
            },
            shop.endpoint {
                GET("\(.resource)/events")
                Events.Reconnection.none
            },
        ]
        for endpoint in endpoints { #expect(await Self.read(endpoint).events == ["a"]) }
        #expect(stub.requests.map { $0.headerFields["Accept"] } == ["text/event-stream", "text/event-stream"])
    }

    @Test("Events.IgnoreUnknown.none disables the clause of an outer scope")
    func notIgnored() async throws {
        let endpoint = try Self.endpoint("event: count\ndata: 1\n\nevent: sold\ndata: 2\n\n") { Events.IgnoreUnknown() }
        #expect(await Self.read(endpoint).error == nil)
        let (events, error) = await Self.read(endpoint.with { Events.IgnoreUnknown.none })
        #expect(events == [.count(1)])
        guard case .decoding? = error else { return unexpected(error) }
    }
}
