import Foundation
import Testing
import Waybill
import WaybillTesting

private enum Page {
    struct User: Entity {
        let id: String
        var name: String
    }

    struct Post: Entity { let id: Int }

    struct Item: Entity { let id: Int }

    struct Message: Entity {
        let id: Int
        var text: String
    }

    struct Note: JSONEntity {
        static let idKey = "note_id"
        var fields: [String: JSONValue]
    }

    struct Person: Entity {
        let id: Int
        var firstName: String
        var favoriteColor: String?
    }

    struct Household: Entity {
        let id: Int
        var people: [Person]
        var sortedPeople: [Person] { people.sorted { $0.firstName < $1.firstName } }
    }

    struct Shop: API {
        let client: Client

        var users: Resource<User, ReadWrite> { resource("users") }

        var pagedUsers: Resource<User, ReadOnly> {
            resource("users") { Paginated(.pageNumber(size: .query("per_page", 50), total: .field("X-Total"))) }
        }

        func posts(of id: User.ID) -> Resource<Post, ReadOnly> { resource("users/\(id)/posts") }

        var items: Resource<Item, ReadOnly> { resource("items") { Envelope("items") } }

        var notes: Resource<Note, ReadWrite> { resource("notes") }
        var messages: Resource<Message, ReadWrite> { resource("messages") }

        var people: Resource<Person, ReadWrite> {
            resource("people") {
                On(.read) { GET("person/\(.id)") }
                On(.update) { PUT("households/people/\(.id)") }
            }
        }
    }
}

@Suite("Predecessors.md, then and now")
struct PredecessorsSamples {
    private typealias User = Page.User
    private typealias Message = Page.Message
    private typealias Person = Page.Person

    private let stub = StubTransport([
        "GET users": .json(#"[{"id":"x","name":"Bo"}]"#).header("X-Total", "41"),
        "PATCH users/{}": .json(#"{"id":"x","name":"Bo"}"#),
        "GET users/{}/posts": .json(#"[{"id":1}]"#), "GET items": .json(#"{"items":[{"id":2}]}"#),
        "GET messages": .json(#"[{"id":3,"text":"hi"}]"#), "DELETE messages/{}": .status(204),
        "PATCH messages/{}": .json(#"{"id":3,"text":"ho"}"#), "POST notes": .json(#"{"note_id":"n"}"#),
        "GET person/{}": .json(#"{"id":7,"firstName":"Bo"}"#),
        "PUT households/people/{}": .json(#"{"id":7,"firstName":"B"}"#),
        "POST ping": .status(204), "GET export": .text("all"),
        "GET households": .json(#"[{"id":1,"people":[{"id":7,"firstName":"Bo"},{"id":8,"firstName":"Al"}]}]"#),
    ])

    private let url = Sample.url
    private var shop: Page.Shop { Page.Shop(client: Waybill.Client(url, transport: stub)) }

    private func client(@Scope.Builder _ clauses: () -> Scope) -> Client {
        Waybill.Client(url, transport: stub, clauses)
    }

    @Test("Waybill's lists, pages and paths replace those of Jayme")
    func jayme() async throws {
        var users: [User] = []
        var total: Int?
        func show(_ error: APIError) { Issue.record(error) }

        do throws(APIError) {
            users = try await shop.users.list()
        } catch {
            show(error)
        }

        #expect(users.map(\.id) == ["x"])

        let page = try await shop.pagedUsers.page(at: .page(3, size: 20))
        users = page.items
        total = page.total

        #expect(stub.requests.last?.query == "page=3&per_page=20")
        #expect(users.count == 1 && total == 41)
        #expect(try await shop.posts(of: "x").list().map(\.id) == [1])
        #expect(try await shop.items.list().map(\.id) == [2])
    }

    @Test("Waybill's clients replace a backend and a configuration")
    func clients() async throws {
        let logged = LoggedLines()
        let log: @Sendable (String) -> Void = { logged.add($0) }
        func Client(_ url: URL, @Scope.Builder _ clauses: () -> Scope) -> Waybill.Client { self.client(clauses) }
        do {
            let client = Client(url) {
                On(.update) { PATCH() }
            }
            let bo = User(id: "x", name: "Bo")
            let users: Resource<User, ReadWrite> = client.resource("users")
            #expect(try await users.update(bo).name == bo.name)
            #expect(stub.requests.last?.method == .patch)
        }
        do {
            let client = Client(url) { Header("X-App", "shop") }
            _ = try await client.get("users", as: [User].self)
            #expect(stub.requests.last?.headerFields["X-App"] == "shop")
        }
        do {
            let client = Client(url) {
                Header("X-App", "shop")
                Observe(RequestLog { print($0) })
            }
            _ = try await client.get("users", as: [User].self)
            #expect(stub.requests.last?.headerFields["X-App"] == "shop")
        }
        let client = Client(url) {
            Observe(RequestLog { log($0) })
            Header("X-Theme") { UserDefaults.standard.string(forKey: "theme") }
        }
        _ = try await client.get("users", as: [User].self)
        #expect(logged.all.count == 1)
    }

    @Test("Waybill's changes, deletions and reports replace those of RepositoryKit")
    func repositoryKit() async throws {
        var reports: [String] = []
        func report(_ text: String) { reports.append(text) }
        var shown: [Message] = []
        func show(_ messages: [Message]) { shown = messages }
        var message = Message(id: 3, text: "hi")

        do throws(APIError) {
            if let first = try await shop.messages.list().first { try await shop.messages.delete(first) }
            report("deleted")
        } catch {
            report("\(error)")
        }

        var changed = message
        changed.text = "ho"
        message = try await shop.messages.patch(from: message, to: changed)

        #expect(reports == ["deleted"])
        #expect(message.text == "ho")
        #expect(stub.requests.last?.text == #"{"text":"ho"}"#)

        show(try await shop.messages.with { Header("X-Trace", "1") }.list())

        #expect(shown.count == 1)
        #expect(stub.requests.last?.headerFields["X-Trace"] == "1")
        let note = try await shop.notes.create([:])
        #expect("\(note.id)" == "n")
    }

    @Test("Waybill's refreshes, paths, successes and pauses replace those of CRUDE-Futures")
    func crudeFutures() async throws {
        var person = Person(id: 7, firstName: "old", favoriteColor: nil)
        var hasStopped = false
        func stopLoading() { hasStopped = true }

        do throws(APIError) {
            person = try await shop.people.refresh(person)
        } catch {
            print(error)
        }
        stopLoading()

        #expect(person.firstName == "Bo" && hasStopped)
        #expect(try await shop.people.update(person).firstName == "B")
        let households: Resource<Page.Household, ReadOnly> = shop.client.resource("households")
        #expect(try await households.list().first?.sortedPeople.map(\.firstName) == ["Al", "Bo"])

        try await shop.endpoint { POST("ping") }.send()

        let control = TransferControl()
        async let export = shop.client.get("export", as: Data.self) { Control(with: control) }
        control.pause()
        control.resume()

        let data = try await export
        #expect(data == Data("all".utf8))
    }
}

/// The lines of a log.
private final class LoggedLines: Sendable {
    private let lines = Locked<[String]>([])

    nonisolated init() {}

    nonisolated var all: [String] { lines.withLock { $0 } }

    nonisolated func add(_ line: String) { lines.withLock { $0.append(line) } }
}
