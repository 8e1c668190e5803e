import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

/// The features of Jayme, one by one.
@Suite("Seeds: Jayme")
struct JaymeSeedTests {
    struct User: Entity, Equatable {
        let id: String
        var name: String

        struct Draft: Encodable, Sendable { var name: String }
    }

    enum Everything: Listable, Readable, Creatable, BatchCreatable, Updatable, BatchUpdatable, Patchable, Deletable {}

    private func users(_ responses: StubResponses) -> (Resource<User, Everything>, StubTransport) {
        let stub = StubTransport(responses)
        return (Client(Shop.url, transport: stub).resource("users"), stub)
    }

    static let bo = #"{"id":"x","name":"Bo"}"#

    @Test("A resource creates an entity, and a singleton creates its value")
    func createOne() async throws {
        let stub = StubTransport(["POST users": .json(Self.bo), "POST profile": .json(#"{"name":"Bo"}"#)])
        let client = Client(Shop.url, transport: stub)
        let users: Resource<User, ReadWrite> = client.resource("users")
        let profile: Singleton<Profile, ReadWrite> = client.singleton("profile")
        #expect(try await users.create(.init(name: "Bo")) == User(id: "x", name: "Bo"))
        #expect(try await profile.create(Profile(name: "Bo")) == Profile(name: "Bo"))
    }

    @Test("A singleton, a single entity and a complete list can be read")
    func read() async throws {
        let stub = StubTransport([
            "GET profile": .json(#"{"name":"Bo"}"#), "GET users/{}": .json(Self.bo), "GET users": .json("[\(Self.bo)]"),
        ])
        let client = Client(Shop.url, transport: stub)
        let users: Resource<User, ReadOnly> = client.resource("users")
        let profile: Singleton<Profile, ReadOnly> = client.singleton("profile")
        #expect(try await profile.read().name == "Bo")
        #expect(try await users.read("x").name == "Bo")
        #expect(try await users.list().map(\.id) == ["x"])
    }

    @Test("A page has its number, its total from a header field, and whether more pages follow")
    func readPage() async throws {
        let totals = HTTPFields(
            [("X-Total", "3"), ("X-Page", "1"), ("X-Per-Page", "2")].compactMap { name, value in
                HTTPField.Name(name).map { HTTPField(name: $0, value: value) }
            }
        )
        let stub = StubTransport(["GET users": .json("[\(Self.bo),\(Self.bo)]", headers: totals)])
        let users: Resource<User, ReadOnly> = Client(Shop.url, transport: stub).resource("users") {
            Paginated(.pageNumber(size: .query("per_page", 2), total: .field("X-Total")))
        }
        let page = try await users.page()
        #expect(stub.requests.map(\.query) == ["page=1&per_page=2"])
        #expect(page.items.count == 2)
        #expect(page.total == 3)
        #expect(page.number == 1)
        #expect(page.hasMore)
        #expect(page.response.headerFields.contains { $0.name.rawName == "X-Per-Page" && $0.value == "2" })
        #expect(try await !users.page(at: #require(page.next)).hasMore)
    }

    @Test("A singleton, a single entity and several entities can be updated")
    func update() async throws {
        let stub = StubTransport([
            "PUT profile": .json(#"{"name":"Bo"}"#), "PUT users/{}": .json(Self.bo),
            "PATCH users": .json("[\(Self.bo)]"),
        ])
        let client = Client(Shop.url, transport: stub)
        let users: Resource<User, Everything> = client.resource("users")
        let profile: Singleton<Profile, ReadWrite> = client.singleton("profile")
        let bo = User(id: "x", name: "Bo")
        #expect(try await profile.update(Profile(name: "Bo")).name == "Bo")
        #expect(try await users.update(bo) == bo)
        #expect(try await users.update([bo]) == [bo])
        #expect(
            stub.requests.map { "\($0.method) \($0.path)" } == [
                "PUT /v1/profile", "PUT /v1/users/x", "PATCH /v1/users",
            ]
        )
    }

    @Test("A resource has only the chosen operations, and each operation requires only the conformances that it uses")
    func capabilities() async throws {
        // Neither encodable nor identifiable: listing requires only decoding.
        struct Event: Decodable, Sendable { let kind: String }
        // Not decodable: deleting requires only an identifier.
        struct Ticket: Identifiable, Sendable { let id: Int }
        enum Log: Listable {}
        enum Bin: Deletable {}
        let stub = StubTransport(["GET log": .json(#"[{"kind":"a"}]"#), "DELETE bin/{}": .status(204)])
        let client = Client(Shop.url, transport: stub)
        let log: Resource<Event, Log> = client.resource("log")
        let bin: Resource<Ticket, Bin> = client.resource("bin")
        #expect(try await log.list().map(\.kind) == ["a"])
        try await bin.delete(3)
    }

    @Test("A default can be replaced for one resource or for all resources")
    func defaults() throws {
        let client = Client(Shop.url, transport: StubTransport([:])) { On(.update) { PATCH() } }
        let users: Resource<User, ReadWrite> = client.resource("users")
        let people: Resource<User, ReadWrite> = client.resource("people") {
            On(.update) { POST("\(.resource)/\(.id)/edit") }
        }
        let bo = User(id: "x", name: "Bo")
        #expect(try users.endpoints.update(bo).plan().method == .patch)
        #expect(try people.endpoints.update(bo).plan().method == .post)
        #expect(try people.endpoints.update(bo).url.path == "/v1/people/x/edit")
    }

    @Test("Nested resources and custom endpoints can be declared")
    func customEndpoints() async throws {
        let stub = StubTransport(["GET users/{}/posts": .json("[1]"), "GET users/active": .json("[\(Self.bo)]")])
        let client = Client(Shop.url, transport: stub)
        let posts: Endpoint<[Int]> = client.endpoint { GET("users/\(7)/posts") }
        let active: Endpoint<[User]> = client.endpoint { GET("users/active") }
        #expect(try await posts.send() == [1])
        #expect(try await active.send().count == 1)
    }

    @Test("Entities in an envelope are read along with the metadata beside them")
    func envelope() async throws {
        struct Info: Decodable, Sendable { let total: Int }
        let stub = StubTransport(["GET users": .json(#"{"items":[\#(Self.bo)],"info":{"total":9}}"#)])
        let users: Resource<User, ReadOnly> = Client(Shop.url, transport: stub).resource("users") {
            Envelope("items")
            Metadata(Info.self, at: "info")
        }
        let response = try await users.endpoints.list().response()
        #expect(response.value.map(\.id) == ["x"])
        #expect(response.metadata(Info.self)?.total == 9)
    }

    @Test("Pagination follows next and previous links in the body")
    func links() async throws {
        let stub = StubTransport([
            "GET users": .sequence([
                .json(#"{"items":[\#(Self.bo)],"links":{"next":"/v1/users?c=2"}}"#),
                .json(#"{"items":[\#(Self.bo)],"links":{"prev":"/v1/users?c=1"}}"#),
            ])
        ])
        let users: Resource<User, ReadOnly> = Client(Shop.url, transport: stub).resource("users") {
            Envelope("items")
            Paginated(.next(at: "links", "next", previous: .value("links", "prev")))
        }
        let first = try await users.page()
        let second = try await users.page(at: #require(first.next))
        #expect(second.next == nil)
        _ = try await users.page(at: #require(second.previous))
        #expect(stub.requests.map(\.query) == [nil, "c=2", "c=1"])
    }

    @Test("Kinds of failure are distinguished, and an app can use a custom error type")
    func errors() async throws {
        struct AppError: Decodable, Error, Equatable { let code: Int }
        let stub = StubTransport([
            "GET gone": .status(410), "GET missing": .status(404), "GET broken": .status(503), "GET odd": .status(418),
            "GET html": .text("<html>"), "GET lost": .response(.failure(TransportError(.connectionLost))),
            "GET own": .json(#"{"code":7}"#, status: 400),
        ])
        let client = Client(Shop.url, transport: stub) { Problem(AppError.self) }
        func kind(_ path: Route.Path) async -> String {
            let error = await failure { try await client.get(path, as: Int.self) }
            switch error {
            case .request: return "bad request"
            case .decoding: return "parsing"
            case .status(let failure) where failure.isNotFound: return "not found"
            case .status(let failure) where failure.category == .serverError: return "server \(failure.status.code)"
            case .status(let failure): return "status \(failure.status.code)"
            case .transport: return "bad response"
            case .authorization, .rejected, .timeout, .cancelled, .pagination, .items, .download, .upload, .middleware:
                return "anything else"
            case nil: return "none"
            }
        }
        #expect(await kind("\("")") == "bad request")
        #expect(await kind("gone") == "not found")
        #expect(await kind("missing") == "not found")
        #expect(await kind("broken") == "server 503")
        #expect(await kind("odd") == "status 418")
        #expect(await kind("html") == "parsing")
        #expect(await kind("lost") == "bad response")
        let own = await failure { try await client.get("own", as: Int.self) }
        #expect(own?.problem() == AppError(code: 7))
    }

    @Test("A client has a replaceable transport, a base URL and header fields for all requests")
    func backend() async throws {
        struct Echo: Transport {
            func send(_ request: HTTPRequest, options: TransferOptions) async throws(TransportError) -> HTTPResponse {
                let text = "\"\(request.url.absoluteString) \(request.headerFields[.userAgent] ?? "")\""
                return HTTPResponse(status: 200, body: HTTPBody(Data(text.utf8)))
            }
        }
        let client = Client(Shop.url, transport: Echo()) { Header(.userAgent, "app/1") }
        #expect(try await client.get("a", as: String.self) == "https://shop.example/v1/a app/1")
    }

    @Test(
        "A custom function logs numbered requests and responses if declared",
        arguments: [true, false]
    )
    func logs(isOn: Bool) async throws {
        let lines = Lines()
        let (_, stub) = users(["GET users": .json("[]")])
        let client = Client(Shop.url, transport: stub, clock: ManualClock()) {
            if isOn { Observe(RequestLog(.attempts) { lines.add($0) }) }
        }
        for _ in 1...2 { _ = try await client.get("users", as: [User].self) }
        let numbers = lines.all.compactMap { $0.split(separator: " ").dropFirst().first.flatMap { Int($0) } }
        let url = "https://shop.example/v1/users"
        #expect(
            lines.all
                == (isOn
                    ? numbers.enumerated().map { index, number in
                        [
                            "→ \(number) GET users \(url)", "← \(number) 200 OK after 0 ms",
                            "✓ \(number) GET users 200 OK in 0 ms, 2 bytes",
                        ][index % 3]
                    } : [])
        )
        #expect(lines.all.count == (isOn ? 6 : 0))
    }

    @Test("A resource can be tested by its sent requests, successes and failures")
    func testing() async throws {
        let (users, stub) = users(["GET users/{}": .sequence([.json(Self.bo), .status(500)])])
        #expect(try await users.read("x").name == "Bo")
        #expect(stub.requests.map { "\($0.method) \($0.template)" } == ["GET users/{}"])
        let error = await failure { try await users.read("x") }
        #expect(error?.status == 500)
    }

    @Test("The package has no dependencies")
    func dependencies() throws {
        let root = URL(fileURLWithPath: #filePath).pathComponents.prefix { $0 != "Tests" }.joined(separator: "/")
        let manifest = try String(contentsOf: URL(fileURLWithPath: root + "/Package.swift"), encoding: .utf8)
        #expect(manifest.contains("name: \"Waybill\""))
        #expect(!manifest.contains(".package("))
    }
}
