import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@testable import WaybillStore

@Suite("Pending writes of collections that the current run has not declared", .inTurn)
struct UndeclaredTests {
    private let folder = TemporaryFolder()
    private let server = AccountServer(["ada /notes": [.note(7, "seven"), .note(9, "nine")]])

    private func open() async throws -> Store {
        try await Store(at: folder.url, settings: .init(sendsAutomatically: false))
    }

    private var api: NotesAPI { NotesAPI(server) }

    /// Creates a pending comment on note 7.
    private func leaveComment() async throws {
        let store = try await open()
        try await store.collection(api.comments(on: 7)).create(.init(text: "hello"))
        await store.close()
    }

    @Test("Declaring a collection with the same template at another path sends the write")
    func sibling() async throws {
        try await leaveComment()
        let store = try await open()
        let others = store.collection(api.comments(on: 9))
        #expect(try await store.outbox.entries().map(\.state) == [.waiting(.turn)])
        #expect(try await store.synchronize().isComplete)
        #expect(server.takeWrites() == ["ada POST /notes/7/comments"])
        #expect(try await others.elements().isEmpty)
        #expect(try await store.collection(api.comments(on: 7)).elements() == [Note(id: 101, text: "hello")])
        await store.close()
    }

    @Test("A write below an unsent item follows its parent, even if only a sibling collection is declared")
    func belowTemporary() async throws {
        var store = try await open()
        let parent = try await store.collection(api.notes).create(.init(text: "parent"))
        try await store.collection(api.comments(on: parent.id)).create(.init(text: "child"))
        await store.close()
        store = try await open()
        _ = store.collection(api.notes)
        _ = store.collection(api.comments(on: 9))
        #expect(try await store.synchronize().isComplete)
        #expect(server.takeWrites() == ["ada POST /notes", "ada POST /notes/101/comments"])
        await store.close()
    }

    @Test("A write is sent by a collection with another query value, but not by one with another template")
    func otherQuery() async throws {
        var store = try await open()
        try await store.collection(api.notes(team: 7)).create(.init(text: "hello"))
        try await store.collection(api.comments(on: 7)).create(.init(text: "hello"))
        await store.close()
        store = try await open()
        _ = store.collection(api.notes(team: 8))
        #expect(try await store.outbox.entries().map(\.state) == [.waiting(.turn), .waiting(.declaration)])
        try await store.synchronize()
        #expect(server.takeWrites() == ["ada POST /notes?team=7"])
        await store.close()
    }

    @Test("An invalid declaration holds back only its collection's writes, which are sent once it is corrected")
    func faultyDeclaration() async throws {
        var store = try await open()
        try await store.collection(api.notes).create(.init(text: "held"))
        try await store.collection(api.comments(on: 7)).create(.init(text: "sent"))
        await store.close()
        store = try await open()
        _ = store.collection(api.notes) {
            Store.Identifier("id")
            Store.Identifier("number")
        }
        _ = store.collection(api.comments(on: 7))
        let report = try await store.synchronize()
        #expect(report.failures.count == 1)
        #expect(!report.isComplete)
        #expect(server.takeWrites() == ["ada POST /notes/7/comments"])
        let entry = try #require(try await store.outbox.entries().first)
        #expect(entry.state == .parked)
        #expect(entry.failure?.message.contains("Identifier") == true)
        await store.close()
        store = try await open()
        _ = store.collection(api.notes)
        try await store.synchronize()
        #expect(server.takeWrites() == ["ada POST /notes"])
        await store.close()
    }

    @Test("An undeclared write needs attention after a synchronization, and its failure names the template")
    func undeclared() async throws {
        try await leaveComment()
        let store = try await open()
        _ = store.collection(api.notes)
        let before = try await store.outbox.entries()
        #expect(before.map(\.state) == [.waiting(.declaration)])
        #expect(before[0].failure?.message.contains("notes/{}/comments") == true)
        var events = store.events.makeAsyncIterator()
        let report = try await store.synchronize()
        #expect(report.waiting.map(\.state.needsAttention) == [true])
        #expect(!report.isComplete)
        #expect(store.status == .attentionNeeded(1))
        _ = store.collection(api.comments(on: 7))
        #expect(try await store.outbox.entries().map(\.state) == [.waiting(.turn)])
        #expect(try await store.synchronize().isComplete)
        #expect(store.status == .idle)
        await store.close()
        var reported: [OutboxEntry] = []
        while let event = await events.next() {
            if case .needsAttention(let entry) = event { reported.append(entry) }
        }
        #expect(reported.map(\.content) == [["text": "hello"]])
        #expect(reported.first?.failure?.message.contains("notes/{}/comments") == true)
    }

    @Test("An undeclared write can be discarded")
    func discarded() async throws {
        try await leaveComment()
        let store = try await open()
        for entry in try await store.synchronize().waiting { try await store.outbox.discard(entry.id) }
        #expect(try await store.outbox.entries().isEmpty)
        #expect(try await store.collection(api.comments(on: 7)).elements().isEmpty)
        await store.close()
    }
}
