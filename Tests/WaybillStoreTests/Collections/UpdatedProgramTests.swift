import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@testable import WaybillStore

@Suite("A store after a program update", .inTurn)
struct UpdatedProgramTests {
    private let folder = TemporaryFolder()
    private let server = AccountServer(["ada /v1/notes": [.note(1, "one")], "ada /v2/notes": [.note(1, "one")]])

    private func open() async throws -> Store {
        try await Store(at: folder.url, settings: .init(sendsAutomatically: false))
    }

    private func api(_ version: Int) -> NotesAPI { NotesAPI(server, at: "https://notes.example/v\(version)") }

    private static let oldURL = "https://notes.example/v1/notes"

    /// The way in which a later version finds the rows of an earlier one.
    enum Way: CaseIterable, Sendable {
        case nameFromTheStart
        case nameAndOldURL
        case oldURL
    }

    private func notes(_ version: Int, in store: Store, by way: Way) -> StoredCollection<Note, ReadWrite> {
        switch (way, version) {
        case (.nameFromTheStart, _): store.collection(api(version).notes, named: "notes")
        case (_, 1): store.collection(api(1).notes)
        case (.nameAndOldURL, _): store.collection(api(2).notes, named: "notes", movedFrom: [Self.oldURL])
        case (.oldURL, _): store.collection(api(2).notes, movedFrom: [Self.oldURL])
        }
    }

    @Test("Rows and pending writes move to a collection's new URL, which receives the writes", arguments: Way.allCases)
    func moved(by way: Way) async throws {
        var store = try await open()
        var notes = notes(1, in: store, by: way)
        try await store.synchronize()
        try await notes.patch(1) { $0.text = "edited" }
        let draft = try await notes.create(.init(text: "new"))
        await store.close()
        _ = server.takeWrites()
        store = try await open()
        notes = self.notes(2, in: store, by: way)
        #expect(try await notes.elements().map(\.text) == ["edited", "new"])
        #expect(try await notes.read(draft.id)?.text == "new")
        #expect(try await store.synchronize().isComplete)
        #expect(server.takeWrites().sorted() == ["ada PATCH /v2/notes/1", "ada POST /v2/notes"])
        #expect(try await notes.elements().map(\.text).sorted() == ["edited", "new"])
        await store.close()
    }

    @Test("No write is lost if the earlier version runs again in between", arguments: Way.allCases)
    func back(by way: Way) async throws {
        for (version, text) in [(1, "first"), (2, "second"), (1, "third")] {
            let store = try await open()
            let notes = notes(version, in: store, by: way)
            try await notes.create(.init(text: text))
            if way == .nameFromTheStart, version == 1, text == "third" {
                #expect(try await store.outbox.entries().count == 3)
            }
            await store.close()
        }
        let store = try await open()
        let notes = notes(2, in: store, by: way)
        #expect(try await notes.elements().map(\.text) == ["first", "second", "third"])
        #expect(try await store.outbox.entries().map(\.state) == Array(repeating: .waiting(.turn), count: 3))
        #expect(try await store.synchronize().isComplete)
        #expect(server.takeWrites() == Array(repeating: "ada POST /v2/notes", count: 3))
        await store.close()
    }

    @Test("Pending writes for one item at both URLs apply to one row, in order")
    func bothURLs() async throws {
        for (version, text) in [(1, "by 1"), (2, "by 2")] {
            let store = try await open()
            let notes = store.collection(api(version).notes)
            try await store.synchronize()
            try await notes.patch(1) { $0.text = text }
            await store.close()
        }
        let store = try await open()
        let notes = notes(2, in: store, by: .oldURL)
        #expect(try await notes.elements() == [Note(id: 1, text: "by 2")])
        #expect(try await store.outbox.entries().count == 2)
        _ = server.takeWrites()
        try await store.synchronize()
        try await store.synchronize()
        #expect(try await store.outbox.entries().isEmpty)
        #expect(server.change { $0.items["ada /v2/notes"] } == [.note(1, "by 2")])
        await store.close()
    }

