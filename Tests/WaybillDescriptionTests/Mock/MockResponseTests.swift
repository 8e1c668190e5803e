import Foundation
import Testing
import Waybill
import WaybillDescription
import WaybillTesting
import WaybillTransfers

@Suite("Mock server responses in the declared format")
struct MockResponseTests {
    private let server: MockServer
    private let log: Log

    init() throws {
        server = try MockServer(Log()) { Seeds([Line(id: 1, text: "a"), Line(id: 2, text: "b")]) }
        log = Log(server.url)
    }

    @Test(
        "A call that streams JSON texts gets them in the declared format",
        arguments: [
            ("lines", "{\"id\":1,\"text\":\"text\"}\n", "application/jsonl"),
            ("sequence", "\u{1E}{\"id\":1,\"text\":\"text\"}\n", "application/json-seq"),
            ("texts", "{\"id\":1,\"text\":\"text\"}", "application/json"),
            ("accepted", "{\"id\":1,\"text\":\"text\"}\n", "application/x-ndjson"),
        ]
    )
    func sequences(path: String, body: String, mediaType: String) async throws {
        let call = log.stream(path)
        let response = try await call.returning(Data.self).response()
        #expect(String(decoding: response.value, as: UTF8.self) == body)
        #expect(response.headerFields[.contentType] == mediaType)
        var lines: [Line] = []
        for try await line in try await call.stream() { lines.append(line) }
        #expect(lines == [Line(id: 1, text: "text")])
    }

    @Test("An event stream ends with the declared end event", arguments: ["[DONE]", "two\nlines"])
    func endOfEvents(end: String) async throws {
        let server = try MockServer(Chat(end: end))
        let call = Chat(server.url, end: end).deltas
        #expect(try await call.send().all.map(\.data) == [Line(id: 1, text: "text")])
        var lines: [Line] = []
        for try await event in try await call.stream() { lines.append(event.data) }
        #expect(lines == [Line(id: 1, text: "text")])
    }

    @Test(
        "An event stream ends with an event that has the declared name or member",
        arguments: [
            Events.End(named: "stop", "failed"), Events.End(at: "text", is: "end"), Events.End(at: "id", is: 1),
        ]
    )
    func endMark(end: Events<Never>.End) async throws {
        let server = try MockServer(MarkedChat(end: end))
        let call = MarkedChat(server.url, end: end).deltas
        let events = try await call.send().all
        #expect(events.count == 1)
        #expect(events.first?.data.id == 1)
        var streamed = try await call.stream().makeAsyncIterator()
        #expect(try await streamed.next() == events.first)
        #expect(try await streamed.next() == nil)
    }

    @Test("A JSON Lines stream ends with an element that has the declared member") func endOfLines() async throws {
        let server = try MockServer(MarkedLog())
        var lines: [Line] = []
        for try await line in try await MarkedLog(server.url).lines.stream() { lines.append(line) }
        #expect(lines == [Line(id: 1, text: "end")])
    }

    @Test("An event stream has the declared media type") func mediaType() async throws {
        let end = Events.End(named: "stop")
        let server = try MockServer(MarkedChat(end: end, mediaType: "text/plain; charset=utf-8"))
        let call = MarkedChat(server.url, end: end, mediaType: "text/plain").deltas
        #expect(try await call.response().headerFields[.contentType] == "text/plain")
        #expect(try await call.send().all.map(\.name) == ["stop"])
    }

    @Test("A resource's list in JSON Lines contains its entities") func resource() async throws {
        var ids: [Int] = []
        for try await line in try await log.lines.endpoints.list().stream() { ids.append(line.id) }
        #expect(ids == [1, 2])
    }

    @Test("A generated response is not a declared failure", arguments: Declared.Kind.allCases)
    private func successes(kind: Declared.Kind) async throws {
        let server = try MockServer(Declared(kind: kind))
        let declared = Declared(server.url, kind: kind)
        #expect(try await declared.answer.send().value == "text")
        #expect(try await declared.profile.read().name == "text")
    }

    @Test("Metadata in a generated response is not a declared failure") func metadata() async throws {
        let server = try MockServer(Warned())
        let response = try await Warned(server.url).names.response()
        #expect(response.value == ["text"])
        #expect(response.metadata(Warned.Warning.self) == .init(isFatal: false))
    }

    @Test("A JSON text in a generated stream is not a declared failure") func successesInStream() async throws {
        let server = try MockServer(Failing())
        var values: [String] = []
        for try await answer in try await Failing(server.url).answers.stream() { values.append(answer.value) }
        #expect(values == ["text"])
    }

