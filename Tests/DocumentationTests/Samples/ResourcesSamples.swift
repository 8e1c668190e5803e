import Foundation
import Testing
import Waybill
import WaybillTesting

private enum Page {
    struct Shop: API {
        let client: Client

        var users: Resource<User, ReadWrite> { resource("users") }
        var events: Resource<Event, ReadOnly> { resource("events") }

        var inbox: Resource<Message, Inbox> { resource("inbox") }

        enum Account: Readable, Updatable, Patchable {}

        var profile: Singleton<Profile, Account> { singleton("profile") }

        var messages: Resource<Message, ReadWrite> {
            resource("messages") { MergeAnswers() }
        }

        var notes: Resource<Note, ReadWrite> { resource("notes") }
    }

    struct BulkShop: API {
        let client: Client

        var users: Resource<User, Bulk> {
            resource("users") {
                BatchProblem(ItemProblem.self, at: "error", item: ["user"])  // [{"user":{…}}, {"error":{…}}]
            }
        }
    }

    enum Inbox: Listable, Readable, BatchCreatable, Deletable {}

    enum Bulk: BatchCreatable, BatchUpdatable {}

    struct User: Entity {
        let id: Int
        var name: String
        var nickname: String?

        struct Draft: Encodable, Sendable {
            var name: String
        }

        struct Patch: Encodable, Sendable {
            var name: String?
            var nickname: Nullable<String> = .absent
        }
    }

    struct Event: Entity { let id: Int }

    struct Message: Entity {
        let id: Int
        var text: String

        struct Draft: Encodable, Sendable { var text: String }
    }

    struct Profile: Representation { var name: String }

    struct Note: Record {
        static let idKey = "key"
        var fields: [String: JSONValue]
    }

    struct ItemProblem: Decodable, Sendable { let code: String }
}

@Suite("Resources.md")
struct ResourcesSamples {
    private typealias User = Page.User
    private let url = Sample.url

    private func shop(_ answers: Answers) -> (Page.Shop, StubTransport) {
        let stub = StubTransport(answers)
        return (Page.Shop(client: Client(Sample.url, transport: stub)), stub)
    }

    @Test("The table of operations")
    func operations() throws {
        enum Everything: Listable, Readable, Creatable, BatchCreatable, Updatable, BatchUpdatable, Patchable, Deletable
        {}
        let users: Resource<User, Everything> = shop([:]).0.client.resource("users")
        let bo = User(id: 7, name: "Bo")
        let draft = User.Draft(name: "Bo")
        let requests = try [
            "list()": users.endpoints.list().plan(),
            "read(id)": users.endpoints.read(7).plan(),
            "create(draft)": users.endpoints.create(draft).plan(),
            "create([draft])": users.endpoints.create([draft]).plan(),
            "create(each: [draft])": users.endpoints.create(each: [draft]).plan(),
            "update(user)": users.endpoints.update(bo).plan(),
            "update([user])": users.endpoints.update([bo]).plan(),
            "update(each: [user])": users.endpoints.update(each: [bo]).plan(),
            "patch(id, changes)": users.endpoints.patch(7, .init(name: "B")).plan(),
            "delete(id)": users.endpoints.delete(7).plan(),
        ]
        var found = 0
        for row in try Repository.page("Documentation/Resources.md").rows(ofTableUnder: "Call") {
            for call in row[0].components(separatedBy: "`, `") {
                guard let plan = requests[call.replacingOccurrences(of: "`", with: "")] else { continue }
                found += 1
                #expect(row[1] == "`\(plan.method) \(plan.template)`", "\(call)")
            }
        }
        #expect(found == requests.count)
    }

