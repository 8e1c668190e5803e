import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

/// Batch responses with more or fewer items than were sent.
@Suite("Batch response counts")
struct BatchCountTests {
    struct Message: Entity, Equatable {
        let id: Int
        var text: String

        struct Draft: RequestContent { var text: String }
    }

    struct Problem: ResponseContent, Equatable { let reason: String }

    enum Bulk: BatchCreatable, BatchUpdatable {}

    /// An operation that sends two items.
    struct Operation: CustomTestStringConvertible {
        let testDescription: String
        var ignoresItems = false
        let send: @Sendable (Resource<Message, Bulk>) async throws -> Int
    }

    static let operations = [
        Operation(testDescription: "create") { try await $0.create([.init(text: "a"), .init(text: "b")]).count },
        Operation(testDescription: "create(each:)") {
            try await $0.create(each: [.init(text: "a"), .init(text: "b")]).count
        },
        Operation(testDescription: "update") {
            try await $0.update([Message(id: 1, text: "a"), Message(id: 2, text: "b")]).count
        },
        Operation(testDescription: "update(each:)") {
            try await $0.update(each: [Message(id: 1, text: "a"), Message(id: 2, text: "b")]).count
        },
        Operation(testDescription: "create, returning Void", ignoresItems: true) {
            try await $0.endpoints.create([.init(text: "a"), .init(text: "b")]).returning(Void.self).send()
            return 2
        },
        Operation(testDescription: "update, returning Void", ignoresItems: true) {
            let messages = [Message(id: 1, text: "a"), Message(id: 2, text: "b")]
            try await $0.endpoints.update(messages).returning(Void.self).send()
            return 2
        },
    ]

    struct Result: CustomTestStringConvertible {
        let testDescription: String
        var hasProblems = false
        let clauses: @Sendable () -> Scope
    }

    static let results = [
        Result(testDescription: "whole items") { Scope() },
        Result(testDescription: "merged items") { Self.scope { WriteResult(.merged) } },
        Result(testDescription: "sent items") { Self.scope { WriteResult(.sent) } },
        Result(testDescription: "items with problems", hasProblems: true) {
            Self.scope { WriteResult.ItemProblem(Problem.self, at: "error") }
        },
        Result(testDescription: "merged items with problems", hasProblems: true) {
            Self.scope {
                WriteResult(.merged)
                WriteResult.ItemProblem(Problem.self, at: "error")
            }
        },
    ]

    private static func scope(@Scope.Builder _ clauses: () -> Scope) -> Scope { clauses() }

    private static func messages(_ body: String, _ result: Result) -> Resource<Message, Bulk> {
        let stub = StubTransport(["POST messages": .json(body, status: 201), "PATCH messages": .json(body)])
        return Shop(stub).resource("messages") { result.clauses() }
    }

    @Test(
        "A response with a different item count reports how many items were sent and returned",
        arguments: operations,
        results
    )
    func otherCount(operation: Operation, result: Result) async throws {
        let item = #"{"id":1,"text":"a"}"#
        for count in [0, 1, 3] {
            let body = "[\(Array(repeating: item, count: count).joined(separator: ","))]"
            let messages = Self.messages(body, result)
            let error = await failure { try await operation.send(messages) }
            if operation.ignoresItems, !result.hasProblems {
                // The response is ignored.
                #expect(error == nil)
                continue
            }
            let text = error?.description ?? ""
            #expect(text.contains("but not an item for each one sent"), "\(text)")
            #expect(text.contains("2 sent, \(count) returned"), "\(text)")
            #expect(text.contains("returning(Void.self)"))
        }
    }

    @Test("A missing item is not reported as an item with missing members", arguments: operations.prefix(4))
    func missingItem(operation: Operation) async throws {
        let messages = Self.messages(#"[{"id":1}]"#, Self.results[1])
        let error = await failure { try await operation.send(messages) }
        #expect(error?.description.contains("2 sent, 1 returned") == true)
        #expect(error?.description.contains("missing") == false)
    }

    @Test("A response with one item for each sent item succeeds", arguments: operations, results)
    func sameCount(operation: Operation, result: Result) async throws {
        let messages = Self.messages(#"[{"id":1,"text":"a"},{"id":2,"text":"b"}]"#, result)
        #expect(try await operation.send(messages) == 2)
    }

    @Test("Items dropped as invalid still count as returned")
    func droppedItems() async throws {
        let messages = Self.messages(
            #"[{"id":1,"text":"a"},{"id":"x"}]"#,
            Result(testDescription: "") { Self.scope { DropInvalidItems() } }
        )
        #expect(try await messages.create([.init(text: "a"), .init(text: "b")]).map(\.id) == [1])
    }

    @Test("A problem in a response with the wrong item count is not attributed to an item")
    func misplacedProblem() async throws {
        let messages = Self.messages(#"[{"error":{"reason":"long"}}]"#, Self.results[3])
        for operation in Self.operations {
            let error = await failure { try await operation.send(messages) }
            guard case .decoding = error else {
                Issue.record("expected a decoding failure, got \(String(describing: error))")
                continue
            }
            #expect(error?.description.contains("2 sent, 1 returned") == true)
        }
    }
}
