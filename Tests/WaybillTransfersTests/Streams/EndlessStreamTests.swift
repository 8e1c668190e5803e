import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting
import WaybillTransfers

/// A transport whose responses have a beginning and then repeat a chunk until 100,000 bytes have been sent.
private struct UnendingTransport: Transport {
    let contentType: String
    let beginning: String
    let chunk: Data
    /// One note per chunk read.
    let count = Notes<Void>()

    init(_ contentType: String, _ beginning: String, _ chunk: String) {
        self.contentType = contentType
        self.beginning = beginning
        self.chunk = Data(String(repeating: chunk, count: 1000 / chunk.utf8.count).utf8)
    }

    func send(_ request: HTTPRequest, options: TransferOptions) async throws(TransportError) -> HTTPResponse {
        let field = HTTPField(name: .contentType, value: contentType)
        return HTTPResponse(
            status: 200,
            headerFields: HTTPFields([field].compactMap { $0 }),
            body: HTTPBody(Chunks(self))
        )
    }

    private struct Chunks: AsyncSequence, AsyncIteratorProtocol, Sendable {
        let transport: UnendingTransport
        var isAtBeginning = true

        init(_ transport: UnendingTransport) { self.transport = transport }

        mutating func next() async throws -> Data? {
            if isAtBeginning {
                isAtBeginning = false
                return Data(transport.beginning.utf8)
            }
            return transport.count.add(()) <= 100 ? transport.chunk : nil
        }

        func makeAsyncIterator() -> Self { self }
    }
}

@Suite("Endless streams", .inTurn, .safetyNet)
struct EndlessStreamTests {
    /// A body whose second record never ends.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let contentType: String
        let beginning: String
        let chunk: String
        var envelope = Envelope.none
        var form: Decode.StreamFormat.Form?
        var reason = "the element [1] has more than 5000 bytes"
        /// The number of records before the error.
        var count = 1
        /// The maximum number of chunks read.
        var chunkCount = 6

