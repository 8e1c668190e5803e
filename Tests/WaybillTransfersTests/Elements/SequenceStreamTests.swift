import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting
import WaybillTransfers

@Suite("JSON text streams", .inTurn, .safetyNet)
struct SequenceStreamTests {
    struct Line: Decodable, Sendable, Hashable { let id: Int }

    static let types = [
        ("application/x-ndjson; charset=utf-8", "{\"id\":1}\n\n{\"id\":2}\r\n{\"id\":3}"),
        ("application/jsonl", "{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n"),
        ("application/json-seq", "\u{1E}{\"id\":1}\n\u{1E}{\"id\":2}\n\u{1E}{\"id\":3}\n"),
        ("application/geo+json-seq", "\u{1E}{\"id\":1}\n\u{1E}\u{1E}{\"id\":2}\u{1E}{\"id\":3}"),
        ("application/json", "[{\"id\":1},{\"id\":2},{\"id\":3}]"),
    ]

    private static func read<Element>(
        _ text: String,
        as contentType: String,
        over carrier: Carrier,
        size: Int = 3,
        of type: Element.Type = Line.self,
        @Scope.Builder _ clauses: @Sendable () -> Scope = { Scope() }
    ) async throws -> (elements: [Element], error: APIError?) where Element: Decodable & Sendable {
        let transport = try carrier.transport()
        let response: Responder = .text(text, headers: [HTTPField(name: .contentType, value: contentType)]).chunked(
            bytes: size
        )
        return try await LoopbackServer.run(["GET log": response]) { server async throws in
            let client = Client(server.url, transport: transport)
            let log: Endpoint<[Element]> = client.endpoint { GET("log") }.with(clauses)
            var elements: [Element] = []
            do throws(APIError) {
                var lines = try await log.stream().makeAsyncIterator()
                while let line = try await lines.next() { elements.append(line) }
                return (elements, nil)
            } catch {
                return (elements, error)
            }
        }
    }

    @Test("The response's media type determines the list's format", arguments: Carrier.allCases, types)
    func mediaTypes(_ carrier: Carrier, type: (name: String, text: String)) async throws {
        let (lines, error) = try await Self.read(type.text, as: type.name, over: carrier)
        #expect(error == nil)
        #expect(lines.map(\.id) == [1, 2, 3])
    }

    @Test("StreamFormat determines the format, whatever the media type", arguments: Carrier.allCases)
    func declared(_ carrier: Carrier) async throws {
        let text = #"{"id":1}{"id":2} {"id":3}"#
        let (lines, error) = try await Self.read(text, as: "text/plain", over: carrier) {
            Decode.StreamFormat(.concatenatedJSON)
        }
        #expect(error == nil)
        #expect(lines.map(\.id) == [1, 2, 3])
    }

    @Test("A malformed line is an error with its position, after the lines before it", arguments: Carrier.allCases)
    func malformed(_ carrier: Carrier) async throws {
        let text = "{\"id\":1}\n{\"id\":2}\n{\"id\":3,}\n{\"id\":4}\n"
        let (lines, error) = try await Self.read(text, as: "application/jsonl", over: carrier, size: 8192)
        #expect(lines.map(\.id) == [1, 2])
        guard case .decoding(let failure)? = error else { return unexpected(error) }
        #expect(failure.position?.line == 3)
        #expect(failure.position?.column == 9)
        #expect("\(failure)".contains("[2] (line 3, column 9): expected a key in double quotes after ','"))
    }

    @Test("A line of the wrong type is an error with its index and position", arguments: Carrier.allCases)
    func mismatch(_ carrier: Carrier) async throws {
        let (lines, error) = try await Self.read("{\"id\":1}\n{\"id\":\"x\"}\n", as: "application/jsonl", over: carrier)
        #expect(lines.map(\.id) == [1])
        guard case .decoding(let failure)? = error else { return unexpected(error) }
        #expect(failure.path == "[1].id")
        #expect(failure.position?.line == 2)
        #expect(failure.position?.column == 7)
    }

    @Test("A final number is complete in JSON Lines, but not in a JSON text sequence", arguments: Carrier.allCases)
    func lastNumber(_ carrier: Carrier) async throws {
        let lines = try await Self.read("1\n23", as: "application/jsonl", over: carrier, of: Int.self)
        #expect(lines.elements == [1, 23])
        #expect(lines.error == nil)
        for text in ["\u{1E}1\n\u{1E}23", "\u{1E}1\n\u{1E}23\u{1E}4\n"] {
            let sequence = try await Self.read(text, as: "application/json-seq", over: carrier, of: Int.self)
            #expect(sequence.elements == [1])
            guard case .decoding? = sequence.error else { return unexpected(nil) }
        }
    }

    @Test("A body without JSON texts is an empty list", arguments: Carrier.allCases)
    func empty(_ carrier: Carrier) async throws {
        let (lines, error) = try await Self.read("\n\n", as: "application/jsonl", over: carrier)
        #expect(lines.isEmpty)
        #expect(error == nil)
    }

    @Test(
        "DropInvalidItems skips and reports texts that are not JSON",
        arguments: Carrier.allCases,
        [1, 64]
    )
    func lossy(_ carrier: Carrier, _ size: Int) async throws {
        let texts = [
            ("application/jsonl", "{\"id\":1}\n\n{\"id\":,}\noops\n{\"id\":\"x\"}\n{\"id\":2}\n", [1, 2, 3]),
            ("application/json-seq", "\u{1E}{\"id\":1}\n\u{1E}{\"id\":\u{1E}{\"id\":2}\n", [1]),
        ]
        for (contentType, text, dropped) in texts {
            let transport = try carrier.transport()
            let response: Responder = .text(text, of: contentType).chunked(bytes: size)
            try await LoopbackServer.run(["GET log": response]) { server async throws in
                let log: Endpoint<[Line]> = Client(server.url, transport: transport).endpoint {
                    GET("log")
                    DropInvalidItems()
                }
                let lines = try await log.stream()
                var ids: [Int] = []
                for try await line in lines { ids.append(line.id) }
                #expect(ids == [1, 2])
                #expect(lines.droppedItems.map(\.index) == dropped)
                #expect(lines.droppedItems.allSatisfy { $0.diagnosis?.line != nil })
            }
        }
    }
}