    @Test("A call whose generated responses are all declared failures gets 501 with the problem") func noSuccess()
        async throws
    {
        let server = try MockServer(Failing())
        let error = await #expect(throws: APIError.self) { try await Failing(server.url).never.send() }
        #expect(error?.status == 501)
        let text = "\(error.map { "\($0)" } ?? "")"
        #expect(text.contains("cannot create a response that is not a declared failure (JSONValue on"), "\(text)")
    }

    @Test("A seeded failure is sent unchanged") func seededFailure() async throws {
        let server = try MockServer(Declared(kind: .message)) {
            Seeds(json: #"{"name": "Ada", "error": "locked"}"#, at: "profile")
        }
        let error = await #expect(throws: APIError.self) {
            try await Declared(server.url, kind: .message).profile.read()
        }
        #expect(error?.problem(as: Declared.Fault.self)?.error == "locked")
    }

    @Test("A string problem is sent as plain text with the reason") func textProblem() async throws {
        let error = await #expect(throws: APIError.self) { try await log.lines.read(9) }
        #expect(error?.status == 404)
        #expect(error?.problem(as: String.self) == "There is no entity 9.")
    }

    @Test(
        "A write response has the declared part of the entity, and the client returns the complete entity",
        arguments: [WriteResult.Source.merged, .sent, .reread, .response]
    )
    func writeResults(source: WriteResult.Source) async throws {
        let server = try MockServer(Notes(returning: source)) { Seeds([Note(id: 1, text: "a", size: 1)]) }
        let notes = Notes(server.url, returning: source)
        let changed = Note(id: 1, text: "b", size: 2)
        #expect(try await notes.notes.update(changed) == changed)
        #expect(try await notes.notes.read(1) == changed)
        if source != .sent {
            let made = try await notes.notes.create(.init(id: nil, text: "c", size: 3))
            #expect(made == Note(id: 2, text: "c", size: 3))
        }
        let plain = Client(server.url) {}
        let response = try await plain.endpoint {
            PUT("notes/\(1)")
            Body(Note(id: 1, text: "d", size: 4))
        }.returning(Data.self).response()
        let expected: [WriteResult.Source: (HTTPResponse.Status, String)] = [
            .merged: (200, "{}"), .sent: (204, ""), .reread: (204, ""),
            .response: (200, #"{"id":1,"size":4,"text":"d"}"#),
        ]
        #expect(response.status == expected[source]?.0)
        #expect(String(decoding: response.value, as: UTF8.self) == expected[source]?.1)
    }

    @Test("A create response has the id at the declared path, and the client reads the entity by that id")
    func createdIDs() async throws {
        let api = Identified()
        let server = try MockServer(api)
        let things = Identified(server.url).things
        let made = try await things.create(.init(id: nil, text: "c", size: 3))
        #expect(made == Note(id: 1, text: "c", size: 3))
        #expect(server.requests.map { "\($0.method)" } == ["POST", "GET"])
        let response = try await Client(server.url) {}.endpoint {
            POST("things")
            Body(Note.Draft(id: nil, text: "d", size: 4))
        }.returning(Data.self).response()
        #expect(response.status == 201)
        #expect(String(decoding: response.value, as: UTF8.self) == #"{"data":{"uuid":2}}"#)
    }

    @Test("A batch response has its entities at the declared item path") func batchItems() async throws {
        let server = try MockServer(Notes(returning: .response))
        let made = try await Notes(server.url, returning: .response).notes.create([.init(id: nil, text: "c", size: 3)])
        #expect(made == [Note(id: 1, text: "c", size: 3)])
    }
}

private struct Line: Entity, Equatable {
    let id: Int
    var text: String
}

private struct Chat: DescribedAPI {
    let client: Client
    let end: String

    init(_ url: URL = .mocked, end: String) {
        client = Client(url)
        self.end = end
    }

    var deltas: Endpoint<Events<Line>> {
        endpoint {
            POST("chat")
            Events.End(end)
        }
    }

    var calls: APIDescription { deltas }
}

private struct MarkedChat: DescribedAPI {
    let client: Client
    let end: Events<Never>.End
    let mediaType: String?

    init(_ url: URL = .mocked, end: Events<Never>.End, mediaType: String? = nil) {
        client = Client(url)
        self.end = end
        self.mediaType = mediaType
    }

    var deltas: Endpoint<Events<Line>> {
        endpoint {
            POST("chat")
            end
            if let mediaType { Events.MediaTypes(mediaType) }
        }
    }

    var calls: APIDescription { deltas }
}

private struct MarkedLog: DescribedAPI {
    let client: Client

    init(_ url: URL = .mocked) { client = Client(url) }

    var lines: Endpoint<[Line]> {
        endpoint {
            POST("log")
            Decode.StreamFormat(.jsonLines, until: "text", is: "end")
        }
    }

