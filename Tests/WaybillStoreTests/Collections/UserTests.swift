import Foundation
import TestSupport
import Testing
import Waybill
import WaybillCaching
import WaybillTesting

@testable import WaybillStore

@Suite("Users of a store", .inTurn)
struct UserTests {
    private let folder = TemporaryFolder()
    private let token = Locked("ada")
    private let server = AccountServer([
        "ada /notes": [.note(1, "of ada"), .note(2, "of ada too")], "bob /notes": [.note(1, "of bob")],
    ])

    private var api: NotesAPI {
        let token = token
        return NotesAPI(server) { token.withLock { $0 } }
    }

    private func open(_ user: String?) async throws -> Store {
        try await Store(at: folder.url, user: user, settings: .init(sendsAutomatically: false))
    }

    /// The way in which one user's store becomes another user's.
    enum Change: CaseIterable, Sendable {
        case reopened
        case switched
        case switchedAfterRejection
    }

    /// Switches the store to a user, with that user's token.
    private func change(_ store: Store, to user: String, by change: Change) async throws -> Store {
        switch change {
        case .reopened:
            await store.close()
            token.withLock { $0 = user }
            return try await open(user)
        case .switched, .switchedAfterRejection:
            if change == .switchedAfterRejection {
                server.change { $0.rejected = ["ada"] }
                try await store.synchronize()
                #expect(store.status == .signedOut(waiting: 2))
                server.change { $0.rejected = [] }
            }
            try await store.switchUser(to: user)
            token.withLock { $0 = user }
            await store.resume()
            return store
        }
    }

    @Test("Users have separate rows, and pending writes are sent only as their user", arguments: Change.allCases)
    func apart(by change: Change) async throws {
        var store = try await open("ada")
        var notes = store.collection(api.notes) { Store.Index(\.text) }
        try await store.synchronize()
        try await notes.create(.init(text: "new of ada"))
        try await notes.patch(1) { $0.text = "edited by ada" }
        store = try await self.change(store, to: "bob", by: change)
        #expect(store.user == "bob")
        notes = store.collection(api.notes) { Store.Index(\.text) }
        #expect(try await notes.elements().isEmpty)
        #expect(try await notes.count() == 0)
        #expect(try await notes.filter(\.text, equals: "edited by ada").elements().isEmpty)
        #expect(try await notes.read(1) == nil)
        let held = try await store.outbox.entries()
        #expect(held.map(\.state) == Array(repeating: .waiting(.otherUser), count: 2))
        #expect(held.map(\.user) == ["ada", "ada"])
        _ = server.takeWrites()
        let report = try await store.synchronize()
        #expect(report.isComplete)
        #expect(report.waiting.count == 2)
        #expect(store.status == .idle)
        #expect(server.takeWrites().isEmpty)
        #expect(try await notes.elements().map(\.text) == ["of bob"])
        #expect(try await notes.filter(\.text, equals: "edited by ada").count() == 0)
        try await notes.patch(1) { $0.text = "edited by bob" }
        try await store.synchronize()
        #expect(server.takeWrites() == ["bob PATCH /notes/1"])
        store = try await self.change(store, to: "ada", by: change == .reopened ? .reopened : .switched)
        notes = store.collection(api.notes) { Store.Index(\.text) }
        #expect(try await notes.read(1)?.text == "edited by ada")
        #expect(try await store.synchronize().isComplete)
        #expect(server.takeWrites().sorted() == ["ada PATCH /notes/1", "ada POST /notes"])
        #expect(try await notes.elements().map(\.text).sorted() == ["edited by ada", "new of ada", "of ada too"])
        #expect(server.change { $0.items["bob /notes"] } == [.note(1, "edited by bob")])
        await store.close()
    }

