import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting
import WaybillTransfers

/// A transport whose responses send the given chunks and then end or stay open.
private struct ChunkTransport: Transport {
    let contentType: String
    let chunks: [Data]
    var staysOpen = false
    /// One note per body that was abandoned or has ended.
    let endings = Notes<Void>()

    func send(_ request: HTTPRequest, options: TransferOptions) async throws(TransportError) -> HTTPResponse {
        let endings = endings
        let body = AsyncStream<Data> { continuation in
            for chunk in chunks { continuation.yield(chunk) }
            continuation.onTermination = { _ in endings.add(()) }
            if !staysOpen { continuation.finish() }
        }
        let fields = [HTTPField(name: .contentType, value: contentType)]
        return HTTPResponse(status: 200, headerFields: HTTPFields(fields), body: HTTPBody(body))
    }
}

@Suite("Truncated streams", .inTurn, .safetyNet)
struct StreamCutTests {
    struct Item: Decodable, Sendable { let id: Int }

    /// A kind of stream, with a body that contains three records.
    struct Kind: Sendable, CustomTestStringConvertible {
        let name: String
        let contentType: String
        let body: String
        /// The offsets where records are complete.
        let ends: [Int]
        /// The offsets where the body may end without an error.
        let wholes: Set<Int>
        var envelope = Envelope.none
        var form: Decode.StreamFormat.Form?
        var isEvents = false

        var testDescription: String { name }

        /// Reads the stream, and calls a closure after each record.
        func read(
            _ transport: some Transport,
            _ behind: (Int) -> Void = { _ in }
        ) async -> (ids: [Int], error: APIError?) {
            let client = Client(Shop.url, transport: transport)
            var ids: [Int] = []
            do throws(APIError) {
                if isEvents {
                    let endpoint: Endpoint<Events<Item>> = client.endpoint { POST("it") }
                    var events = try await endpoint.stream().makeAsyncIterator()
                    while let event = try await events.next() {
                        ids.append(event.data.id)
                        behind(ids.count)
                    }
                } else {
                    let endpoint: Endpoint<[Item]> = client.endpoint {
                        GET("it")
                        envelope
                    }
                    var items = try await endpoint.with { if let form { Decode.StreamFormat(form) } }.stream()
                        .makeAsyncIterator()
                    while let item = try await items.next() {
                        ids.append(item.id)
                        behind(ids.count)
                    }
                }
                return (ids, nil)
            } catch {
                return (ids, error)
            }
        }
    }

    static let kinds = [
        Kind(
            name: "a list",
            contentType: "application/json",
            body: "[{\"id\":1},\n{\"id\":2},{\"id\":3} ]",
            ends: [9, 19, 28],
            wholes: [30]
        ),
        Kind(
            name: "a list in an envelope",
            contentType: "application/json",
            body: "{\"a\":{\"b\":[{\"id\":1},{\"id\":2},{\"id\":3}]},\"n\":1}",
            ends: [19, 28, 37],
            wholes: [46],
            envelope: Envelope("a", "b")
        ),
        Kind(
            name: "lines",
            contentType: "application/jsonl",
            body: "{\"id\":1}\n{\"id\":2}\r\n{\"id\":3}",
            ends: [8, 17, 27],
            wholes: [0, 8, 9, 17, 18, 19, 27]
        ),
        Kind(
            name: "a sequence",
            contentType: "application/json-seq",
            body: "\u{1E}{\"id\":1}\n\u{1E}{\"id\":2}\n\u{1E}{\"id\":3}\n",
            ends: [9, 19, 29],
            wholes: [0, 1, 9, 10, 11, 19, 20, 21, 29, 30]
        ),
        Kind(
            name: "concatenated texts",
            contentType: "application/json",
            body: "{\"id\":1}{\"id\":2} {\"id\":3}",
            ends: [8, 16, 25],
            wholes: [0, 8, 16, 17, 25],
            form: .concatenatedJSON
        ),
        Kind(
            name: "events",
            contentType: "text/event-stream",
            body: "data: {\"id\":1}\n\ndata: {\"id\":2}\r\n\r\ndata:{\"id\":\ndata:3}\r\r",
            ends: [16, 33, 55],
            wholes: Set(0...55),
            isEvents: true
        ),
    ]

    @Test(
        "A stream cut at any byte yields the records before it, and an error unless it is complete",
        arguments: kinds
    )
    func cut(_ kind: Kind) async {
        let bytes = Data(kind.body.utf8)
        #expect(kind.wholes.contains(bytes.count))
        for end in 0...bytes.count {
            for size in [1, 7, max(1, end)] {
                let chunks = stride(from: 0, to: end, by: size).map { bytes[$0..<min(end, $0 + size)] }
                let (ids, error) = await kind.read(ChunkTransport(contentType: kind.contentType, chunks: chunks))
                #expect(ids == Array(1...3).filter { kind.ends[$0 - 1] <= end }, "cut at \(end), chunks of \(size)")
                #expect((error == nil) == kind.wholes.contains(end), "cut at \(end), chunks of \(size)")
            }
        }
    }

    @Test("A stream split into two chunks at any byte yields all records", arguments: kinds)
    func halves(_ kind: Kind) async {
        let bytes = Data(kind.body.utf8)
        for cut in 0...bytes.count {
            let chunks = [bytes.prefix(cut), bytes.dropFirst(cut)].filter { !$0.isEmpty }
            let (ids, error) = await kind.read(ChunkTransport(contentType: kind.contentType, chunks: chunks))
            #expect(ids == [1, 2, 3], "divided at \(cut)")
            #expect(error == nil, "divided at \(cut)")
        }
    }

    @Test("Cancelling a stream's task throws a cancellation error and abandons the body", arguments: kinds, 0...3)
    func cancelled(_ kind: Kind, _ count: Int) async {
        let bytes = Data(kind.body.utf8)
        let end = count == 0 ? 0 : kind.ends[count - 1]
        let transport = ChunkTransport(
            contentType: kind.contentType,
            chunks: end == 0 ? [] : [bytes.prefix(end)],
            staysOpen: true
        )
        for _ in 0..<20 {
            let task = Task {
                await kind.read(transport) { if $0 == count { withUnsafeCurrentTask { $0?.cancel() } } }
            }
            if count == 0 { task.cancel() }
            let (ids, error) = await task.value
            #expect(ids == Array(0..<count).map { $0 + 1 })
            guard case .cancelled? = error else { return unexpected(error) }
        }
        if count > 0 { await waitUntil { transport.endings.all.count == 20 } }
    }
}