    @Test("A list at a new URL is fetched in full, and rows missing from it are removed")
    func fetchedAgain() async throws {
        server.change { $0.items["ada /v1/notes"] = [.note(1, "one"), .note(2, "two")] }
        var store = try await open()
        _ = notes(1, in: store, by: .oldURL)
        for _ in 0..<3 { try await store.synchronize() }
        await store.close()
        store = try await open()
        let notes = notes(2, in: store, by: .oldURL)
        try await store.synchronize()
        #expect(try await notes.elements().map(\.id) == [1])
        await store.close()
    }

    @Test("A singleton keeps its value and its pending write at a new URL", arguments: [true, false])
    func movedSingleton(hasName: Bool) async throws {
        struct Profile: Representation, Equatable { var text: String }
        struct ProfileAPI: API {
            let client: Client
            var profile: Singleton<Profile, ReadWrite> { singleton("notes/1") }
        }
        for version in [1, 2] {
            let store = try await open()
            let profile = store.singleton(
                ProfileAPI(client: api(version).client).profile,
                named: hasName ? "profile" : nil,
                movedFrom: hasName ? [] : [Self.oldURL + "/1"]
            )
            if version == 1 {
                try await store.synchronize()
                try await profile.patch { $0.text = "edited" }
            } else {
                #expect(try await profile.read()?.text == "edited")
                try await store.synchronize()
                #expect(server.takeWrites() == ["ada PATCH /v2/notes/1"])
            }
            await store.close()
        }
    }

    @Test("A named nested collection has separate rows for each path value")
    func nestedName() async throws {
        var store = try await open()
        for note in [1, 2] {
            try await store.collection(api(1).comments(on: note), named: "comments").create(.init(text: "on \(note)"))
        }
        await store.close()
        store = try await open()
        for note in [1, 2] {
            let comments = store.collection(api(2).comments(on: note), named: "comments")
            #expect(try await comments.elements().map(\.text) == ["on \(note)"])
        }
        try await store.synchronize()
        #expect(server.takeWrites().sorted() == ["ada POST /v2/notes/1/comments", "ada POST /v2/notes/2/comments"])
        await store.close()
    }

    // MARK: Another form of the items

    /// A note with a renamed text member and a member that the first version lacks.
    private struct Memo: Entity, Equatable {
        let id: Int
        var body: String
        var kind: String

        struct Draft: RequestContent {
            var body: String
            var kind: String
        }
    }

    private struct MemoAPI: API {
        let client: Client
        var memos: Resource<Memo, ReadWrite> { resource("notes") }
    }

    private func memos(
        in store: Store,
        converting conversion: OutboxEntry.Conversion? = nil
    ) -> StoredCollection<Memo, ReadWrite> {
        store.collection(MemoAPI(client: api(1).client).memos) {
            if let conversion { conversion }
        }
    }

    /// Leaves a pending create and a pending patch from the first version.
    private func leaveWrites() async throws {
        let store = try await open()
        let notes = store.collection(api(1).notes)
        try await store.synchronize()
        try await notes.create(.init(text: "new"))
        try await notes.patch(1) { $0.text = "edited" }
        await store.close()
        server.change { $0.bodies = [] }
    }

    private static let conversion = OutboxEntry.Conversion { (content, operation) in
        guard let text = content["text"] else { return content }
        return content.applying(
            mergePatch: operation == .create
                ? ["body": text, "text": .null, "kind": "note"] : ["body": text, "text": .null]
        )
    }

    @Test("Without a conversion, pending writes in the old schema are sent unchanged")
    func unconverted() async throws {
        try await leaveWrites()
        let store = try await open()
        let memos = memos(in: store)
        #expect(try await memos.elements().isEmpty)
        #expect(try await memos.unreadable().count == 2)
        #expect(try await store.outbox.entries().map(\.content) == [["text": "new"], ["text": "edited"]])
        #expect(try await store.synchronize().sent == 2)
        #expect(server.change { $0.bodies.map(\.description).sorted() } == [#"{"text":"edited"}"#, #"{"text":"new"}"#])
        await store.close()
    }

