import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Rejected batches and single-item batches")
struct RejectedBatchTests {
    struct Person: Entity, Equatable {
        let id: Int
        var name: String
        var note: String?

        struct Draft: RequestContent {
            var name: String
            var note: String?
        }
    }

    struct Issues: ResponseContent, Equatable { let name: String }

    struct Total: ResponseContent { let total: Int }

    private enum Bulk: BatchCreatable {}

    private func people(
        _ response: StubResponse,
        @Scope.Builder _ clauses: () -> Scope = { Scope() }
    ) -> Resource<Person, Bulk> {
        Shop(StubTransport(["POST people": .response(response)])).resource("people", clauses)
    }

    /// The response from Eve to a batch with an invalid item: nothing is stored.
    private static let mixed = StubResponse.json(
        #"{"_status":"ERR","_items":[{"_status":"OK"},{"_status":"ERR","_issues":{"name":"required"}}]}"#,
        status: 422
    )

    @Scope.Builder private static func eve() -> Scope {
        Envelope(itemPath: [], listPath: ["_items"])
        Success(.success, 422)
        WriteResult.ItemProblem(Issues.self, at: "_issues")
        WriteResult(.merged)
    }

    private func problems(_ error: APIError?) -> [Int: Issues]? {
        guard case .items(let failure) = error else { return nil }
        return Dictionary(
            uniqueKeysWithValues: failure.items.compactMap { item in
                item.problem(as: Issues.self).map { (item.index, $0) }
            }
        )
    }

    @Test("A rejected batch reports its problems even if the other items are not entities")
    func mixed() async throws {
        let people = people(Self.mixed) { Self.eve() }
        let drafts = [Person.Draft(name: "a"), Person.Draft(name: "")]
        let expected = [1: Issues(name: "required")]
        #expect(problems(await failure { try await people.create(drafts) }) == expected)
        #expect(
            problems(await failure { try await people.create(each: drafts) }) == expected
        )
        let ignored = await failure {
            try await people.endpoints.create(drafts).returning(Void.self).send()
        }
        #expect(problems(ignored) == expected)
    }

    @Test("Batch problems take precedence over an undecodable item unless individual results are requested")
    func undecodable() async throws {
        let people = people(.json(#"[{"id":"x"},{"error":{"name":"required"}}]"#)) {
            WriteResult.ItemProblem(Issues.self, at: "error")
        }
        let drafts = [Person.Draft(name: "a"), Person.Draft(name: "")]
        let all = await failure { try await people.create(drafts) }
        #expect(problems(all) == [1: Issues(name: "required")])
        // The server stored the first item, and a problem would hide that its response is undecodable.
        let each = await failure { try await people.create(each: drafts) }
        guard case .decoding = each else {
            Issue.record("expected a decoding failure, got \(String(describing: each))")
            return
        }
    }

    @Test("A sent member is not mistaken for a problem of a merged item")
    func sentMember() async throws {
        let people = people(.json(#"[{"id":1},{"id":2,"name":"b"}]"#)) {
            WriteResult(.merged)
            WriteResult.ItemProblem(String.self, at: "note")
        }
        let created = try await people.create([.init(name: "a", note: "n"), .init(name: "x")])
        #expect(created == [Person(id: 1, name: "a", note: "n"), Person(id: 2, name: "b")])
    }

    @Test(
        "A single object is a valid response to a batch of one item",
        arguments: [
            (Envelope.none, #"{"id":1,"name":"a","total":1}"#),
            (Envelope(list: "_items"), #"{"id":1,"name":"a","total":1}"#),
            (Envelope("data"), #"{"data":{"id":1,"name":"a"},"total":1}"#),
            (Envelope(item: "person", list: "people"), #"{"person":{"id":1,"name":"a"},"total":1}"#),
        ]
    )
    func one(_ row: (envelope: Envelope, body: String)) async throws {
        let drafts = [Person.Draft(name: "a")]
        for merges in [false, true] {
            let people = people(.json(row.body)) {
                row.envelope
                Metadata(Int.self, at: "total")
                if merges { WriteResult(.merged) }
            }
            #expect(try await people.create(drafts) == [Person(id: 1, name: "a")])
            #expect(try await people.create(each: drafts).map { try $0.get() } == [Person(id: 1, name: "a")])
            #expect(try await people.endpoints.create(drafts).response().metadata(Int.self) == 1)
            // For two items, a single object does not match the declared response.
            let two = await failure { try await people.create(drafts + drafts) }
            guard case .decoding = two else {
                Issue.record("expected a decoding failure, got \(String(describing: two))")
                return
            }
        }
    }

    @Test("A single object with a problem rejects a batch of one item; any other object is a decoding failure")
    func oneProblem() async throws {
        let drafts = [Person.Draft(name: "")]
        let rejected = people(.json(#"{"_status":"ERR","_issues":{"name":"required"}}"#, status: 422)) { Self.eve() }
        let expected = [0: Issues(name: "required")]
        #expect(problems(await failure { try await rejected.create(drafts) }) == expected)
        let each = try await rejected.create(each: drafts)
        #expect(each.map { $0.failure?.problem(as: Issues.self) } == [Issues(name: "required")])
        let other = people(.json(#"{"message":"accepted"}"#))
        guard case .decoding = await failure({ try await other.create(drafts) }) else {
            Issue.record("expected a decoding failure")
            return
        }
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
