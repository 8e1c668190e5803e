import Foundation
import Testing
import Waybill
import WaybillStore
import WaybillTesting

@Suite("Storing.md and Synchronizing.md")
struct StoringSamples {
    struct Product: Entity, Equatable {
        let id: Int
        var name: String
        var price: Int
        var category: String?

        struct Draft: RequestContent {
            var name: String
            var price: Int
        }
    }

    struct Shop: API {
        let client: Client

        var products: Resource<Product, ReadWrite> { resource("products") }
        var profile: Singleton<Profile, ReadWrite> { singleton("profile") }
    }

    struct Profile: Representation {
        var name: String
        var theme: String?
    }

    struct Catalog {
        let shop: Shop
        let store: Store

        init(_ shop: Shop, in folder: URL) async throws {
            self.shop = shop
            store = try await Store(at: folder)
        }

        var products: StoredCollection<Product, ReadWrite> {
            store.collection(shop.products) {
                Store.Delta(.updatedSince("updated_at", as: "since"), deleted: "deleted_at")
                Store.Conflicts(.merge(clash: .mine))
                Store.Index(\.category)
            }
        }
    }

    private let stub = StubTransport([
        "GET products": .json(
            #"""
            [{"id": 1, "name": "Rug", "price": 20, "updated_at": "2026-01-01T00:00:00Z"},
             {"id": 9, "name": "Desk lamp", "price": 30, "updated_at": "2026-01-02T00:00:00Z"}]
            """#
        ),
        "GET products/{}": .json(#"{"id": 9, "name": "Chair", "price": 80}"#),
        "POST products": .json(#"{"id": 9, "name": "Desk lamp", "price": 30}"#, status: 201),
    ])

    @Test("The store in Storing.md can be reopened immediately after it is closed")
    func closing() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try await Store(at: folder)

        await store.close()
        let reopened = try await Store(at: folder)

        await reopened.close()
    }

    @Test("The samples in Storing.md write, read, observe and read through from the server")
    func storing() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let catalog = try await Catalog(Shop(client: Client(Sample.url, transport: stub)), in: folder)

        let lamp = try await catalog.products.create(.init(name: "Lamp", price: 30))
        try await catalog.products.patch(lamp.id) { $0.name = "Desk lamp" }  // offline: becomes part of the create
        let cheap = catalog.products.filter(\.category, equals: "lamp").filter { $0.price < 50 }.sorted(by: \.name)
        for product in try await cheap.elements() { print(product.name) }
        try await catalog.store.synchronize()

        #expect(try await catalog.products.elements().map(\.id).sorted() == [1, 9])
        #expect(stub.requests.map(\.template) == ["products", "products"])

        for entry in try await catalog.store.outbox.entries() where entry.state.needsAttention {
            print(entry.failure?.message ?? "")
            try await catalog.store.outbox.discard(entry.id)  // the row is again what the server has
        }

        for entry in try await catalog.products.entries() where entry.state.needsAttention {
            print("\(entry.operation) \(try entry.item.name): \(entry.failure?.message ?? "in conflict")")
        }

        let count = try await catalog.products.patchAll(of: cheap) {
            $0.price += 1
        } progress: { done, total in
            print(done, "of", total)
        }

        #expect(count == 0)

        let chair = try await catalog.products.inStep.create(.init(name: "Chair", price: 80))
        let fresh = try await catalog.products.inStep.read(chair.id, maximumAge: .seconds(60))

        #expect(fresh?.id == 9)
        await catalog.store.close()
    }

    private struct Session {
        let userID = "ada"
        let token = RefreshingToken.AccessToken("of ada")
    }

    @Test("The samples in Storing.md separate users and erase with consent")
    func users() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let session = Session()
        let tokens = RefreshingToken(.init("of bob")) { _ in throw CancellationError() }

        let store = try await Store(at: folder, user: session.userID)

        #expect(store.user == "ada")
        try await store.switchUser(to: "bob")

        try await store.switchUser(to: session.userID)
        tokens.replace(with: session.token)
        await store.resume()

        func asks(_ question: String) async -> Bool { question.contains("changes") }
        do throws(StoreError) {
            try await store.erase()
        } catch .unsentWrites(let count) {
            guard await asks("Sign out and lose \(count) changes?") else { return }
            try await store.erase(discardingPendingWrites: true)
        }
    }

    private struct Updated {
        let shop: Shop
        let store: Store

        var products: StoredCollection<Product, ReadWrite> {
            store.collection(shop.products, named: "products")
        }
    }

    @Test("The samples in Storing.md name a collection and convert its writes")
    func updates() async throws {
        let store = try await Store.inMemory()
        let shop = Shop(client: Client(Sample.url, transport: stub))
        let name = Updated(shop: shop, store: try await Store.inMemory()).products
        #expect(try await name.count() == 0)

        let products = store.collection(
            shop.products,
            named: "products",
            movedFrom: ["https://shop.example/v1/products"]
        ) {
            OutboxEntry.Conversion { (content, operation) in
                guard operation == .create, let title = content["title"] else { return content }
                return content.applying(mergePatch: ["name": title, "title": .null])
            }
        }

        #expect(try await products.count() == 0)
        await store.close()
    }

    @Test("The sample in Storing.md changes a singleton")
    func singleton() async throws {
        let store = try await Store.inMemory()
        let profiles = StubTransport([
            "GET profile": .json(#"{"name": "Ada"}"#), "PATCH profile": .json(#"{"name": "Ada", "theme": "dark"}"#),
        ])
        let shop = Shop(client: Client(Sample.url, transport: profiles))

        let profile = store.singleton(shop.profile)
        try await store.synchronize()
        try await profile.patch { $0.theme = "dark" }
        print(try await profile.read()?.theme ?? "none")

        #expect(profiles.requests.first?.template == "profile")
        await store.close()
    }

    @Test("The sample in Storing.md observes the changes of a query")
    func observing() async throws {
        let store = try await Store.inMemory()
        let products = store.collection(Shop(client: Client(Sample.url, transport: stub)).products)
        let cheap = products.filter { $0.price < 50 }
        try await products.create(.init(name: "Lamp", price: 30))
        await store.close()
        var list: [StoredChange<Product>.Row] = []

        for await change in cheap.changes {
            switch change {
            case .rows(let rows): list = rows
            case .differences(let differences): for difference in differences { list.apply(difference) }
            }
        }

        #expect(list.isEmpty)
    }

    @Test("The sample in Storing.md observes the states of rows until the store is closed")
    func states() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let catalog = try await Catalog(Shop(client: Client(Sample.url, transport: stub)), in: folder)
        #expect(try await catalog.products.states().values == [])
        await catalog.store.close()

        for await states in catalog.products.stateChanges {
            print(states.values.count, "not sent,", states.values.filter(\.needsAttention).count, "need a decision")
        }
    }

    @Test("The sample on WaybillStore's landing page writes and synchronizes")
    func landing() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        let shop = Shop(client: Client(Sample.url, transport: stub))

        let store = try await Store(at: folder)
        let products = store.collection(shop.products) {
            Store.Delta(.updatedSince("updated_at", as: "since"), deleted: "deleted_at")
            Store.Index(\.category)
        }
        let lamp = try await products.create(.init(name: "Lamp", price: 30))
        try await store.synchronize()

        #expect(try await products.currentID(of: lamp.id) == 9)
        await store.close()
    }

    @Test("The samples in Synchronizing.md report and resolve conflicts")
    func synchronizing() async throws {
        let store = try await Store.inMemory()
        let products = store.collection(Shop(client: Client(Sample.url, transport: stub)).products)

        let report = try await store.synchronize()
        print(report.sent, report.waiting.count)
        for failure in report.failures { print(failure.template, failure.error) }
        for collection in report.collections where collection.incomplete != nil { print(collection.template) }

        for entry in try await products.entries() where entry.state == .conflict {
            guard var decision = try entry.serverVersion else {
                try await store.outbox.discard(entry.id)  // the server has deleted the item
                continue
            }
            decision.name = try entry.item.name
            try await products.resolve(entry.id, with: decision)
        }

        for entry in try await store.outbox.entries() where entry.state == .conflict {
            if let theirs = entry.serverVersion {
                try await store.outbox.resolve(entry.id, with: theirs.applying(mergePatch: entry.content))
            }
        }

        #expect(report.isComplete)
    }
}