    @Test("Drafts, patches and differences")
    func writing() async throws {
        let bo7 = #"{"id":7,"name":"Bo"}"#
        let (shop, stub) = shop(["POST users": .json(bo7), "PATCH users/{}": .json(bo7)])

        let bo = try await shop.users.create(.init(name: "Bo"))  // {"name":"Bo"}
        try await shop.users.patch(bo.id, .init(nickname: "B"))  // {"nickname":"B"}
        try await shop.users.patch(bo.id, .init(nickname: .null))  // {"nickname":null}

        var renamed = bo
        renamed.name = "Robert"
        try await shop.users.patch(from: bo, to: renamed)  // {"name":"Robert"}

        #expect(
            stub.requests.map(\.text) == [
                #"{"name":"Bo"}"#, #"{"nickname":"B"}"#, #"{"nickname":null}"#, #"{"name":"Robert"}"#,
            ]
        )
        #expect(stub.requests.last?.headerFields[.contentType] == "application/merge-patch+json")
        try await shop.users.patch(from: bo, to: bo)
        #expect(stub.requests.count == 4)
    }

    @Test("The whole response, and endpoints of the resource's own")
    func endpoints() async throws {
        let (shop, _) = shop([
            "POST users": .json(#"{"id":7,"name":"Bo"}"#).header("Location", "/users/7"),
            "GET users/active": .json("[]"),
        ])
        let draft = User.Draft(name: "Bo")

        let response = try await shop.users.endpoints.create(draft).response()
        print(response.url(in: .location) ?? response.url, response.value)

        let active: Endpoint<[User]> = shop.users.endpoint { GET("\(.resource)/active") }

        #expect(response.url(in: .location)?.absoluteString == "https://shop.example/users/7")
        #expect(try await active.send().isEmpty)
    }

    @Test("Other sets of capabilities, singletons")
    func capabilities() async throws {
        let (shop, _) = shop([
            "GET inbox": .json("[]"), "GET events/{}": .json(#"{"id":1}"#), "PUT profile": .json(#"{"name":"Bo"}"#),
        ])
        #expect(try await shop.inbox.list().isEmpty)
        #expect(try await shop.events.read(1).id == 1)
        #expect(try await shop.profile.update(.init(name: "Bo")).name == "Bo")
    }

    @Test("Batches, item by item")
    func batches() async throws {
        let answer = #"[{"user":{"id":7,"name":"Bo"}},{"error":{"code":"no_name"}}]"#
        let stub = StubTransport(["POST users": .json(answer)])
        let shop = Page.BulkShop(client: Client(url, transport: stub))
        let drafts = [User.Draft(name: "Bo"), User.Draft(name: "")]

        for result in try await shop.users.create(each: drafts) {
            switch result {
            case .success(let user): print("created \(user.id)")
            case .failure(let item): print("\(item.index): \(item.problem)")
            }
        }

        let results = try await shop.users.create(each: drafts)
        #expect(try results.first?.get().id == 7)
        let error = await Sample.failure { () async throws(APIError) in try await shop.users.create(drafts) }
        guard case .items(let failure) = error else {
            Issue.record("expected failed items")
            return
        }
        #expect(failure.items.map(\.index) == [1])
        #expect(failure.items.first?.problem(as: Page.ItemProblem.self)?.code == "no_name")
    }

    @Test("Answers laid over what was sent")
    func merging() async throws {
        let (shop, _) = shop(["POST messages": .json(#"{"id":7}"#)])

        let sent = try await shop.messages.create(.init(text: "hi"))  // the server answers {"id":7}

        #expect(sent.id == 7)
        #expect(sent.text == "hi")
    }

    @Test("Records keep what the server adds")
    func records() async throws {
        let (shop, stub) = shop([
            "POST notes": .json(#"{"key":"a","text":"hi","at":1}"#), "PUT notes/{}": .answer { .json($0.text) },
        ])

        var note = try await shop.notes.create(["text": "hi"])
        note["text"] = "ho"
        try await shop.notes.update(note)

        #expect(stub.requests.last?.path == "/notes/a")
        #expect(stub.requests.last?.text == #"{"at":1,"key":"a","text":"ho"}"#)
    }
}
