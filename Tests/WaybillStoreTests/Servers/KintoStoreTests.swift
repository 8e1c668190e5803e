import Foundation
import TestSupport
import Testing
import Waybill
import WaybillStore
import WaybillTesting

/// Notes in a Kinto bucket.
private struct Notes: API {
    struct Note: Entity, Equatable {
        let id: String
        var title: String
        var n: Int?

        struct Draft: RequestContent {
            var title: String
            var n: Int?
        }
    }

    struct Container: Entity {
        let id: String
    }

    let client: Client
    let bucket = "waybill-" + UUID().uuidString.lowercased().suffix(12)

    init() {
        client = Client(RealServer.kinto.url) {
            Authorization(.basic(user: "admin", password: "s3cr3t"))
            Body.Format(under: "data")
            Envelope("data")
            Paginated(.next(field: "Next-Page", size: .query("_limit", 3)))
        }
    }

    var buckets: Resource<Container, ReadWrite> { resource("buckets") }

    var collections: Resource<Container, ReadWrite> { resource("buckets/\(bucket)/collections") }

    var notes: Resource<Note, ReadWrite> { resource("buckets/\(bucket)/collections/notes/records") }
}

@Suite("A store over Kinto", .running(.kinto), .inTurn, .safetyNet)
struct KintoStoreTests {
    private typealias Place = (store: Store, notes: StoredCollection<Notes.Note, ReadWrite>)

    /// Runs work with two stores of notes in a bucket unique to this test.
    private func withStores(
        overlap: Duration = .seconds(1),
        _ work: (_ here: Place, _ there: Place) async throws -> Void
    ) async throws {
        let api = Notes()
        try await api.buckets.create(.init(id: api.bucket))
        do {
            try await api.collections.create(.init(id: "notes"))
            try await work(try await place(api, overlap: overlap), try await place(api, overlap: overlap))
        } catch {
            try? await api.buckets.delete(api.bucket)
            throw error
        }
        try await api.buckets.delete(api.bucket)
    }

    private func place(_ api: Notes, overlap: Duration) async throws -> Place {
        let store = try await Store.manual()
        let notes = store.collection(api.notes) {
            Store.Delta(.updatedSince("last_modified", as: "_since", overlap: overlap), deleted: "deleted")
        }
        return (store, notes)
    }

    private func titles(_ place: Place) async throws -> [String] {
        try await place.notes.elements().map { "\($0.title) \($0.n ?? 0)" }.sorted()
    }

    @Test("Notes created, changed, and deleted offline reach another store once both have synchronized")
    func offline() async throws {
        try await withStores { here, there in
            let lamp = try await here.notes.create(.init(title: "Lamp", n: 1))
            for number in 1...6 { try await here.notes.create(.init(title: "Note", n: number)) }
            let rug = try await here.notes.create(.init(title: "Rug"))
            try await here.notes.patch(lamp.id) { $0.title = "Desk lamp" }
            try await here.notes.delete(rug.id)
            let report = try await here.store.synchronize()
            #expect(report.isComplete)
            #expect(report.sent == 7)
            #expect(try await there.store.synchronize().isComplete)
            let expected = ["Desk lamp 1"] + (1...6).map { "Note \($0)" }
            #expect(try await titles(here) == expected)
            #expect(try await titles(there) == expected)

            let id = try await here.notes.currentID(of: lamp.id)
            try await there.notes.patch(id) { $0.n = nil }
            let first = try #require(try await there.notes.filter { $0.n == 3 }.first())
            try await there.notes.update(.init(id: first.id, title: "Third", n: 3))
            let second = try #require(try await there.notes.filter { $0.n == 2 }.first())
            try await there.notes.delete(second.id)
            #expect(try await there.store.synchronize().isComplete)
            #expect(try await here.store.synchronize().isComplete)
            let changed = ["Desk lamp 0", "Note 1", "Note 4", "Note 5", "Note 6", "Third 3"]
            #expect(try await titles(here) == changed)
            #expect(try await titles(there) == changed)
        }
    }

    @Test("Only changes are fetched, and a tombstone removes a deleted note")
    func delta() async throws {
        // With an overlap, the number of pages would depend on the test's speed. None is needed, because Kinto gives
        // each change a unique timestamp.
        try await withStores(overlap: .zero) { here, there in
            for number in 1...7 { try await here.notes.create(.init(title: "Note", n: number)) }
            try await here.store.synchronize()
            try await there.store.synchronize()
            // The list had several pages, so part of it is requested once more.
            try await there.store.synchronize()
            let quiet = try await there.store.synchronize()
            #expect(quiet.collections.map(\.changed) == [0])
            let all = try await here.notes.elements()
            try await here.notes.patch(all[1].id) { $0.n = 20 }
            try await here.notes.delete(all[2].id)
            try await here.store.synchronize()
            let report = try await there.store.synchronize()
            #expect(report.collections.map(\.changed) == [1])
            #expect(report.collections.map(\.removed) == [1])
            #expect(report.collections.map(\.pages) == [1])
            #expect(try await titles(there) == ["Note 1", "Note 20", "Note 4", "Note 5", "Note 6", "Note 7"])
        }
    }

    @Test("A note changed on both sides is detected by its entity tag, merged, and reported once")
    func conflict() async throws {
        try await withStores { here, there in
            let lamp = try await here.notes.create(.init(title: "Lamp", n: 1))
            try await here.store.synchronize()
            try await there.store.synchronize()
            let id = try await here.notes.currentID(of: lamp.id)
            try await there.notes.patch(id) { note in
                note.title = "Their lamp"
                note.n = 2
            }
            try await there.store.synchronize()

            let events = here.store.events
            try await here.notes.patch(id) { $0.title = "My lamp" }
            #expect(try await here.store.synchronize().isComplete)
            try await here.store.synchronize()
            try await there.store.synchronize()
            #expect(try await titles(here) == ["My lamp 2"])
            #expect(try await titles(there) == ["My lamp 2"])
            await here.store.close()
            var conflicts: [StoreConflict] = []
            for await case .conflict(let conflict) in events { conflicts.append(conflict) }
            #expect(conflicts.map(\.itemID) == [id])
            #expect(conflicts.first?.theirs?["title"] == "Their lamp")
        }
    }

    @Test("A note edited here but deleted on the server waits for a decision")
    func deletedThere() async throws {
        try await withStores { here, there in
            let lamp = try await here.notes.create(.init(title: "Lamp", n: 1))
            try await here.store.synchronize()
            try await there.store.synchronize()
            let id = try await here.notes.currentID(of: lamp.id)
            try await there.notes.delete(id)
            try await there.store.synchronize()
            try await here.notes.patch(id) { $0.n = 5 }
            try await here.store.synchronize()
            let entry = try #require(try await here.store.outbox.entries().first)
            #expect(entry.state == .conflict)
            #expect(entry.serverVersion == .none)
            try await here.store.outbox.discard(entry.id)
            #expect(try await titles(here) == [])
            #expect(try await here.store.synchronize().isComplete)
        }
    }
}
