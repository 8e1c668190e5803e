import Foundation
import Testing
import Waybill
import WaybillTesting
import WaybillTransfers

private struct Order: Entity {
    let id: Int
    let total: Int
}

private struct Summary: ResponseContent, Equatable { let count: Int }

private struct Entry: Entity { let id: Int }

private struct Progress: ResponseContent { let status: String? }

private struct PullProblem: ResponseContent, Equatable { let error: String }

private struct Prompt: RequestContent { let text: String }

private struct Chunk: ResponseContent { let text: String }

private struct Token: ResponseContent, Equatable {
    let response: String
    let tokens: Int?
}

private struct Shop: API {
    let client: Client

    var orders: Resource<Order, ReadOnly> {
        resource("orders") {
            Envelope("data")
            Metadata(Summary.self, at: "summary")
        }
    }

    var report: Endpoint<Data> { endpoint { GET("report") } }

    func log(since day: Int) -> Endpoint<[Entry]> {
        endpoint {
            GET("log")
            Query("since", day)
            Decode.StreamFormat(.jsonLines)  // also if the server says text/plain
        }
    }

    func pull(_ image: String) -> Endpoint<[Progress]> {
        endpoint {
            POST("images/create")
            Query("fromImage", image)
            Decode.StreamFormat(.jsonLines)
            Problem(PullProblem.self, on: .success)  // {"error":"no space left"}
        }
    }

    func generate(_ prompt: Prompt) -> Endpoint<[Token]> {
        endpoint {
            POST("api/generate")
            Body(prompt)
            Decode.StreamFormat(.jsonLines, until: "done", is: true)
        }
    }

    var orderEvents: Endpoint<Events<OrderEvent>> {
        endpoint {
            GET("orders/events")
            Events.IgnoreUnknown()
        }
    }

    func chat(_ prompt: Prompt) -> Endpoint<Events<Chunk>> {
        endpoint {
            POST("chat")
            Body(prompt)
            Events.End("[DONE]")
        }
    }

    func respond(to prompt: Prompt) -> Endpoint<Events<String>> {
        endpoint {
            POST("responses")
            Body(prompt)
            Events.End(named: "completed", "failed")
            Events.MediaTypes("text/plain")
        }
    }

    func complete(_ prompt: Prompt) -> Endpoint<Events<Chunk>> {
        endpoint {
            POST("completions")
            Body(prompt)
            Events.End(at: "choices", 0, "finish_reason", is: "stop", "length")
        }
    }
}

extension Shop {
    enum OrderEvent: NamedEvent {
        case placed(Order)  // event: order.placed
        case paid(id: Int, amount: Int)  // event: paid, data: {"id": 7, "amount": 30}
        case note(String)  // event: note, data: any text
        case heartbeat  // event: heartbeat, whose data is not read

        enum CodingKeys: String, CodingKey {
            case placed = "order.placed"
            case paid, note, heartbeat
        }
    }
}

@Suite("Streams.md")
struct StreamsSamples {
    private func shop(_ responses: StubResponses) -> Shop {
        Shop(client: Client(Sample.url, transport: StubTransport(responses)))
    }

    @Test("The list in Streams.md has its metadata after the loop")
    func list() async throws {
        let shop = shop(["GET orders": .json(#"{"data":[{"id":1,"total":30}],"summary":{"count":1}}"#)])
        let orders = try await shop.orders.stream()
        for try await order in orders { print(order.total) }
        let summary = orders.metadata(Summary.self)
        #expect(summary == Summary(count: 1))
    }

    @Test("The log in Streams.md is read line by line")
    func lines() async throws {
        let shop = shop(["GET log": .text("{\"id\":1}\n{\"id\":2}\n")])
        var ids: [Int] = []
        for try await entry in try await shop.log(since: 3).stream() { ids.append(entry.id) }
        #expect(ids == [1, 2])
    }

    @Test("The pull in Streams.md ends with the problem in a line")
    func problem() async {
        let shop = shop(["POST images/create": .text("{\"status\":\"a\"}\n{\"error\":\"no space left\"}\n")])
        var count = 0
        let error = await Sample.failure {
            var lines = try await shop.pull("swift").stream().makeAsyncIterator()
            while try await lines.next() != nil { count += 1 }
        }
        #expect(count == 1)
        #expect(error?.problem(as: PullProblem.self) == PullProblem(error: "no space left"))
    }

    @Test("The chat in Streams.md ends with its declared event")
    func events() async throws {
        let headers: HTTPFields = [HTTPField(name: .contentType, value: "text/event-stream")]
        let transport = StubTransport([
            "POST chat": .text("data: {\"text\":\"Hi\"}\n\ndata: [DONE]\n\n", headers: headers)
        ])
        let shop = Shop(client: Client(Sample.url, transport: transport))
        for try await event in try await shop.chat(Prompt(text: "Hello")).stream() {
            print(event.name, event.id, event.data.text)
        }
        #expect(transport.requests.count == 1)
    }

    @Test("The tokens in Streams.md end with the done token, which has the count")
    func tokens() async throws {
        let shop = shop([
            "POST api/generate": .text(
                "{\"response\":\"Hi\",\"done\":false}\n{\"response\":\"\",\"done\":true,\"tokens\":2}\n"
            )
        ])
        var tokens: [Token] = []
        for try await token in try await shop.generate(Prompt(text: "Hello")).stream() { tokens.append(token) }
        #expect(tokens == [Token(response: "Hi", tokens: nil), Token(response: "", tokens: 2)])
    }

    @Test(
        "In Streams.md, the responses end with a named event and the completions with a member"
    )
    func ends() async throws {
        let chunk = #"{"text":"Hi","choices":[{"finish_reason":"stop"}]}"#
        let headers: HTTPFields = [HTTPField(name: .contentType, value: "text/event-stream")]
        let shop = shop([
            "POST responses": .text("data: a\n\nevent: failed\ndata: b\n\ndata: c\n\n"),
            "POST completions": .text("data: \(chunk)\n\ndata: \(chunk)\n\n", headers: headers),
        ])
        #expect(try await shop.respond(to: Prompt(text: "Hello")).send().all.map(\.data) == ["a", "b"])
        #expect(try await shop.complete(Prompt(text: "Hello")).send().all.map(\.data.text) == ["Hi"])
    }

    @Test("The named events in Streams.md select their cases, and unknown events are ignored")
    func namedEvents() async throws {
        let headers: HTTPFields = [HTTPField(name: .contentType, value: "text/event-stream")]
        let text = """
            event: order.placed
            data: {"id":7,"total":30}

            event: paid
            data: {"id":7,"amount":30}

            event: archived
            data: {}


            """
        let events = try await shop(["GET orders/events": .text(text, headers: headers)]).orderEvents.send().all
        #expect(events.count == 2)
        guard case .placed(let order)? = events.first?.data, case .paid(7, 30)? = events.last?.data else {
            return #expect(Bool(false), "\(events)")
        }
        #expect(order.total == 30)
    }

    @Test("The report in Streams.md is read chunk by chunk")
    func bytes() async throws {
        let shop = shop(["GET report": .text("abc")])
        let report = try await shop.report.bytes()
        var count = 0
        for try await chunk in report { count += chunk.count }
        #expect(count == 3)
    }
}