    var calls: APIDescription { lines }
}

private struct Log: DescribedAPI {
    enum Access: Listable, Readable {}

    let client: Client

    init(_ url: URL = .mocked) { client = Client(url) { Problem(String.self) } }

    func stream(_ form: String) -> Endpoint<[Line]> {
        switch form {
        case "lines": stream("lines", .jsonLines)
        case "sequence": stream("sequence", .jsonTextSequence)
        case "texts": stream("texts", .concatenatedJSON)
        default:
            endpoint {
                GET("accepted")
                Header(.accept, "application/x-ndjson")
            }
        }
    }

    private func stream(_ path: Route.Path, _ form: Decode.StreamFormat.Form) -> Endpoint<[Line]> {
        endpoint {
            GET(path)
            Decode.StreamFormat(form)
        }
    }

    var lines: Resource<Line, Access> { resource("log") { On(.list) { Decode.StreamFormat(.jsonLines) } } }

    var calls: APIDescription {
        for form in ["lines", "sequence", "texts", "accepted"] { stream(form) }
        lines
    }
}

private struct Declared: DescribedAPI {
    enum Kind: String, CaseIterable, Sendable { case message, flag, code, status }

    enum Status: String, Codable, Sendable { case failed, ok }

    struct Answer: ResponseContent {
        let value: String
        let error: String?
        let isOK: Bool?
        let code: Int?
        let status: Status?
    }

    struct Profile: Codable, Sendable {
        var name: String
        var error: String?
    }

    struct Fault: Codable, Sendable {
        let error: String?
        let isOK: Bool?
        let code: Int?
        let status: Status?
    }

    let client: Client

    init(_ url: URL = .mocked, kind: Kind) {
        client = Client(url) {
            switch kind {
            case .message: Problem(Fault.self, on: .success, when: { $0.error != nil })
            case .flag: Problem(Fault.self, on: .success, when: { $0.isOK ?? false })
            case .code: Problem(Fault.self, on: .success, when: { ($0.code ?? 0) != 0 })
            case .status: Problem(Fault.self, on: .success, when: { $0.status == .failed })
            }
        }
    }

    var answer: Endpoint<Answer> { endpoint { GET("answer") } }

    var profile: Singleton<Profile, ReadWrite> { singleton("profile") }

    var calls: APIDescription {
        answer
        profile
    }
}

private struct Warned: DescribedAPI {
    struct Warning: Codable, Sendable, Equatable { let isFatal: Bool }

    let client: Client

    init(_ url: URL = .mocked) {
        client = Client(url) {
            Envelope("data")
            Metadata(Warning.self, at: "warning")
            Problem(Warning.self, on: .success, at: "warning", when: { $0.isFatal })
        }
    }

    var names: Endpoint<[String]> { endpoint { GET("names") } }

    var calls: APIDescription { names }
}

private struct Failing: DescribedAPI {
    struct Answer: ResponseContent {
        let value: String
        let error: String?
    }

    struct Fault: ResponseContent { let error: String }

    let client: Client

    init(_ url: URL = .mocked) { client = Client(url) {} }

    var answers: Endpoint<[Answer]> {
        endpoint {
            GET("answers")
            Decode.StreamFormat(.jsonLines)
            Problem(Fault.self, on: .success)
        }
    }

    var never: Endpoint<Answer> {
        endpoint {
            GET("never")
            Problem(JSONValue.self, on: .success)
        }
    }

    var calls: APIDescription {
        answers
        never
    }
}

private struct Note: Entity, Equatable {
    let id: Int
    var text: String
    var size: Int

    struct Draft: Codable, Sendable {
        var id: Int?
        var text: String
        var size: Int
    }
}

private struct Notes: DescribedAPI {
    struct ItemFault: ResponseContent { let reason: String }

    enum Access: Listable, Readable, Creatable, Updatable, BatchCreatable {}

    let client: Client
    let source: WriteResult.Source

    init(_ url: URL = .mocked, returning source: WriteResult.Source) {
        client = Client(url) {}
        self.source = source
    }

    var notes: Resource<Note, Access> {
        resource("notes") {
            On(.createBatch) { WriteResult.ItemProblem(ItemFault.self, at: "error", item: ["note"]) }
            On(.create) { WriteResult(source) }
            On(.update) { WriteResult(source) }
        }
    }

    var calls: APIDescription { notes }
}

private struct Identified: DescribedAPI {
    let client: Client

    init(_ url: URL = .mocked) { client = Client(url) {} }

    var things: Resource<Note, ReadWrite> {
        resource("things") { On(.create) { WriteResult(.reread, idAt: "data", "uuid") } }
    }

    var calls: APIDescription { things }
}