    @Test("A request in flight during a user switch is settled for the user who made it")
    func inFlight() async throws {
        let store = try await open("ada")
        let notes = store.collection(api.notes)
        let (gate, arrived) = (Gate(), Gate())
        server.change { $0.faults = [.held(gate, arrived: arrived)] }
        try await notes.create(.init(text: "first"))
        let sending = Task { try? await store.synchronize() }
        await arrived.waitUntilOpen()
        try await store.switchUser(to: "bob")
        token.withLock { $0 = "bob" }
        gate.open()
        _ = await sending.value
        let others = store.collection(api.notes)
        #expect(try await store.synchronize().isComplete)
        #expect(try await others.elements().map(\.text) == ["of bob"])
        #expect(server.takeWrites() == ["ada POST /notes"])
        try await store.switchUser(to: "ada")
        #expect(try await store.outbox.entries().isEmpty)
        #expect(try await notes.elements() == [Note(id: 101, text: "first")])
        await store.close()
    }

    @Test("A request is not sent if its credential arrives after a user switch")
    func lateCredential() async throws {
        let (asked, answered) = (Gate(), Gate())
        struct LateAPI: API {
            let client: Client
            var notes: Resource<Note, ReadWrite> { resource("notes") }
        }
        let url = try #require(URL(string: "https://notes.example"))
        let late = LateAPI(
            client: Client(url, transport: server.transport) {
                Authorization(
                    .bearer {
                        asked.open()
                        await answered.waitUntilOpen()
                        return "bob"
                    }
                )
            }
        )
        let store = try await open("ada")
        try await store.collection(late.notes).create(.init(text: "of ada"))
        let sending = Task { try? await store.synchronize() }
        await asked.waitUntilOpen()
        try await store.switchUser(to: "bob")
        answered.open()
        _ = await sending.value
        #expect(server.change { $0.requests }.isEmpty)
        #expect(try await store.outbox.entries().map(\.state) == [.waiting(.otherUser)])
        #expect(store.status == .idle)
        await store.close()
    }

    @Test("Nothing is sent between a user switch and a sign-in")
    func betweenUsers() async throws {
        let store = try await open("bob")
        try await store.collection(api.notes).create(.init(text: "of bob"))
        try await store.switchUser(to: "ada")
        await store.resume()
        try await store.switchUser(to: "bob")
        let notes = store.collection(api.notes)
        try await notes.create(.init(text: "more of bob"))
        await store.sender.wake()
        #expect(try await store.outbox.entries().map(\.state) == Array(repeating: .waiting(.signIn), count: 2))
        #expect(store.status == .signedOut(waiting: 2))
        #expect(server.change { $0.requests }.isEmpty)
        token.withLock { $0 = "bob" }
        await store.resume()
        try await store.synchronize()
        #expect(server.takeWrites() == ["bob POST /notes", "bob POST /notes"])
        await store.close()
    }

