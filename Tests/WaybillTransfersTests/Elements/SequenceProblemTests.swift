import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting
import WaybillTransfers

@Suite("Problems within streams")
struct SequenceProblemTests {
    struct Progress: Decodable, Sendable, Equatable { var status: String? }
    struct Failure: Decodable, Sendable, Equatable { let error: String }
    struct Reply: Decodable, Sendable, Equatable { let ok: Bool }

    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let body: String
        var type = "application/x-ndjson"
        var form: Decode.StreamFormat.Form?
        let statuses: [String]
        var failure: Failure?
        var reply: Reply?
        var isLossy = false
    }

    static let rows = [
        Row(
            testDescription: "a line of another shape",
            body: "{\"status\":\"a\"}\n{\"status\":\"b\"}\n{\"error\":\"full\"}\n{\"status\":\"c\"}\n",
            statuses: ["a", "b"],
            failure: Failure(error: "full")
        ),
        Row(
            testDescription: "the first line",
            body: "{\"error\":\"full\"}\n",
            statuses: [],
            failure: Failure(error: "full")
        ),
        Row(
            testDescription: "a line that meets the condition",
            body: "{\"status\":\"a\",\"ok\":true}\n{\"ok\":false}\n",
            statuses: ["a"],
            reply: Reply(ok: false)
        ),
        Row(
            testDescription: "a last line without an end",
            body: "{\"status\":\"a\"}\n{\"error\":\"full\"}",
            statuses: ["a"],
            failure: Failure(error: "full")
        ),
        Row(
            testDescription: "a line where broken lines are dropped",
            body: "oops\n{\"status\":\"a\"}\n{\"status\":1}\n{\"error\":\"full\"}\n",
            statuses: ["a"],
            failure: Failure(error: "full"),
            isLossy: true
        ),
        Row(
            testDescription: "a text of a JSON text sequence",
            body: "\u{1E}{\"status\":\"a\"}\n\u{1E}{\"error\":\"full\"}\n",
            type: "application/json-seq",
            statuses: ["a"],
            failure: Failure(error: "full")
        ),
        Row(
            testDescription: "concatenated JSON as plain text",
            body: "{\"status\":\"a\"}{\"error\":\"full\"}",
            type: "text/plain",
            form: .concatenatedJSON,
            statuses: ["a"],
            failure: Failure(error: "full")
        ),
        Row(testDescription: "no problem", body: "{\"status\":\"a\"}\n{\"ok\":true}\n", statuses: ["a", "-"]),
    ]

    @Test(
        "A declared problem in a stream is thrown after the elements before it",
        arguments: rows,
        [1, 4096]
    )
    func problems(_ row: Row, _ size: Int) async throws {
        let response = StubResponse.text(row.body, of: row.type).chunked(bytes: size)
        let client = Client(Shop.url, transport: StubTransport { _ in response }) {
            Problem(Failure.self, on: .success)
            Problem(Reply.self, on: .success, when: { !$0.ok })
        }
        let endpoint: Endpoint<[Progress]> = client.endpoint {
            GET("pull")
            if let form = row.form { Decode.StreamFormat(form) }
            if row.isLossy { DropInvalidItems() }
        }
        var statuses: [String] = []
        let error = await failure {
            var lines = try await endpoint.stream().makeAsyncIterator()
            while let line = try await lines.next() { statuses.append(line.status ?? "-") }
        }
        #expect(statuses == row.statuses)
        #expect(error?.problem(as: Failure.self) == row.failure)
        #expect(error?.problem(as: Reply.self) == row.reply)
        #expect(error?.status == (row.failure == nil && row.reply == nil ? nil : 200))
    }

    @Test("A problem's failure contains the bytes, and its description no secret")
    func bytes() async throws {
        let body = "{\"status\":\"a\"}\n{\"error\":\"full\",\"password\":\"hunter2\"}\n"
        let response = StubResponse.text(body, of: "application/jsonl")
        let client = Client(Shop.url, transport: StubTransport { _ in response }) {
            Problem(JSONValue.self, on: .success, when: { $0["error"] != nil })
        }
        let endpoint: Endpoint<[Progress]> = client.endpoint { GET("pull") }
        let error = await failure {
            var lines = try await endpoint.stream().makeAsyncIterator()
            while try await lines.next() != nil {}
        }
        guard case .status(let failure)? = error else { return unexpected(error) }
        #expect(try JSONDecoder().decode(JSONValue.self, from: failure.body)["error"] == "full")
        #expect(!failure.description.contains("hunter2"))
    }

    @Test(
        "stream() throws at once if the body begins with an object, even if the object never ends",
        arguments: ["{", #"{"type":"ADDED","#, "{\"type\":\"ADDED\"}\n"],
        [false, true]
    )
    func endlessObject(_ beginning: String, hasProblem: Bool) async throws {
        // An object that may be a problem is read to its end.
        guard !hasProblem || beginning.hasSuffix("\n") else { return }
        let client = Client(Shop.url, transport: SilentTransport(beginning: beginning)) {
            if hasProblem { Problem(Failure.self, on: .success) }
        }
        let endpoint: Endpoint<[Progress]> = client.endpoint { GET("watch") }
        let error = await failure { try await endpoint.stream() }
        guard case .decoding(let failure)? = error else { return unexpected(error) }
        #expect(failure.description.contains("line 1, column 1: expected an array, found an object"))
    }

    @Test("stream() finds a problem in the first JSON text of a body that never ends")
    func problemBeforeOthers() async throws {
        let client = Client(Shop.url, transport: SilentTransport(beginning: "{\"error\":\"gone\"}\n{\"a\":")) {
            Problem(Failure.self, on: .success)
        }
        let endpoint: Endpoint<[Progress]> = client.endpoint { GET("watch") }
        let error = await failure { try await endpoint.stream() }
        #expect(error?.problem(as: Failure.self) == Failure(error: "gone"))
    }

    @Test("Without a declared format, stream() suggests Decode.StreamFormat for a body with several JSON texts")
    func undeclared() async throws {
        let client = Client(Shop.url, transport: SilentTransport(beginning: "{\"status\":\"a\"}\n{\"status\":\"b\"}\n"))
        let endpoint: Endpoint<[Progress]> = client.endpoint { GET("watch") }
        let error = await failure { try await endpoint.stream() }
        #expect(try #require(error).description.contains("declare Decode.StreamFormat(.concatenatedJSON)"))
    }

    @Test("send() suggests stream() for a list in JSON Lines", arguments: [false, true])
    func send(isDeclared: Bool) async throws {
        let type = isDeclared ? "text/plain" : "application/x-ndjson"
        let response = StubResponse.text("{\"status\":\"a\"}\n{\"status\":\"b\"}\n", of: type)
        let endpoint: Endpoint<[Progress]> = Client(Shop.url, transport: StubTransport { _ in response }).endpoint {
            GET("log")
            if isDeclared { Decode.StreamFormat(.jsonLines) }
        }
        let error = await failure { try await endpoint.send() }
        #expect(try #require(error).description.contains("a body of JSON Lines is read with stream()"))
    }
}

/// A transport whose response sends the beginning of a body and then stalls.
private struct SilentTransport: Transport {
    let beginning: String

    func send(_ request: HTTPRequest, options: TransferOptions) async throws(TransportError) -> HTTPResponse {
        let field = HTTPField(name: .contentType, value: "application/json")
        let chunks = AsyncStream<Data> { $0.yield(Data(beginning.utf8)) }
        return HTTPResponse(status: 200, headerFields: HTTPFields([field].compactMap { $0 }), body: HTTPBody(chunks))
    }
}