    @Test("A declared conversion converts writes that were never sent, and their rows")
    func converted() async throws {
        try await leaveWrites()
        var store = try await open()
        for _ in 0..<2 {
            let memos = memos(in: store, converting: Self.conversion)
            #expect(try await memos.elements().map(\.body) == ["new"])
            let contents = try await store.outbox.entries().map(\.content)
            #expect(contents == [["body": "new", "kind": "note"], ["body": "edited"]])
            await store.close()
            store = try await open()
        }
        _ = memos(in: store, converting: Self.conversion)
        try await store.synchronize()
        let bodies = server.change { $0.bodies.map(\.description).sorted() }
        #expect(bodies == [#"{"body":"edited"}"#, #"{"body":"new","kind":"note"}"#])
        await store.close()
    }

    @Test("A write that may have reached its server is not converted")
    func possiblyApplied() async throws {
        var store = try await open()
        let notes = store.collection(api(1).notes)
        server.change { $0.faults = [.lostResponse] }
        try await notes.create(.init(text: "new"))
        try await store.synchronize()
        await store.close()
        store = try await open()
        _ = try await memos(in: store, converting: Self.conversion).count()
        #expect(try await store.outbox.entries().map(\.content) == [["text": "new"]])
        await store.close()
    }

    @Test("A failed conversion parks the entry with its content, and is retried in the next run")
    func failedConversion() async throws {
        struct Unknown: Error {}
        try await leaveWrites()
        var store = try await open()
        _ = memos(in: store, converting: OutboxEntry.Conversion { (_, _) in throw Unknown() })
        try await store.synchronize()
        let entries = try await store.outbox.entries()
        #expect(entries.map(\.state) == [.parked, .parked])
        #expect(entries.map(\.content) == [["text": "new"], ["text": "edited"]])
        #expect(entries[0].failure?.message.contains("conversion") == true)
        #expect(server.change { $0.bodies }.isEmpty)
        await store.close()
        store = try await open()
        _ = memos(in: store, converting: Self.conversion)
        #expect(try await store.synchronize().sent == 2)
        await store.close()
    }

    @Test("A write whose capability was removed is parked with its content, and its failure names the capability")
    func removedCapability() async throws {
        enum CreateOnly: Listable, Readable, Creatable {}
        struct CreatingAPI: API {
            let client: Client
            var notes: Resource<Note, CreateOnly> { resource("notes") }
        }
        try await leaveWrites()
        var store = try await open()
        _ = store.collection(CreatingAPI(client: api(1).client).notes)
        #expect(try await store.synchronize().sent == 1)
        let entries = try await store.outbox.entries()
        #expect(entries.map(\.state) == [.parked])
        #expect(entries[0].content == ["text": "edited"])
        #expect(entries[0].failure?.message.contains("patch") == true)
        #expect(entries[0].failure?.message.contains("Patchable") == true)
        await store.close()
        store = try await open()
        _ = store.collection(api(1).notes)
        try await store.outbox.retry(entries[0].id)
        #expect(try await store.synchronize().isComplete)
        #expect(server.change { $0.items["ada /v1/notes"]?.first } == .note(1, "edited"))
        await store.close()
    }

    @Test("Pending writes and their rows survive a change of the ID type")
    func otherIDs() async throws {
        struct Named: Entity {
            let id: String
            var text: String
        }
        struct NamedAPI: API {
            let client: Client
            var notes: Resource<Named, ReadWrite> { resource("notes") }
        }
        try await leaveWrites()
        let store = try await open()
        let notes = store.collection(NamedAPI(client: api(1).client).notes)
        #expect(try await notes.unreadable().count == 2)
        #expect(try await store.outbox.entries().map(\.operation) == [.create, .patch])
        #expect(try await store.synchronize().sent == 2)
        await store.close()
    }
}