        var testDescription: String { name }
    }

    private static let json = "application/json"
    private static let beside = "it has more than 5000 bytes beside the list"
    private static let event = "an event has more than 5000 bytes"

    static let listRows = [
        Row(name: "a string", contentType: json, beginning: #"[1,"a"#, chunk: "x"),
        Row(name: "escapes in a string", contentType: json, beginning: #"[1,"a"#, chunk: #"\u0041"#),
        Row(name: "a key", contentType: json, beginning: #"[1,{"a"#, chunk: "x"),
        Row(name: "a number", contentType: json, beginning: "[1,2", chunk: "3"),
        Row(name: "members", contentType: json, beginning: #"[1,{"a":1"#, chunk: #","a":1"#),
        Row(name: "white space", contentType: json, beginning: "[1,[", chunk: " "),
        Row(
            name: "an element in an envelope",
            contentType: json,
            beginning: #"{"data":{"items":[1,""#,
            chunk: "x",
            envelope: Envelope("data", "items"),
            reason: "the element data.items[1] has more than 5000 bytes"
        ),
        Row(name: "a line", contentType: "application/jsonl", beginning: "1\n\"", chunk: "x"),
        Row(name: "a number in a line", contentType: "application/jsonl", beginning: "1\n2", chunk: "3"),
        Row(name: "a text", contentType: "application/json-seq", beginning: "\u{1E}1\n\u{1E}\"", chunk: "x"),
        Row(name: "a number text", contentType: "application/json-seq", beginning: "\u{1E}1\n\u{1E}2", chunk: "3"),
        Row(name: "a concatenated text", contentType: json, beginning: "1[", chunk: "2,", form: .concatenatedJSON),
        Row(
            name: "a value before the list",
            contentType: json,
            beginning: #"{"sum":""#,
            chunk: "x",
            envelope: Envelope("data"),
            reason: beside,
            count: 0
        ),
        Row(
            name: "a value behind the list",
            contentType: json,
            beginning: #"{"data":[1],"sum":""#,
            chunk: "x",
            envelope: Envelope("data"),
            reason: beside
        ),
    ]

    private static func check(_ error: APIError?, _ row: Row, _ transport: UnendingTransport) {
        guard case .transport(let failure)? = error else { return unexpected(error) }
        #expect(failure.error.kind == .bodyTooLarge)
        #expect(failure.error.message == "\(row.reason); declare BodyLimits(successBytes:) to read more")
        #expect(transport.count.all.count <= row.chunkCount)
    }

    private static func elements(
        _ row: Row,
        _ transport: UnendingTransport,
        @Scope.Builder _ clauses: () -> Scope
    ) async -> (elements: [JSONValue], error: APIError?) {
        let client = Client(Shop.url, transport: transport)
        let endpoint: Endpoint<[JSONValue]> = client.endpoint {
            GET("it")
            row.envelope
        }
        .with { if let form = row.form { Decode.StreamFormat(form) } }
        .with(clauses)
        var elements: [JSONValue] = []
        do throws(APIError) {
            var items = try await endpoint.stream().makeAsyncIterator()
            while let item = try await items.next() { elements.append(item) }
            return (elements, nil)
        } catch {
            return (elements, error)
        }
    }

    @Test("An endless part of a list is rejected at the first chunk beyond BodyLimits", arguments: listRows)
    func lists(_ row: Row) async {
        for isLossy in [false, true] {
            let transport = UnendingTransport(row.contentType, row.beginning, row.chunk)
            let (elements, error) = await Self.elements(row, transport) {
                BodyLimits(successBytes: 5000)
                if row.reason == Self.beside { Metadata(JSONValue.self, at: "sum") }
                if isLossy { DropInvalidItems() }
            }
            #expect(elements.count == row.count)
            Self.check(error, row, transport)
        }
    }

    @Test("With BodyLimits.none, an element may have any number of bytes")
    func unlimited() async {
        let row = Row(name: "", contentType: "application/jsonl", beginning: "1\n\"", chunk: "x")
        let transport = UnendingTransport(row.contentType, row.beginning, row.chunk)
        let (elements, error) = await Self.elements(row, transport) { BodyLimits.none }
        #expect(elements == [1])
        #expect(transport.count.all.count == 101)
        // The string is cut off at the end.
        guard case .decoding? = error else { return unexpected(error) }
    }

    @Test("A problem instead of a list is read with any limit for failed bodies", arguments: [0, 10, Int.max])
    func failureLimit(_ limit: Int) async {
        let stub = StubTransport(["GET it": .json(#"{"error":"no"}"#)])
        let endpoint: Endpoint<[Int]> = Client(Shop.url, transport: stub).endpoint {
            GET("it")
            Envelope("data")
            BodyLimits(failureBytes: limit)
        }
        let error = await failure { try await endpoint.stream() }
        guard case .decoding? = error else { return unexpected(error) }
    }

    @Test("BodyLimits applies to items of a streamed page and to values next to them", arguments: [false, true])
    func pages(isBeside: Bool) async {
        let beginning = isBeside ? #"{"data":[1],"next":""# : #"{"data":[1,""#
        let transport = UnendingTransport(Self.json, beginning, "x")
        let endpoint: Endpoint<[JSONValue]> = Client(Shop.url, transport: transport).endpoint {
            GET("it")
            Envelope("data")
            Paginated(.cursor(at: "next", as: "after"))
            BodyLimits(successBytes: 5000)
        }
        var items: [JSONValue] = []
        let error = await failure {
            var iterator = endpoint.all(streaming: true).makeAsyncIterator()
            while let item = try await iterator.next() { items.append(item) }
        }
        #expect(items == [1])
        let reason = isBeside ? Self.beside : "the element data[1] has more than 5000 bytes"
        Self.check(error, Row(name: "", contentType: "", beginning: "", chunk: "", reason: reason), transport)
    }

    static let eventRows = [
        Row(name: "a line of data", contentType: "", beginning: "data: 1\n\ndata: ", chunk: "x", reason: event),
        Row(
            name: "lines of data",
            contentType: "",
            beginning: "data: 1\n\n",
            chunk: "data: x\n",
            reason: event,
            chunkCount: 21
        ),
        Row(
            name: "empty lines of data",
            contentType: "",
            beginning: "data: 1\n\n",
            chunk: "data\n",
            reason: event,
            chunkCount: 26
        ),
        Row(name: "a comment", contentType: "", beginning: "data: 1\n\n:", chunk: "x", reason: event),
        Row(name: "a name", contentType: "", beginning: "data: 1\n\nevent: ", chunk: "x", reason: event),
        Row(name: "an id", contentType: "", beginning: "data: 1\n\nid: ", chunk: "x", reason: event),
        Row(name: "an unknown field", contentType: "", beginning: "data: 1\n\n", chunk: "x", reason: event),
    ]

    @Test("An endless event is rejected at the first chunk beyond BodyLimits", arguments: eventRows)
    func events(_ row: Row) async {
        let transport = UnendingTransport("text/event-stream", row.beginning, row.chunk)
        let endpoint: Endpoint<Events<String>> = Client(Shop.url, transport: transport, clock: ManualClock()).endpoint {
            GET("it")
            BodyLimits(successBytes: 5000)
        }
        var received: [String] = []
        let error = await failure {
            var events = try await endpoint.stream().makeAsyncIterator()
            while let event = try await events.next() { received.append(event.data) }
        }
        #expect(received == ["1"])
        Self.check(error, row, transport)
    }

    @Test("Any number of complete comments and events is accepted")
    func manyEvents() async {
        for chunk in [":\n", "data: 1\n\n", "id: 7\ndata: 1\n\n", "retry: 10\n"] {
            let transport = UnendingTransport("text/event-stream", "data: 1\n\n", chunk)
            let endpoint: Endpoint<Events<String>> = Client(Shop.url, transport: transport).endpoint {
                POST("it")
                BodyLimits(successBytes: 50)
            }
            let error = await failure {
                var events = try await endpoint.stream().makeAsyncIterator()
                while try await events.next() != nil {}
            }
            #expect(error == nil, "\(chunk)")
        }
    }
}
