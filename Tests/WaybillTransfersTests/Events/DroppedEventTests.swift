import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting
import WaybillTransfers

@Suite("Dropped events")
struct DroppedEventTests {
    struct Chunk: Decodable, Sendable, Equatable { let text: String }

    enum Named: NamedEvent, Equatable { case chunk(Chunk) }

    struct Fault: Decodable, Sendable, Hashable { let error: String }

    private static func endpoint<Value: Decodable & Sendable>(
        _ text: String,
        of type: Value.Type = Chunk.self,
        @Scope.Builder _ clauses: () -> Scope = { Scope() }
    ) -> Endpoint<Events<Value>> {
        let client = Client(Shop.url, transport: StubTransport(["POST it": .events(text)])) { DropInvalidItems() }
        return client.endpoint { POST("it") }.with(clauses)
    }

    private static let text = "data: {\"text\":\"a\"}\n\ndata: {\"text\":1}\n\ndata: oops\n\ndata: {\"text\":\"b\"}\n\n"

    @Test("Events whose data does not decode are dropped and reported by the stream")
    func streamed() async throws {
        let stream = try await Self.endpoint(Self.text).stream()
        var texts: [String] = []
        for try await event in stream { texts.append(event.data.text) }
        #expect(texts == ["a", "b"])
        #expect(stream.droppedItemCount == 2)
        #expect(stream.droppedItems.map(\.index) == [1, 2])
        let first = try #require(stream.droppedItems.first)
        #expect("\(first.error)".contains("[1].text"), "\(first.error)")
    }

    @Test("Events dropped by send() are reported by the response")
    func whole() async throws {
        let response = try await Self.endpoint(Self.text).response()
        #expect(response.value.all.map(\.data.text) == ["a", "b"])
        #expect(response.droppedItems.map(\.index) == [1, 2])
    }

    @Test("An event with an unknown name is dropped and reported unless it is ignored")
    func unknown() async throws {
        let text = "event: other\ndata: {}\n\nevent: chunk\ndata: {\"text\":\"a\"}\n\nevent: chunk\ndata: {}\n\n"
        let endpoint = Self.endpoint(text, of: Named.self)
        #expect(try await endpoint.response().droppedItems.map(\.index) == [0, 2])
        let ignoring = endpoint.with { Events.IgnoreUnknown() }
        let response = try await ignoring.response()
        #expect(response.value.all.map(\.data) == [.chunk(Chunk(text: "a"))])
        #expect(response.droppedItems.map(\.index) == [2])
    }

    @Test("A dropped end event ends the stream, and a missing one is still an error")
    func end() async throws {
        let text = "data: {\"text\":\"a\"}\n\nevent: end\ndata: {}\n\ndata: {\"text\":\"b\"}\n\n"
        let endpoint = Self.endpoint(text) { Events.End(named: "end") }
        let stream = try await endpoint.stream()
        var texts: [String] = []
        for try await event in stream { texts.append(event.data.text) }
        #expect(texts == ["a"])
        #expect(stream.droppedItems.map(\.index) == [1])
        let error = await failure { try await endpoint.with { Events.End(named: "other") }.send() }
        guard case .decoding? = error else { return unexpected(error) }
    }

    @Test("A declared problem is not dropped")
    func problem() async {
        let endpoint = Self.endpoint("data: {\"error\":\"full\"}\n\n") { Problem(Fault.self, on: .success) }
        #expect(await failure { try await endpoint.send() }?.problem() == Fault(error: "full"))
    }

    @Test("All dropped events are counted, and the first 100 are kept without secrets")
    func many() async throws {
        let text = String(repeating: "data: {\"password\":\"hunter2\",\"text\":1}\n\n", count: 120)
        let stream = try await Self.endpoint(text).stream()
        for try await event in stream { Issue.record("\(event)") }
        #expect(stream.droppedItemCount == 120)
        #expect(stream.droppedItems.count == 100)
        #expect(!"\(stream.droppedItems)".contains("hunter2"))
    }
}