    @Test("A reader and a singleton see only the rows of their user")
    func readers() async throws {
        struct Profile: Representation, Equatable { var text: String }
        struct ProfileAPI: API {
            let client: Client
            var profile: Singleton<Profile, ReadWrite> { singleton("notes/1") }
        }
        let profiles = ProfileAPI(client: api.client)
        let store = try await open("ada")
        _ = store.singleton(profiles.profile, named: "profile")
        try await store.synchronize()
        for (user, text) in [("ada", "of ada"), ("bob", nil)] {
            let reader = try await Store.reading(at: folder.url, user: user)
            #expect(try await reader.singleton(profiles.profile, named: "profile").read()?.text == text)
            await reader.close()
        }
        try await store.switchUser(to: "bob")
        token.withLock { $0 = "bob" }
        let profile = store.singleton(profiles.profile, named: "profile")
        #expect(try await profile.read() == nil)
        try await store.synchronize()
        #expect(try await profile.read()?.text == "of bob")
        await store.close()
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @Test("A view's rows disappear when the store switches to another user")
    @MainActor func observed() async throws {
        let store = try await open("ada")
        let notes = store.collection(api.notes)
        try await store.synchronize()
        let rows = notes.observed()
        while !rows.isLoaded { await Task.yield() }
        #expect(rows.elements.count == 2)
        try await store.switchUser(to: "bob")
        while !rows.elements.isEmpty { await Task.yield() }
        await store.close()
    }

    @Test("After a user switch, every operation of the former user's collection fails, and its sequence ends")
    func formerCollection() async throws {
        let store = try await open("ada")
        let notes = store.collection(api.notes)
        try await store.synchronize()
        var changes = notes.changes.makeAsyncIterator()
        _ = await changes.next()
        try await notes.patch(1) { $0.text = "unseen" }
        try await store.switchUser(to: "bob")
        #expect(await changes.next() == nil)
        let operations: [@Sendable () async throws -> Void] = [
            { _ = try await notes.elements() }, { _ = try await notes.count() }, { _ = try await notes.read(1) },
            { try await notes.patch(1) { $0.text = "by bob" } }, { _ = try await notes.create(.init(text: "by bob")) },
            { try await notes.delete(1) }, { _ = try await notes.inStep.read(1) }, { _ = try await notes.unreadable() },
        ]
        for operation in operations {
            let error = await #expect(throws: StoreError.self) { try await operation() }
            guard case .otherUser("ada")? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        await store.close()
    }

    @Test("Clients with declared users have separate rows and writes in one store")
    func declaredUsers() async throws {
        let cache = HTTPCache(maximumBytes: 10_000)
        let store = try await open(nil)
        let collections = ["ada", "bob"].map { user in
            let api = NotesAPI(server, token: { user }, { Cached(in: cache, for: user) })
            return store.collection(api.notes)
        }
        try await store.synchronize()
        #expect(try await collections[0].count() == 2)
        #expect(try await collections[1].elements().map(\.text) == ["of bob"])
        for (collection, user) in zip(collections, ["ada", "bob"]) {
            try await collection.create(.init(text: "new of \(user)"))
        }
        #expect(try await store.outbox.entries().map(\.user) == ["ada", "bob"])
        _ = server.takeWrites()
        #expect(try await store.synchronize().isComplete)
        #expect(server.takeWrites().sorted() == ["ada POST /notes", "bob POST /notes"])
        await store.close()
    }

    @Test("Items of two users do not block each other, and their temporary IDs differ")
    func order() async throws {
        var store = try await open("ada")
        let adas = store.collection(api.notes)
        try await store.synchronize()
        try await adas.delete(1)
        let draft = try await adas.create(.init(text: "of ada"))
        store = try await change(store, to: "bob", by: .reopened)
        let comments = store.collection(api.comments(on: 1))
        let comment = try await comments.create(.init(text: "by bob"))
        #expect(comment.id != draft.id)
        let entries = try await store.outbox.entries().filter { $0.user == "bob" }
        #expect(entries.map(\.state) == [.waiting(.turn)])
        await store.close()
    }

    @Test("A user cannot retry, discard, or resolve another user's writes, and the owner can discard them unsent")
    func decisions() async throws {
        let store = try await open("ada")
        try await store.collection(api.notes).create(.init(text: "of ada"))
        let entry = try #require(try await store.outbox.entries().first)
        try await store.switchUser(to: "bob")
        let decisions: [@Sendable () async throws -> Void] = [
            { try await store.outbox.retry(entry.id) }, { try await store.outbox.discard(entry.id) },
            { try await store.outbox.resolve(entry.id, with: [:]) },
        ]
        for decision in decisions {
            let error = await #expect(throws: StoreError.self) { try await decision() }
            guard case .otherUser("ada")? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        try await store.switchUser(to: "ada")
        try await store.outbox.discard(entry.id)
        #expect(try await store.outbox.entries().isEmpty)
        #expect(server.takeWrites().isEmpty)
        await store.close()
    }

    @Test("An empty user ID is an error")
    func emptyUser() async throws {
        await #expect(throws: StoreError.self) { try await open("") }
        let store = try await Store.manual()
        await #expect(throws: StoreError.self) { try await store.switchUser(to: "") }
        try await store.switchUser(to: nil)
        #expect(store.user == nil)
    }
}
