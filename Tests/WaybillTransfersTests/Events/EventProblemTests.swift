import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting
import WaybillTransfers

@Suite("Problems in event data")
struct EventProblemTests {
    /// A type that decodes from any object.
    struct Delta: Codable, Sendable, Hashable {
        var text: String?
        var error: String?
    }

    enum Step: NamedEvent, Hashable {
        case delta(Delta)
        case ping
        case message(Delta)
    }

    struct Failure: Codable, Sendable, Hashable { let error: String }

    private static func endpoint<Value: Decodable & Sendable>(
        _ text: String,
        of type: Value.Type,
        @Scope.Builder _ clauses: () -> Scope
    ) -> Endpoint<Events<Value>> {
        Client(Shop.url, transport: StubTransport(["POST chat": .events(text)])).endpoint { POST("chat") }.with(clauses)
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

    /// Reads a stream whose second event is a problem, and the same response with `send()`.
    private func expectProblem<Value: Codable & Sendable & Hashable>(
        of type: Value.Type,
        name: String = "message",
        _ location: SourceLocation = #_sourceLocation
    ) async {
        let text = "data: {\"text\":\"a\"}\n\nevent: \(name)\ndata: {\"error\":\"no\"}\n\ndata: {\"text\":\"b\"}\n\n"
        let endpoint = Self.endpoint(text, of: type) { Problem(Failure.self, on: .success) }
        let (events, error) = await Self.read(endpoint)
        #expect(events.count == 1, sourceLocation: location)
        #expect(error?.problem() == Failure(error: "no"), sourceLocation: location)
        let whole = await #expect(throws: APIError.self, sourceLocation: location) { try await endpoint.send() }
        #expect(whole?.problem() == Failure(error: "no"), sourceLocation: location)
        // A problem declared for failed statuses is an ordinary value.
        let ordinary = Self.endpoint(text, of: type) { Problem(Failure.self) }
        #expect(await Self.read(ordinary).events.count == 3, sourceLocation: location)
    }

    @Test("Data that matches a declared problem is the stream's error, even if it also decodes as a value")
    func values() async {
        await expectProblem(of: Delta.self)
        await expectProblem(of: [String: String].self)
        await expectProblem(of: JSONValue.self)
        await expectProblem(of: String.self)
        await expectProblem(of: Data.self)
    }

    @Test("Data that matches a declared problem is the stream's error, whatever the event's name")
    func named() async {
        for name in ["message", "delta", "ping"] {
            let text = "data: {\"text\":\"a\"}\n\nevent: \(name)\ndata: {\"error\":\"no\"}\n\n"
            let endpoint = Self.endpoint(text, of: Step.self) {
                Problem(Failure.self, on: .success)
                Events.IgnoreUnknown()
            }
            let (events, error) = await Self.read(endpoint)
            #expect(events == [.message(Delta(text: "a"))])
            #expect(error?.problem() == Failure(error: "no"))
        }
    }

    @Test("A problem's condition decides whether data is a problem or a value")
    func condition() async {
        let text = "data: {\"error\":\"\"}\n\ndata: {\"error\":\"no\"}\n\n"
        let endpoint = Self.endpoint(text, of: Delta.self) {
            Problem(Delta.self, on: .success, when: { $0.error?.isEmpty == false })
        }
        let (events, error) = await Self.read(endpoint)
        #expect(events == [Delta(error: "")])
        #expect(error?.problem() == Delta(error: "no"))
    }

    @Test("A text problem is read only from data that does not decode as a value")
    func text() async {
        let endpoint = Self.endpoint("data: {\"text\":\"a\"}\n\ndata: [DONE]\n\n", of: Delta.self) {
            Problem(String.self, on: .success)
        }
        let (events, _) = await Self.read(endpoint)
        #expect(events == [Delta(text: "a")])
    }

    @Test("The declared end of a stream is not read as a problem")
    func end() async {
        let endpoint = Self.endpoint("data: {\"text\":\"a\"}\n\ndata: {}\n\n", of: Delta.self) {
            Problem(Delta.self, on: .success, when: { $0.text == nil })
            Events.End("{}")
        }
        let (events, error) = await Self.read(endpoint)
        #expect(events == [Delta(text: "a")])
        #expect(error == nil)
    }
}
