import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting
import WaybillTransfers

@Suite("Declared ends of JSON sequences")
struct SequenceEndTests {
    struct Token: Decodable, Sendable, Equatable { let text: String }

    struct Fault: Decodable, Sendable, Equatable { let error: String }

    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let body: String
        var form = Decode.StreamFormat(.jsonLines, until: "done", is: true)
        let texts: [String]
        /// The prefix of the error's reason, or `nil` without an error.
        var reason: String?
        var fault: Fault?
        var dropsInvalid = false
        var dropped: [Int] = []
    }

    private static let missing = "the response ended before an element with done = true, the end that"

    static let rows = [
        Row(
            testDescription: "the last line",
            body: "{\"text\":\"a\",\"done\":false}\n{\"text\":\"b\",\"done\":true}\n",
            texts: ["a", "b"]
        ),
        Row(
            testDescription: "a line before others, which are not read",
            body: "{\"text\":\"a\",\"done\":true}\n{\"text\":\"b\"}\n{\"text\":1}\noops\n{\"error\":\"full\"}\n",
            texts: ["a"]
        ),
        Row(
            testDescription: "no such line",
            body: "{\"text\":\"a\",\"done\":false}\n{\"text\":\"b\"}\n",
            texts: ["a", "b"],
            reason: missing
        ),
        Row(testDescription: "an empty body", body: "", texts: [], reason: missing),
        Row(
            testDescription: "a last line that is cut",
            body: "{\"text\":\"a\"}\n{\"text\":\"b\",\"done\":tr",
            texts: ["a"],
            reason: "dataCorrupted"
        ),
        Row(
            testDescription: "a last line that does not decode",
            body: "{\"text\":\"a\"}\n{\"done\":true}\n",
            texts: ["a"],
            reason: "keyNotFound"
        ),
        Row(
            testDescription: "a last line that is dropped",
            body: "{\"text\":\"a\"}\n{\"done\":true}\n{\"text\":\"b\"}\n",
            texts: ["a"],
            dropsInvalid: true,
            dropped: [1]
        ),
        Row(
            testDescription: "dropped lines before the last one",
            body: "oops\n{\"text\":\"a\"}\n{}\n{\"text\":\"b\",\"done\":true}\n{\"text\":\"c\"}\n",
            texts: ["a", "b"],
            dropsInvalid: true,
            dropped: [0, 2]
        ),
        Row(
            testDescription: "a problem in place of the last line",
            body: "{\"text\":\"a\"}\n{\"error\":\"full\",\"done\":true}\n",
            texts: ["a"],
            fault: Fault(error: "full")
        ),
        Row(
            testDescription: "one of several values in concatenated JSON",
            body: "{\"text\":\"a\",\"state\":{\"name\":\"run\"}}{\"text\":\"b\",\"state\":{\"name\":\"halt\"}}{",
            form: Decode.StreamFormat(.concatenatedJSON, until: "state", "name", is: "done", "halt"),
            texts: ["a", "b"]
        ),
        Row(
            testDescription: "null, which is not an absent member, in a JSON text sequence",
            body: "\u{1E}{\"text\":\"a\"}\n\u{1E}{\"text\":\"b\",\"next\":null}\n\u{1E}{\"text\":\"c\"}\n",
            form: Decode.StreamFormat(.jsonTextSequence, until: "next", is: nil),
            texts: ["a", "b"]
        ),
    ]

    @Test("A sequence ends with the declared last element, which is returned", arguments: rows, [1, 4096])
    func table(_ row: Row, _ size: Int) async throws {
        let response = StubResponse.text(row.body).chunked(bytes: size)
        let client = Client(Shop.url, transport: StubTransport { _ in response }) {
            Problem(Fault.self, on: .success)
        }
        let endpoint: Endpoint<[Token]> = client.endpoint {
            POST("generate")
            row.form
            if row.dropsInvalid { DropInvalidItems() }
        }
        var texts: [String] = []
        var dropped: [Int] = []
        let error = await failure {
            let stream = try await endpoint.stream()
            defer { dropped = stream.droppedItems.map(\.index) }
            var tokens = stream.makeAsyncIterator()
            while let token = try await tokens.next() { texts.append(token.text) }
        }
        #expect(texts == row.texts)
        #expect(dropped == row.dropped)
        #expect(error?.problem() == row.fault)
        guard let reason = row.reason else {
            if row.fault == nil { #expect(error == nil) }
            return
        }
        guard case .decoding(let failure)? = error else { return unexpected(error) }
        #expect("\(failure.underlying)".contains(reason), "\(failure.underlying)")
    }

    @Test("Declaring the last element of an array is a declaration error")
    func array() async {
        let stub = StubTransport { _ in .json("[]") }
        let endpoint: Endpoint<[Token]> = Client(Shop.url, transport: stub).endpoint {
            GET("log")
            Decode.StreamFormat(.array, until: "done", is: true)
        }
        let error = await failure { try await endpoint.stream() }
        guard case .request(let failure)? = error else { return unexpected(error) }
        #expect(
            failure.declarationErrors.map(\.description) == [
                "Decode.StreamFormat(.array, until: done = true): an array ends with its bracket; leave out `until`, or"
                    + " declare the format of a sequence such as .jsonLines"
            ]
        )
        #expect(stub.requests.isEmpty)
        #expect(
            Decode.StreamFormat(.jsonLines, until: "done", is: true).summary == "JSON Lines, until done = true"
        )
    }
}
