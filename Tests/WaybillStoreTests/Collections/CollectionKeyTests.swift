import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@testable import WaybillStore

@Suite("Collection keys", .inTurn)
struct CollectionKeyTests {
    private let server = AccountServer()

    /// Two resources of one client, and the server's lists of their items.
    struct Pair: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let first: @Sendable (AccountServer) -> Resource<Note, ReadWrite>
        let second: @Sendable (AccountServer) -> Resource<Note, ReadWrite>
        /// The paths of the two lists, without their queries and tenants.
        let paths: (String, String)
        var rest = ("", "")
    }

    static let pairs = [
        Pair(
            testDescription: "two values of a query item",
            first: { NotesAPI($0).notes(team: 7) },
            second: { NotesAPI($0).notes(team: 8) },
            paths: ("/notes", "/notes"),
            rest: ("?team=7", "?team=8")
        ),
        Pair(
            testDescription: "with and without a query item",
            first: { NotesAPI($0).notes(team: 7) },
            second: { NotesAPI($0).notes },
            paths: ("/notes", "/notes"),
            rest: ("?team=7", "")
        ),
        Pair(
            testDescription: "two values of a header field",
            first: { NotesAPI($0).notes(tenant: "a") },
            second: { NotesAPI($0).notes(tenant: "b") },
            paths: ("/notes", "/notes"),
            rest: (" for a", " for b")
        ),
        Pair(
            testDescription: "two values in the path",
            first: { NotesAPI($0).comments(on: 7) },
            second: { NotesAPI($0).comments(on: 8) },
            paths: ("/notes/7/comments", "/notes/8/comments")
        ),
        Pair(
            testDescription: "two base URLs",
            first: { NotesAPI($0, at: "https://notes.example/a").notes },
            second: { NotesAPI($0, at: "https://notes.example/b").notes },
            paths: ("/a/notes", "/b/notes")
        ),
    ]

    @Test("Resources that select different items have separate rows", arguments: pairs)
    func apart(pair: Pair) async throws {
        server.change { state in
            state.items["ada \(pair.paths.0)\(pair.rest.0)"] = [.note(1, "first")]
            state.items["ada \(pair.paths.1)\(pair.rest.1)"] = [.note(1, "second"), .note(2, "second")]
        }
        let store = try await Store.manual()
        let (first, second) = (store.collection(pair.first(server)), store.collection(pair.second(server)))
        #expect(try await store.synchronize().collections.count == 2)
        #expect(try await first.elements().map(\.text) == ["first"])
        #expect(try await second.elements().map(\.text) == ["second", "second"])
        _ = server.takeWrites()
        try await second.create(.init(text: "new"))
        try await second.patch(1) { $0.text = "edited" }
        try await store.synchronize()
        let (path, rest) = (pair.paths.1, pair.rest.1)
        #expect(server.takeWrites().sorted() == ["ada PATCH \(path)/1\(rest)", "ada POST \(path)\(rest)"])
        #expect(try await first.elements().map(\.text) == ["first"])
    }

    @Test("A declaration finds the same rows in another run, whatever its token and query order")
    func same() async throws {
        struct API1: API {
            let client: Client
            let isSwapped: Bool
            var notes: Resource<Note, ReadWrite> {
                resource("notes") {
                    if isSwapped {
                        Query("team", 7)
                        Query("kind", "open")
                    } else {
                        Query("kind", "open")
                        Query("team", 7)
                    }
                    Query("access_token", isSwapped ? "secret 1" : "secret 2")
                    Header("X-Session", isSwapped ? "secret 1" : "secret 2", secret: true)
                    Header(.accept, isSwapped ? "application/json" : "*/*")
                    Header("X-Trace") { isSwapped ? "1" : "2" }
                    Paginated(.pageNumber("page", size: .query("per_page", isSwapped ? 50 : 20)))
                }
            }
        }
        let client = NotesAPI(server).client
        let addresses = try [true, false].map { isSwapped in
            try DocumentResource(API1(client: client, isSwapped: isSwapped).notes).address().text
        }
        #expect(addresses == Array(repeating: "https://notes.example/notes?kind=open&team=7", count: 2))
    }

    @Test("Redeclaring a collection's URL with another item type or another name throws a descriptive error")
    func clashes() async throws {
        struct Other: Entity { let id: String }
        struct OtherAPI: API {
            let client: Client
            var notes: Resource<Other, ReadWrite> { resource("notes") }
        }
        let (store, api) = (try await Store.manual(), NotesAPI(server))
        let notes = store.collection(api.notes, named: "notes")
        _ = try await notes.count()
        for (name, text) in [("other", "under another name"), ("notes", "another type")] {
            let error = await #expect(throws: StoreError.self) {
                if name == "other" {
                    _ = try await store.collection(api.notes, named: name).count()
                } else {
                    _ = try await store.collection(OtherAPI(client: api.client).notes, named: name).count()
                }
            }
            #expect("\(String(describing: error))".contains(text))
        }
        let moved = NotesAPI(server, at: "https://notes.example/v2").notes
        let error = await #expect(throws: StoreError.self) {
            _ = try await store.collection(moved, named: "notes").count()
        }
        #expect("\(String(describing: error))".contains("this name at another URL"))
    }

    @Test("Two clients of one URL with different fixed credentials or header fields throw a descriptive error")
    func otherClients() async throws {
        func client(_ token: String, _ tenant: String) throws -> NotesAPI {
            let url = try #require(URL(string: "https://notes.example"))
            return NotesAPI(
                client: Client(url, transport: server.transport) {
                    Authorization(.bearer(token))
                    Header("X-Tenant", tenant)
                }
            )
        }
        let store = try await Store.manual()
        #expect(try await store.collection(client("ada", "a").notes).count() == 0)
        #expect(try await store.collection(client("ada", "a").notes).count() == 0)
        for (token, tenant, text) in [("bob", "a", "another credential"), ("ada", "b", "different header fields")] {
            let other = store.collection(try client(token, tenant).notes)
            let error = await #expect(throws: StoreError.self) { _ = try await other.count() }
            #expect("\(String(describing: error))".contains(text))
        }
    }

    @Test("The server's ID replaces a temporary ID in a query, both in requests and in the key")
    func temporaryQuery() async throws {
        let (store, api) = (try await Store.manual(), NotesAPI(server))
        let notes = store.collection(api.notes)
        let parent = try await notes.create(.init(text: "parent"))
        let children = store.collection(api.notes(team: parent.id))
        try await children.create(.init(text: "child"))
        #expect(try await store.outbox.entries().map(\.state) == [.waiting(.turn), .waiting(.earlierWrite)])
        #expect(try await store.synchronize().isComplete)
        #expect(server.takeWrites() == ["ada POST /notes", "ada POST /notes?team=101"])
        #expect(try await store.collection(api.notes(team: 101)).elements().map(\.text) == ["child"])
        #expect(server.change { $0.requests }.isEmpty)
    }
}
