import Foundation
import TestSupport
import Testing
import Waybill
import WaybillStore
import WaybillTesting

@Suite("Items with client-assigned IDs", .inTurn)
struct OwnIDTests {
    struct Tag: Entity, RequestContent, Equatable {
        typealias Draft = Tag

        let id: String
        var name: String
    }

    private struct Tags: API {
        let client: Client

        var tags: Resource<Tag, ReadWrite> { resource("tags") }
    }

    private func open(_ server: KeyedServer) async throws -> (Store, StoredCollection<Tag, ReadWrite>) {
        server.change { $0.keepsIDs = true }
        let store = try await Store.manual()
        return (store, store.collection(Tags(client: Shop(server.transport).client).tags))
    }

    @Test("The app's ID finds its row even if the server spells the ID differently")
    func spelling() async throws {
        let server = KeyedServer()
        let (store, tags) = try await open(server)
        try await tags.insert(Tag(id: "a1", name: "first"))
        #expect(try await store.synchronize().isComplete)
        #expect(try await tags.elements() == [Tag(id: "A1", name: "first")])
        #expect(try await tags.read("a1") == Tag(id: "A1", name: "first"))
        try await tags.patch("a1") { $0.name = "second" }
        #expect(try await store.synchronize().isComplete)
        #expect(server.change { $0.effects } == ["POST ", "PATCH A1"])
        #expect(try await tags.elements() == [Tag(id: "A1", name: "second")])
        try await tags.delete("a1")
        #expect(try await tags.elements().isEmpty)
    }

    @Test("An item with a numeric ID stays readable if responses encode the ID as a string")
    func textOfNumber() async throws {
        let product = JSONValue.product(7, "Lamp")
        let renamed = JSONValue.product(7, "Desk lamp")
        let asText: JSONValue = ["id": "7"]
        let network = StubTransport { request in
            switch request.method {
            case .get where request.path.hasSuffix("products"): .json(JSONValue.array([product]).description)
            case .patch: .json(renamed.applying(mergePatch: asText).description)
            case .post: .json(product.applying(mergePatch: asText).description, status: 201)
            default: .json(product.applying(mergePatch: asText).description)
            }
        }
        let store = try await Store.manual()
        let products = store.collection(Shop(network).products)
        try await products.create(.init(name: "Lamp"))
        #expect(try await store.synchronize().isComplete)
        #expect(try await products.elements().map(\.id) == [7])
        #expect(try await products.inStep.read(7)?.name == "Lamp")
        try await products.patch(7) { $0.name = "Desk lamp" }
        #expect(try await store.synchronize().isComplete)
        #expect(try await store.outbox.entries().isEmpty)
        #expect(try await products.elements().map(\.id) == [7])
    }

    @Test("A creation whose response was lost ends when the list contains its ID, and later edits are sent")
    func seen() async throws {
        let server = KeyedServer()
        let (store, tags) = try await open(server)
        try await tags.insert(Tag(id: "A1", name: "first"))
        server.change { $0.events = [.lost] }
        try await store.synchronize()
        #expect(try await store.outbox.entries().isEmpty)
        try await tags.patch("A1") { $0.name = "second" }
        #expect(try await store.synchronize().isComplete)
        #expect(server.change { $0.effects } == ["POST ", "PATCH A1"])
        #expect(try await tags.elements() == [Tag(id: "A1", name: "second")])
    }
}
