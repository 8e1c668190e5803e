import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting
import WaybillTransfers

@Suite("LanguageModels.md", .inTurn)
struct LanguageModelsSamples {
    struct Question: RequestContent {
        struct Turn: RequestContent { let role, content: String }

        let model: String
        let messages: [Turn]
    }

    struct Completions: API {
        let client: Client

        init(_ url: URL, key: String) {
            client = Client(url) {
                Authorization(.bearer(key))
                Decode(keys: .convertFromSnakeCase)
                Problem(ModelProblem.self, on: .failures.union(.success), at: "error")
            }
        }

        func answer(_ question: Question) -> Endpoint<Events<Chunk>> {
            endpoint {
                POST("chat/completions")
                Body(question)
                Body.Member("stream", true)
                Events.End("[DONE]")
            }
        }
    }

    struct ModelProblem: ResponseContent { let message: String }

    struct Chunk: ResponseContent {
        struct Choice: ResponseContent {
            let delta: Delta
            let finishReason: String?
        }

        struct Delta: ResponseContent {
            let content: String?
            let toolCalls: [ToolCall]?
        }

        struct ToolCall: ResponseContent {
            struct Function: ResponseContent { let name, arguments: String? }

            let index: Int
            let id: String?
            let function: Function
        }

        let choices: [Choice]

        func add(to answer: inout Answer) {
            guard let choice = choices.first else { return }  // the chunk with the usage has none
            answer.text += choice.delta.content ?? ""
            for part in choice.delta.toolCalls ?? [] {
                var call = answer.toolCalls[part.index] ?? Answer.ToolCall()
                call.id += part.id ?? ""
                call.name += part.function.name ?? ""
                call.arguments += part.function.arguments ?? ""
                answer.toolCalls[part.index] = call
            }
            answer.stopReason = choice.finishReason ?? answer.stopReason
        }
    }

    struct Answer: Equatable {
        struct ToolCall: Equatable { var id = "", name = "", arguments = "" }

        var text = ""
        var toolCalls: [Int: ToolCall] = [:]
        var stopReason: String?
    }

    struct Messages: API {
        let client: Client

        init(_ url: URL, key: String) {
            client = Client(url) {
                Authorization(.apiKey(key, header: "x-api-key"))
                Header("anthropic-version", "2023-06-01")
                Decode(keys: .convertFromSnakeCase)
                Problem(ModelProblem.self, on: .failures.union(.success), at: "error")
            }
        }

        func answer(_ question: Question, maxTokens: Int = 1024) -> Endpoint<Events<MessageEvent>> {
            endpoint {
                POST("messages")
                Body(question)
                Body.Member("max_tokens", maxTokens)
                Body.Member("stream", true)
                Events.End(named: "message_stop")
                Events.IgnoreUnknown()  // message_start, ping, and events that are added later
            }
        }
    }

    enum MessageEvent: NamedEvent {
        case blockStart(index: Int, contentBlock: Block)
        case blockDelta(index: Int, delta: Delta)
        case messageDelta(delta: Ending)

        enum CodingKeys: String, CodingKey {
            case blockStart = "content_block_start"
            case blockDelta = "content_block_delta"
            case messageDelta = "message_delta"
        }

        struct Block: ResponseContent {
            let type: String
            let id, name: String?
        }

        struct Delta: ResponseContent { let text, partialJson: String? }

        struct Ending: ResponseContent { let stopReason: String? }

        func add(to answer: inout Answer) {
            switch self {
            case .blockStart(let index, let block):
                if block.type == "tool_use" {
                    answer.toolCalls[index] = Answer.ToolCall(id: block.id ?? "", name: block.name ?? "")
                }
            case .blockDelta(let index, let delta):
                answer.text += delta.text ?? ""
                answer.toolCalls[index]?.arguments += delta.partialJson ?? ""
            case .messageDelta(let delta):
                answer.stopReason = delta.stopReason ?? answer.stopReason
            }
        }
    }

    struct Weather: Decodable { let city: String }

    private static let key = "k"

    private static let question = Question(model: "m", messages: [.init(role: "user", content: "Rain in Rome?")])

