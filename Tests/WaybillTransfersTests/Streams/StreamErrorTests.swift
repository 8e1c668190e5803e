import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting
import WaybillTransfers

@Suite("Stream errors", .inTurn, .safetyNet)
struct StreamErrorTests {
    struct Item: Decodable, Sendable, Hashable { let id: Int }

    /// A body with one broken record.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let contentType: String
        let body: String
        /// The number of records before the broken one.
        let count: Int
        let path: String
        let line: Int
        let column: Int
        let excerpt: String
        var envelope: [EnvelopeKey] = []
        var form: Decode.StreamFormat.Form?

        var testDescription: String { name }
    }

    static let rows = [
        Row(
            name: "list in an envelope, another type",
            contentType: "application/json",
            body: "{\"data\":[{\"id\":1},\n{\"id\":\"x\"}]}",
            count: 1,
            path: "data[1].id",
            line: 2,
            column: 7,
            excerpt: "{\"id\":\"x\"}",
            envelope: ["data"]
        ),
        Row(
            name: "list in an envelope, no JSON",
            contentType: "application/json",
            body: "{\"data\":[{\"id\":1},\n{\"id\":2,}]}",
            count: 1,
            path: "data[1]",
            line: 2,
            column: 9,
            excerpt: "{\"id\":2,}",
            envelope: ["data"]
        ),
        Row(
            name: "list, cut",
            contentType: "application/json",
            body: "[{\"id\":1},\n{\"id\":2}, {\"id\"",
            count: 2,
            path: "[2]",
            line: 2,
            column: 16,
            excerpt: "{\"id\""
        ),
        Row(
            name: "lines, another type",
            contentType: "application/jsonl",
            body: "{\"id\":1}\n{\"id\":2}\n{\"id\":null}\n",
            count: 2,
            path: "[2].id",
            line: 3,
            column: 7,
            excerpt: "{\"id\":null}"
        ),
        Row(
            name: "lines, no JSON",
            contentType: "application/x-ndjson",
            body: "{\"id\":1}\n{\"id\":tru}\n",
            count: 1,
            path: "[1]",
            line: 2,
            column: 7,
            excerpt: "{\"id\":tru}"
        ),
        Row(
            name: "lines, no value",
            contentType: "application/x-ndjson",
            body: "{\"id\":1}\noops\n",
            count: 1,
            path: "[1]",
            line: 2,
            column: 1,
            excerpt: "oops"
        ),
        Row(
            name: "text sequence, cut",
            contentType: "application/json-seq",
            body: "\u{1E}{\"id\":1}\n\u{1E}{\"id\":2\u{1E}{\"id\":3}\n",
            count: 1,
            path: "[1]",
            line: 2,
            column: 9,
            excerpt: "{\"id\":2"
        ),
        Row(
            name: "concatenated, no JSON",
            contentType: "application/json",
            body: "{\"id\":1}{\"id\":2}{\"id\" 3}",
            count: 2,
            path: "[2]",
            line: 1,
            column: 23,
            excerpt: "{\"id\" 3}",
            form: .concatenatedJSON
        ),
        Row(
            name: "events, another type",
            contentType: "text/event-stream",
            body: "data: {\"id\":1}\n\ndata: {\ndata: \"id\":\"x\"}\n\n",
            count: 1,
            path: "[1].id",
            line: 2,
            column: 6,
            excerpt: "\"id\":\"x\"}"
        ),
        Row(
            name: "events, no JSON",
            contentType: "text/event-stream",
            body: "data: {\"id\":1}\n\ndata: {\"id\":2}\n\ndata: {\"id\":3,}\n\n",
            count: 2,
            path: "[2]",
            line: 1,
            column: 9,
            excerpt: "{\"id\":3,}"
        ),
    ]

    @Test(
        "A broken record is an error with its index, position, and excerpt, after the records before it",
        arguments: Carrier.allCases,
        rows
    )
    func place(_ carrier: Carrier, _ row: Row) async throws {
        let transport = try carrier.transport()
        // The chunks are large enough to contain the record, so that the excerpt can show it.
        let response: Responder = .text(row.body, of: row.contentType).chunked(bytes: 4096)
        try await LoopbackServer.run(["POST it": response]) { server async throws in
            let client = Client(server.url, transport: transport)
            var count = 0
            do throws(APIError) {
                try await Self.read(row, from: client) { count += 1 }
                unexpected(nil)
            } catch {
                guard case .decoding(let failure) = error else { return unexpected(error) }
                #expect(count == row.count)
                #expect(failure.path == row.path, "\(failure)")
                #expect(failure.position?.line == row.line, "\(failure)")
                #expect(failure.position?.column == row.column, "\(failure)")
                #expect(failure.description.contains(row.excerpt), "\(failure)")
            }
        }
    }

    private static func read(_ row: Row, from client: Client, _ note: () -> Void) async throws(APIError) {
        if row.contentType == "text/event-stream" {
            let endpoint: Endpoint<Events<Item>> = client.endpoint { POST("it") }
            var events = try await endpoint.stream().makeAsyncIterator()
            while try await events.next() != nil { note() }
        } else {
            let endpoint: Endpoint<[Item]> = client.endpoint {
                POST("it")
                Envelope(itemPath: row.envelope, listPath: row.envelope)
            }
            var items = try await endpoint.with { if let form = row.form { Decode.StreamFormat(form) } }.stream()
                .makeAsyncIterator()
            while try await items.next() != nil { note() }
        }
    }

    @Test("A broken record's excerpt contains no secret", arguments: [1, 7, 4096])
    func secrets(_ size: Int) async throws {
        let rows = [
            ("application/json", #"[{"id":1},{"token":"s3cret","id":2,}]"#),
            ("application/jsonl", "{\"id\":1}\n{\"id\":2,\"password\":\"s3cret\" x}\n"),
            ("application/jsonl", "{\"id\":1}\n{\"id\":2,\"password\":\"s3cret"),
        ]
        for (contentType, body) in rows {
            let response: Responder = .text(body, of: contentType).chunked(bytes: size)
            try await LoopbackServer.run(["GET it": response]) { server async throws in
                let endpoint: Endpoint<[Item]> = Client(server.url).endpoint { GET("it") }
                let error = await #expect(throws: APIError.self) {
                    for try await _ in try await endpoint.stream() {}
                }
                guard case .decoding(let failure)? = error else { return unexpected(error) }
                #expect(failure.path == "[1]")
                for text in ["\(failure)", "\(failure.underlying)", String(reflecting: failure)] {
                    #expect(!text.contains("s3cret"), "\(text)")
                }
            }
        }
    }
}
