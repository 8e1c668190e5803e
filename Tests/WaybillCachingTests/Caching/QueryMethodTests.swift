import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillCaching
import WaybillTesting

@Suite("The QUERY method", .inTurn, .safetyNet)
struct QueryMethodTests {
    struct Filter: Encodable, Sendable {
        var name = "Bo"
    }

    /// Returns a QUERY call with a body and further clauses.
    static func call(
        _ client: Client,
        _ name: String = "Bo",
        @Scope.Builder _ clauses: () -> Scope = { Scope() }
    ) -> Endpoint<Int> {
        let endpoint: Endpoint<Int> = client.endpoint {
            QUERY("a")
            Body(Filter(name: name))
        }
        return endpoint.with(clauses)
    }

    @Test("A stored QUERY response is used only for the same URL, body, content type, and user")
    func cached() async throws {
        let bench = CacheBench([HTTPField(name: .cacheControl, value: "max-age=10")])
        #expect(try await Self.call(bench.client).send() == 1)
        #expect(try await Self.call(bench.client).send() == 1)
        #expect(try await Self.call(bench.client, "Al").send() == 2)
        #expect(try await Self.call(bench.client).with { Header(.contentType, "application/x+json") }.send() == 3)
        #expect(try await Self.call(bench.client).with { Header("Content-Language", "de") }.send() == 4)
        #expect(try await Self.call(bench.client).with { Query("b", 1) }.send() == 5)
        #expect(try await Self.call(bench.client).with { Authorization(.bearer("x")) }.send() == 6)
        #expect(try await bench.number() == 7)
        #expect(try await Self.call(bench.client).send() == 1)
        #expect(try await Self.call(bench.client, "Al").send() == 2)
    }

    @Test("A stale QUERY response is revalidated with its body, and removed by a change to its URL")
    func revalidated() async throws {
        let bench = CacheBench(HTTPFields(lines: CacheTests.tagged))
        #expect(try await Self.call(bench.client).send() == 1)
        bench.date.advance(by: 11)
        #expect(try await Self.call(bench.client).send() == 1)
        let asked = try #require(bench.stub.requests.last)
        #expect(asked.method == .query)
        #expect(asked.text == #"{"name":"Bo"}"#)
        #expect(asked.headerFields.contains(.ifNoneMatch))
        #expect(bench.events.all == ["revalidated"])
        try await bench.client.delete("a")
        #expect(try await Self.call(bench.client).send() == 4)
    }

    @Test("A QUERY response in an on-disk cache is available to the next process")
    func onDisk() async throws {
        let directory = TemporaryDirectory()
        let date = MovableDate()
        let fields = HTTPFields(lines: ["Cache-Control: max-age=10"])
        for round in 1...2 {
            let cache = try HTTPCache.onDisk(at: directory.url)
            let bench = CacheBench(fields, cache: cache, date: date)
            #expect(try await Self.call(bench.client).send() == 1)
            #expect(bench.requestCount == (round == 1 ? 1 : 0))
        }
    }

    @Test("A 303 after a QUERY leads to a GET whose response is not stored for the QUERY")
    func redirected() async throws {
        let count = Lines()
        let bench = CacheBench.serving { request in
            let number = count.add("")
            guard request.method == .get else { return .redirect(to: "a", status: 303) }
            return .json("\(number)", headers: HTTPFields(lines: ["Cache-Control: max-age=10"]))
        }
        #expect(try await Self.call(bench.client).send() == 2)
        #expect(try await Self.call(bench.client).send() == 4)
        #expect(bench.stub.requests.map(\.method) == [.query, .get, .query, .get])
    }

    @Test("A QUERY with a streamed body is neither cached nor coalesced")
    func streamed() async throws {
        let bench = CacheBench([HTTPField(name: .cacheControl, value: "max-age=10")]) { Coalesced() }
        for number in 1...2 {
            let endpoint: Endpoint<Int> = bench.client.endpoint {
                QUERY("a")
                Body(HTTPBody(Chunks("{}")), contentType: "application/json")
            }
            #expect(try await endpoint.send() == number)
        }
    }

    @Test("Concurrent QUERY requests share a transfer if their bodies are equal")
    func coalesced() async throws {
        let bench = CoalescingBench()
        let calls = ["Bo", "Al", "Bo"].map { name in
            let call = Self.call(bench.client, name)
            return Task { try await call.send() }
        }
        await bench.waitForMembers([1, 2])
        await bench.waitForTransfers(2)
        bench.gate.open()
        let numbers = [try await calls[0].value, try await calls[1].value, try await calls[2].value]
        #expect(numbers[0] == numbers[2])
        #expect(numbers[0] != numbers[1])
        #expect(bench.stub.requests.count == 2)
    }

    @Test("A QUERY without a body is a declaration error that suggests a fix")
    func empty() throws {
        let endpoint: Endpoint<Int> = Client(Shop.url).endpoint { QUERY("a") }
        let error = try #require(throws: APIError.self) { try endpoint.plan() }
        #expect("\(error)".contains("QUERY: its body is the query (RFC 10008); add a Body, or use GET"))
    }

    @Test("A resource's list by QUERY appears as such in its explanation and curl command")
    func resource() async throws {
        struct Contact: Entity { var id: Int }
        let stub = StubTransport(["QUERY contacts": .json(#"[{"id":1}]"#)])
        let client = Client(Shop.url, transport: stub)
        let contacts: Resource<Contact, ReadOnly> = client.resource("contacts") {
            On(.list) {
                QUERY()
                Body.Member("name", "Bo")
            }
        }
        #expect(try await contacts.list().map(\.id) == [1])
        let endpoint = contacts.endpoints.list()
        #expect(try endpoint.explanation.hasPrefix("QUERY contacts "))
        #expect(
            try endpoint.curl() == #"""
                curl --request QUERY 'https://shop.example/v1/contacts' \
                  --header 'Accept: application/json' \
                  --header 'Content-Type: application/json' \
                  --data-raw '{"name":"Bo"}'
                """#
        )
    }

    @Test("A transport sends a QUERY with its body, and repeats it after a 307", arguments: Carrier.allCases)
    func transport(_ carrier: Carrier) async throws {
        let transport = try carrier.transport()
        let responses: StubResponses = [
            "QUERY a": .redirect(to: "b", status: 307),
            "QUERY b": .json("1").header("Accept-Query", "application/json, \"application/sql\""),
        ]
        try await LoopbackServer.run(responses) { server async throws in
            let response = try await Self.call(Client(server.url, transport: transport)).response()
            #expect(response.value == 1)
            #expect(response.headerFields[.acceptQuery] == "application/json, \"application/sql\"")
            #expect(server.requests.map(\.method) == [.query, .query])
            #expect(server.requests.allSatisfy { $0.text == #"{"name":"Bo"}"# })
        }
    }
}
