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
            resource("messages") { WriteResult(.merged) }
        }

        var accounts: Resource<User, ReadWrite> {
            resource("accounts") { WriteResult(.reread, idAt: "uuid") }  // POST → {"uuid":7}, then GET accounts/7
        }

        var notes: Resource<Note, ReadWrite> { resource("notes") }

        var articles: Resource<Article, ReadWrite> { resource("articles") }

        var experiments: Resource<Experiment, ReadWrite> {
            resource("experiments") {
                Paginated(.cursor(at: "next_page_token", as: .body("page_token")))
                On(.list) {
                    POST("\(.resource)/search")
                    Envelope("experiments")
                    Body.Member("max_results", 100)  // on every page
                }
                On(.read) {
                    GET("\(.resource)/get")
                    Query("experiment_id", .id)
                }
                On(.delete) {
                    POST("\(.resource)/delete")
                    Body.Member("experiment_id", .id)  // {"experiment_id":7}
                }
            }
        }
    }

    struct KeyedShop: API {
        let client: Client

        enum Wiki: Listable, Readable, Upsertable {}

        var pages: Resource<WikiPage, Wiki> { resource("pages") }

        var stock: Resource<StockItem, ReadOnly> {
            resource("stock") { Envelope(list: "items", keyedBy: "id") }  // {"items":{"lamp":{…}}}
        }

        var table: Resource<Row, Rows> {
            resource("") {
                Body.Member("TableName", "rows")
                On(.delete) {
                    POST("\(.resource)")
                    Header("X-Amz-Target", "DynamoDB_20120810.DeleteItem")
                    Body.Member(["Key", "id", "S"], .id)  // {"TableName":"rows","Key":{"id":{"S":"a"}}}
                }
            }
        }
    }

    enum Rows: Deletable {}

    struct Row: Entity { let id: String }

    struct WikiPage: Entity {
        let id: String
        var text: String

        struct Replacement: RequestContent { var text: String }
    }

    struct StockItem: Entity, Equatable {
        let id: String
        var price: Int
    }

    struct BulkShop: API {
        let client: Client

        var users: Resource<User, Bulk> {
            resource("users") {
                WriteResult.ItemProblem(ItemProblem.self, at: "error", item: ["user"])  // [{"user":{…}}, {"error":{…}}]
            }
        }
    }

    enum Inbox: Listable, Readable, BatchCreatable, Deletable {}

    enum Bulk: BatchCreatable, BatchUpdatable {}

    struct User: Entity {
        let id: Int
        var name: String
        var nickname: String?

        struct Draft: RequestContent {
            var name: String
        }

        struct Patch: RequestContent {
            var name: String?
            var nickname: Nullable<String> = .absent
        }
    }

    struct Event: Entity { let id: Int }

    struct Experiment: Entity { let id: Int }

    struct Receipt: ResponseContent { let number: Int }

    struct Article: Entity {
        let id: Int
        var text: String
        var revision: Int

        struct Replacement: RequestContent {
            var text: String
            var basedOn: Int
        }
    }

    struct Message: Entity {
        let id: Int
        var text: String

        struct Draft: RequestContent { var text: String }
    }

    struct Profile: Representation { var name: String }

    struct Note: JSONEntity {
        static let idKey = "key"
        var fields: [String: JSONValue]
    }

    struct ItemProblem: ResponseContent { let code: String }
}

struct Author: Entity, Equatable {
    let id: Int
    var name: String
}

extension Resource where Element == Author, Access: Listable {
    var active: Endpoint<[Author]> { endpoint { GET("\(.resource)/active") } }

    func named(_ name: String) async throws(APIError) -> [Author] {
        try await with { Query("name", name) }.list()
    }
}

private enum Objects {
    @MainActor
    final class Account {
        private let authors: Resource<Author, ReadWrite>
        private(set) var author: Author

        init(_ author: Author, in authors: Resource<Author, ReadWrite>) {
            (self.author, self.authors) = (author, authors)
        }

        func rename(to name: String) async throws(APIError) {
            var renamed = author
            renamed.name = name
            author = try await authors.update(renamed)
        }
    }
}

@Suite("Resources.md")
struct ResourcesSamples {
    private typealias User = Page.User
    private typealias Receipt = Page.Receipt
    private let url = Sample.url