    private static let whole = Answer(
        text: "Let me see.",
        toolCalls: [1: .init(id: "call_1", name: "weather", arguments: #"{"city":"Rome"}"#)],
        stopReason: "tool"
    )

    private static func events(_ text: String) -> Responder {
        .text(text, headers: [HTTPField(name: .contentType, value: "text/event-stream")])
    }

    private static let completions = """
        data: {"choices":[{"index":0,"delta":{"role":"assistant","content":"Let me "},"finish_reason":null}]}

        data: {"choices":[{"index":0,"delta":{"content":"see."},"finish_reason":null}]}

        data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"call_1","type":"function",\
        "function":{"name":"weather","arguments":""}}]},"finish_reason":null}]}

        data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"function":{"arguments":"{\\"city\\":"}}]}}]}

        data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"function":{"arguments":"\\"Rome\\"}"}}]}}]}

        data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool"}]}

        data: {"choices":[],"usage":{"total_tokens":9}}


        """

    private static let messages = """
        event: message_start
        data: {"type":"message_start","message":{"id":"m","role":"assistant","content":[]}}

        event: content_block_start
        data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

        event: ping
        data: {"type":"ping"}

        event: content_block_delta
        data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Let me see."}}

        event: content_block_stop
        data: {"type":"content_block_stop","index":0}

        event: content_block_start
        data: {"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"call_1",\
        "name":"weather","input":{}}}

        event: content_block_delta
        data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\\"city\\":"}}

        event: content_block_delta
        data: {"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"\\"Rome\\"}"}}

        event: message_delta
        data: {"type":"message_delta","delta":{"stop_reason":"tool"},"usage":{"output_tokens":9}}


        """

    private static let stop = "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"

    @Test("The completion in LanguageModels.md is folded into one answer with a tool call")
    func completion() async throws {
        let responses: StubResponses = ["POST chat/completions": Self.events(Self.completions + "data: [DONE]\n\n")]
        try await LoopbackServer.run(responses) { server async throws in
            var printed: [String] = []
            func print(_ text: String) { printed.append(text) }
            let completions = Completions(server.url, key: Self.key)
            let question = Self.question
            var answer = Answer()
            for try await event in try await completions.answer(question).stream() {
                event.data.add(to: &answer)
            }
            #expect(answer == Self.whole)
            #expect(server.requests.first?.text.contains(#""stream":true"#) == true)
            for call in answer.toolCalls.values where call.name == "weather" {
                let weather = try WaybillJSONDecoder().decode(Weather.self, from: Data(call.arguments.utf8))
                print(weather.city)
            }
            #expect(printed == ["Rome"])
        }
    }

    /// Reads an answer like the page, and returns it with the printed text.
    private static func read(_ response: Responder) async throws -> (answer: Answer, text: String?) {
        try await LoopbackServer.run(["POST messages": response]) { server async throws in
            var printed: [String] = []
            func print(_ text: String) { printed.append(text) }
            let messages = Messages(server.url, key: key)
            let question = Self.question
            var answer = Answer()
            do {
                for try await event in try await messages.answer(question).stream() { event.data.add(to: &answer) }
            } catch let error as APIError {
                if let problem = error.problem(as: ModelProblem.self) {
                    print("The model failed: \(problem.message)")
                } else {
                    print("The answer is cut off: \(error)")
                }
            }
            return (answer, printed.first)
        }
    }

    @Test("The messages in LanguageModels.md are folded into the same answer, up to the declared end event")
    func message() async throws {
        let (answer, text) = try await Self.read(Self.events(Self.messages + Self.stop + "event: error\ndata: {}\n\n"))
        #expect(answer == Self.whole)
        #expect(text == nil)
    }

    @Test("An error among the messages in LanguageModels.md throws its problem after the preceding deltas")
    func problem() async throws {
        let error =
            "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded\",\"message\":\"Busy\"}}\n\n"
        let (answer, text) = try await Self.read(Self.events(Self.messages + error + Self.stop))
        #expect(answer == Self.whole)
        #expect(text == "The model failed: Busy")
    }

    @Test("A failure status in LanguageModels.md throws the same problem before any delta")
    func status() async throws {
        let response: Responder = .json(#"{"type":"error","error":{"message":"Too many"}}"#, status: 429)
        let (answer, text) = try await Self.read(response)
        #expect(answer == Answer())
        #expect(text == "The model failed: Too many")
    }

    @Test("A connection lost during the messages in LanguageModels.md throws an error after the preceding deltas")
    func cut() async throws {
        for response in [
            Self.events(Self.messages), Self.events(Self.messages).closing(announced: false),
            Self.events(Self.messages + "event: message_stop\n"),
        ] {
            let (answer, text) = try await Self.read(response)
            #expect(answer == Self.whole)
            #expect(text?.hasPrefix("The answer is cut off: POST messages") == true, "\(text ?? "")")
        }
    }
}
