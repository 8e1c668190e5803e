import Foundation
import TestSupport
import Testing
import Waybill
import WaybillStore
import WaybillTesting

@Suite("Items with ids of the app", .inTurn)
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

    @Test("An id that the server spells differently still leads to its row")
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

    @Test("A creation whose response was lost ends when the list has its id, and later edits follow")
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
