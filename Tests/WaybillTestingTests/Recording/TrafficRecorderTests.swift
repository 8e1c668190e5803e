import Foundation
import Testing
import Waybill
import WaybillJSON
import WaybillTesting

@Suite("Traffic recorders")
struct TrafficRecorderTests {
    private let url = URL(string: "https://shop.example") ?? URL(fileURLWithPath: "/")

    private struct Item: Decodable, Sendable, Equatable { let id: Int }

    private func client(
        _ traffic: TrafficRecorder,
        around place: Use.Layer = .eachAttempt,
        _ response: @escaping @Sendable (ReceivedRequest) -> StubResponse
    ) -> Client {
        Client(url, transport: StubTransport { response($0) }) {
            // The plan does not contain the token, because a step below the recorder fetches it.
            Authorization(.bearer { "s3cret-token" })
            Use(traffic, around: place)
        }
    }

    @Test("Recorded traffic can be replayed and has times, but no secret that the server repeats")
    func replay() async throws {
        let traffic = TrafficRecorder()
        let recording = client(traffic) { request in
            .json(#"{"id": 7, "seen": "\#(request.headerFields[.authorization] ?? "")", "token": "t0ken-of-server"}"#)
        }
        #expect(try await recording.get("items/\(7)", as: Item.self) == Item(id: 7))
        let folder = RecordingFolder()
        try traffic.write(to: folder.file)
        let text = try folder.text
        #expect(text == traffic.har)
        #expect(!text.contains("s3cret-token"))
        #expect(!text.contains("t0ken-of-server"))
        #expect(!text.contains("1970-01-01T00:00:00.000Z"))
        let replay = try RecordedTransport(folder.file)
        let client = Client(url, transport: replay) { Authorization(.bearer("another")) }
        #expect(try await client.get("items/\(7)", as: Item.self) == Item(id: 7))
        try replay.finish()
    }

    @Test("A body produced while it is sent is recorded and matches in a replay", arguments: [0, 10_000])
    func producedBody(padding: Int) async throws {
        func post(_ client: Client) async throws -> Item {
            let lines = [["pin": "9876-of-ann"], ["text": String(repeating: "a", count: padding)]]
            let endpoint: Endpoint<Item> = client.endpoint {
                POST("items")
                Body(lines: lines)
                Secret("pin")
            }
            return try await endpoint.send()
        }
        let server = try LoopbackServer(["POST items": .json(#"{"id": 7}"#)])
        let traffic = TrafficRecorder(maximumBodyBytes: 1_000)
        _ = try await post(Client(server.url) { Use(traffic, around: .eachAttempt) })
        #expect(try #require(server.requests.first).text.contains("9876-of-ann"))
        let folder = RecordingFolder()
        try traffic.write(to: folder.file)
        #expect(try !folder.text.contains("9876-of-ann"))
        #expect(try folder.text.contains("\\n{\\\"text\\\"") == (padding == 0))
        let replay = try RecordedTransport(folder.file, varying: padding == 0 ? [] : [.body])
        #expect(try await post(Client(server.url, transport: replay)) == Item(id: 7))
    }

    @Test("A secret of a dropped exchange appears in no later one, plain or escaped")
    func droppedExchange() async throws {
        let traffic = TrafficRecorder(newest: 2)
        let token = "dropped token/é-9Zq"
        let client = Client(
            url,
            transport: StubTransport { request in
                let escaped = #""a": "dropped token\/\u00e9-9Zq", "b": "dropped+token%2F%C3%A9-9Zq""#
                return .json(#"{"id": 1, \#(escaped), "c": "\#(token)"}"#)
            }
        ) { Use(traffic, around: .eachAttempt) }
        let login: Endpoint<Item> = client.endpoint {
            POST("login")
            Body(["password": token])
        }
        _ = try await login.send()
        for _ in 0..<3 { _ = try await client.get("items/1", as: Item.self) }
        #expect(traffic.count == 2)
        let har = traffic.har
        #expect(!har.contains("9Zq"), "\(har)")
        traffic.removeAll()
        _ = try await client.get("items/1", as: Item.self)
        #expect(traffic.har.contains("9Zq"))
    }

    @Test("Every attempt is recorded around each attempt, but only the last around the call", arguments: [true, false])
    func attempts(isEach: Bool) async throws {
        let traffic = TrafficRecorder()
        let count = Locked(0)
        let client = client(traffic, around: isEach ? .eachAttempt : .wholeCall) { _ in
            let isFirst = count.withLock { count in
                count += 1
                return count == 1
            }
            return isFirst ? .status(503) : .json(#"{"id": 1}"#)
        }
        let item: Endpoint<Item> = client.endpoint {
            GET("items/1")
            Retry(attempts: 2)
        }
        _ = try await item.send()
        let statuses = try exchanges(of: traffic).map { $0["response"]?["status"] }
        #expect(statuses == (isEach ? [503, 200] : [200]))
    }

    @Test("A failed request is recorded with its fault, and only the newest exchanges are kept")
    func faults() async throws {
        let traffic = TrafficRecorder(newest: 2)
        let client = client(traffic) { request in
            request.path == "/3" ? .failure(TransportError(.connectionLost, "no s3cret-token")) : .json("{}")
        }
        for id in 1...3 { _ = try? await client.get("\(id)", as: Item.self) }
        let exchanges = try exchanges(of: traffic)
        #expect(exchanges.compactMap { $0["request"]?["url"]?.stringValue } == ["\(url)/2", "\(url)/3"])
        #expect(exchanges.last?["_fault"]?["kind"] == "connectionLost")
        #expect(!traffic.har.contains("s3cret-token"))
        traffic.removeAll()
        #expect(traffic.count == 0)
    }

    @Test("A long body is not recorded and fails to replay, but the call receives all of it", arguments: [false, true])
    func longBodies(isStreamed: Bool) async throws {
        let traffic = TrafficRecorder(maximumBodyBytes: 100)
        let body = Data(repeating: 0x61, count: 10_000)
        let client = client(traffic) { _ in
            let response = StubResponse(body: body)
            return isStreamed ? response.chunked(bytes: 1000) : response
        }
        let endpoint: Endpoint<Data> = client.endpoint { GET("long") }
        var received = Data()
        for try await chunk in try await endpoint.bytes() { received += chunk }
        #expect(received == body)
        #expect(!traffic.har.contains("aaaa"))
        let folder = RecordingFolder()
        try traffic.write(to: folder.file)
        let replayed = Client(url, transport: try RecordedTransport(folder.file))
        let error = await #expect(throws: APIError.self) { try await replayed.get("long", as: Data.self) }
        #expect(error?.description.contains("more than the 100 bytes that the recorder keeps") == true)
    }

    private func exchanges(of traffic: TrafficRecorder) throws -> [JSONValue] {
        let har = try WaybillJSONDecoder().decode(JSONValue.self, from: Data(traffic.har.utf8))
        return har["log"]?["entries"]?.arrayValue ?? []
    }
}