    private func shop(_ responses: StubResponses) -> (Page.Shop, StubTransport) {
        let stub = StubTransport(responses)
        return (Page.Shop(client: Client(Sample.url, transport: stub)), stub)
    }

    @Test("The table in Resources.md lists the requests of all operations")
    func operations() throws {
        enum Everything: Listable, Readable, Creatable, BatchCreatable, Updatable, BatchUpdatable, Upsertable,
            Patchable,
            Deletable
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
            "upsert(user)": users.endpoints.upsert(bo).plan(),
            "upsert(id, replacement)": users.endpoints.upsert(7, bo).plan(),
            "patch(id, changes)": users.endpoints.patch(7, .init(name: "B")).plan(),
            "delete(id)": users.endpoints.delete(7).plan(),
            "delete(user)": users.endpoints.delete(bo).plan(),
        ]
        var found = 0
        for row in try Repository.page("Documentation/Declare/Resources.md").rows(ofTableUnder: "Call") {
            for call in row[0].components(separatedBy: "`, `") {
                guard let plan = requests[call.replacingOccurrences(of: "`", with: "")] else { continue }
                found += 1
                #expect(row[1] == "`\(plan.method) \(plan.template)`", "\(call)")
            }
        }
        #expect(found == requests.count)
    }

    @Test("The drafts, patches and differences in Resources.md are sent")
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

    @Test("The response and the custom endpoints in Resources.md are read")
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

    @Test("The repository and the shared object in Resources.md work")
    @MainActor
    func repository() async throws {
        let stub = StubTransport([
            "GET authors/active": .json(#"[{"id":1,"name":"Bo"}]"#), "GET authors": .json(#"[{"id":2,"name":"Al"}]"#),
            "PUT authors/{}": .json(#"{"id":1,"name":"BO"}"#),
        ])
        let authors: Resource<Author, ReadWrite> = Client(url, transport: stub).resource("authors")
        let active = try await authors.active.send()
        #expect(active == [Author(id: 1, name: "Bo")])
        #expect(try await authors.named("Al").map(\.id) == [2])
        #expect(stub.requests.last?.query == "name=Al")
        let account = Objects.Account(active[0], in: authors)
        try await account.rename(to: "bo")
        #expect(account.author == Author(id: 1, name: "BO"))
    }

    @Test("The capabilities and the singleton in Resources.md work")
    func capabilities() async throws {
        let (shop, _) = shop([
            "GET inbox": .json("[]"), "GET events/{}": .json(#"{"id":1}"#), "PUT profile": .json(#"{"name":"Bo"}"#),
        ])
        #expect(try await shop.inbox.list().isEmpty)
        #expect(try await shop.events.read(1).id == 1)
        #expect(try await shop.profile.update(.init(name: "Bo")).name == "Bo")
    }

    @Test("The batches in Resources.md have a result for each item")
    func batches() async throws {
        let response = #"[{"user":{"id":7,"name":"Bo"}},{"error":{"code":"no_name"}}]"#
        let stub = StubTransport(["POST users": .json(response)])
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
        let error = await Sample.failure { try await shop.users.create(drafts) }
        guard case .items(let failure) = error else {
            Issue.record("expected failed items")
            return
        }
        #expect(failure.items.map(\.index) == [1])
        #expect(failure.items.first?.problem(as: Page.ItemProblem.self)?.code == "no_name")
    }

    @Test("The other forms in Resources.md send the expected requests")
    func otherForms() async throws {
        let (shop, stub) = shop([
            "PUT articles/{}": .json(#"{"id":7,"text":"new","revision":2}"#), "PATCH users/{}": .status(204),
            "DELETE users/{}": .json(#"{"number":1}"#), "POST experiments/delete": .json("{}"),
            "GET experiments/get": .json(#"{"id":7}"#),
            "POST experiments/search": .json(#"{"experiments":[{"id":7}]}"#),
        ])

        let article = try await shop.articles.update(7, .init(text: "new", basedOn: 1))

        try await shop.users.endpoints.patch(7, .init(name: "Bo")).returning(Void.self).send()
        let receipt = try await shop.users.endpoints.delete(7).returning(Receipt.self).send()

        #expect(article.revision == 2)
        #expect(receipt.number == 1)
        #expect(try await shop.experiments.read(7).id == 7)
        #expect(try await shop.experiments.page().items.map(\.id) == [7])
        try await shop.experiments.delete(7)
        #expect(
            stub.requests.suffix(3).map { "\($0.query ?? "") \($0.text)" } == [
                "experiment_id=7 ", #" {"max_results":100}"#, #" {"experiment_id":7}"#,
            ]
        )
    }

    @Test("The upserts, keyed lists and member paths in Resources.md work")
    func keys() async throws {
        let page = #"{"id":"Start","text":"Hello"}"#
        let stub = StubTransport([
            "PUT pages/{}": .sequence([.json(page, status: 201), .json(page)]),
            "GET stock": .json(#"{"items":{"rug":{"price":5},"lamp":{"price":9}}}"#),
            "GET stock/{}": .json(#"{"price":9}"#),
        ])
        let shop = Page.KeyedShop(client: Client(url, transport: stub))

        switch try await shop.pages.upsert("Start", .init(text: "Hello")) {
        case .created(let page): print("new: \(page.id)")
        case .replaced(let page): print("changed: \(page.id)")
        }

        try await shop.pages.with { IfNoneMatch(.any) }.upsert("Start", .init(text: "Hello"))  // 412 if it is there

        #expect(stub.requests.map { $0.headerFields[.ifNoneMatch] } == [nil, "*"])

        let items = try await shop.stock.list()  // in the order of the object

        #expect(items == [Page.StockItem(id: "rug", price: 5), Page.StockItem(id: "lamp", price: 9)])

        let lamp = try await shop.stock.read("lamp")  // {"price":9}

        #expect(lamp == items.last)
        let delete = try shop.table.endpoints.delete("a").body
        #expect(
            delete.map { String(decoding: $0, as: UTF8.self) } == #"{"Key":{"id":{"S":"a"}},"TableName":"rows"}"#
        )
    }

    @Test("The table in Resources.md lists every WriteResult")
    func writeResults() throws {
        let rows = try Repository.page("Documentation/Declare/Resources.md").rows(ofTableUnder: "Clause").map { $0[0] }
        #expect(
            rows == [
                "no clause", "`WriteResult(.merged)`", "`WriteResult(.sent)`", "`WriteResult(.reread)`",
                #"`WriteResult(.reread, idAt: "uuid")`"#,
            ]
        )
        let users: Resource<User, ReadWrite> = shop([:]).0.client.resource("users")
        for source in [WriteResult.Source.merged, .sent] {
            let patch = users.with { WriteResult(source) }.endpoints.patch(7, .init())
            #expect(throws: APIError.self) { try patch.plan() }
        }
        _ = try users.with { WriteResult(.reread) }.endpoints.patch(7, .init()).plan()
    }

    @Test("The responses in Resources.md are merged over the sent values")
    func merging() async throws {
        let (shop, _) = shop(["POST messages": .json(#"{"id":7}"#)])

        let sent = try await shop.messages.create(.init(text: "hi"))  // the response is {"id":7}

        #expect(sent.id == 7)
        #expect(sent.text == "hi")
    }

    @Test("The created account in Resources.md is read by the id in the response")
    func createdID() async throws {
        let (shop, stub) = shop([
            "POST accounts": .json(#"{"uuid":7}"#, status: 201), "GET accounts/{}": .json(#"{"id":7,"name":"Bo"}"#),
        ])
        #expect(try await shop.accounts.create(.init(name: "Bo")).id == 7)
        #expect(stub.requests.last?.path == "/accounts/7")
    }

    @Test("The records in Resources.md keep members added by the server")
    func records() async throws {
        let (shop, stub) = shop([
            "POST notes": .json(#"{"key":"a","text":"hi","at":1}"#), "PUT notes/{}": .response { .json($0.text) },
        ])

        var note = try await shop.notes.create(["text": "hi"])
        note["text"] = "ho"
        try await shop.notes.update(note)

        #expect(stub.requests.last?.path == "/notes/a")
        #expect(stub.requests.last?.text == #"{"at":1,"key":"a","text":"ho"}"#)
    }
}
