import Foundation
import Testing
import Waybill

@testable import WaybillStore

@Suite("Outbox rules")
struct OutboxRuleTests {
    private static func write(
        _ operation: OutboxWrite.Operation,
        _ content: JSONValue,
        _ state: DeliveryState = DeliveryState(phase: .waiting)
    ) -> OutboxWrite {
        var write = OutboxWrite(collection: 1, row: 1, operation: operation, content: content)
        (write.phase, write.isPossiblyApplied) = (state.phase, state.isPossiblyApplied)
        return write
    }

    /// Two writes of one item, and the expected result of combining them.
    struct Pair: Sendable, CustomTestStringConvertible {
        let first: OutboxWrite.Operation
        let second: OutboxWrite.Operation
        let expected: Coalescing

        var testDescription: String { "\(first), then \(second)" }
    }

    private static let before: JSONValue = ["id": 1, "name": "Lamp", "meta": ["a": 1]]
    private static let after: JSONValue = ["id": 1, "name": "Rug", "meta": ["b": 2]]
    private static let change: JSONValue = ["meta": ["b": 2]]
    private static let difference: JSONValue = ["name": "Rug", "meta": ["a": nil, "b": 2]]

    static let pairs: [Pair] = [
        .init(first: .create, second: .patch, expected: .merged(.create, ["name": "Rug", "meta": ["b": 2]])),
        .init(first: .create, second: .update, expected: .merged(.create, ["name": "Rug", "meta": ["b": 2]])),
        .init(first: .create, second: .delete, expected: .nothing),
        .init(first: .patch, second: .patch, expected: .merged(.patch, difference)),
        .init(first: .patch, second: .update, expected: .merged(.update, difference)),
        .init(first: .update, second: .patch, expected: .merged(.update, difference)),
        .init(first: .patch, second: .replace, expected: .merged(.replace, change)),
        .init(first: .replace, second: .patch, expected: .merged(.replace, ["name": "Rug", "meta": ["b": 2]])),
        .init(first: .patch, second: .delete, expected: .merged(.delete, .null)),
        .init(first: .delete, second: .create, expected: .separate),
    ]

    @Test("Two writes of an item are combined if the first cannot have been applied", arguments: pairs)
    func coalescing(_ pair: Pair) {
        let content: JSONValue = pair.second == .delete ? .null : Self.change
        let states: (JSONValue?, JSONValue?) = (Self.before, Self.after)
        let first = Self.write(pair.first, ["name": "Rug"])
        #expect(Coalescing(first, pair.second, content, states: states) == pair.expected)
        let unchangeable: [DeliveryState] = [
            .init(phase: .sending), .init(phase: .conflict), .init(phase: .unknown, isPossiblyApplied: true),
            .init(phase: .waiting, isPossiblyApplied: true),
        ]
        for state in unchangeable {
            let sent = Self.write(pair.first, ["name": "Rug"], state)
            #expect(Coalescing(sent, pair.second, content, states: states) == .separate)
        }
    }

    @Test("A reverted change leaves nothing to send")
    func nothing() {
        let first = Self.write(.patch, ["name": "Rug"])
        #expect(Coalescing(first, .patch, ["name": "Lamp"], states: (Self.before, Self.before)) == .nothing)
    }

    /// Returns an entry whose URL and ID come from a path.
    private func pending(
        _ number: Int64,
        row: Int64,
        _ path: String,
        _ operation: OutboxWrite.Operation = .patch,
        phase: DeliveryState.Phase = .waiting,
        references: Set<String> = [],
        notBefore: Date? = nil,
        isDelayedByServer: Bool = false
    ) -> SendingOrder.Entry {
        let segments = path.split(separator: "/").map(String.init)
        return SendingOrder.Entry(
            number: number,
            row: row,
            operation: operation,
            phase: phase,
            notBefore: notBefore,
            isDelayedByServer: isDelayedByServer,
            url: segments.dropLast().joined(separator: "/"),
            id: segments.last ?? "",
            references: references
        )
    }

    @Test("Writes of one item are sent in order, and a parked write does not block other items")
    func items() {
        let order = SendingOrder(entries: [
            pending(1, row: 1, "products/1", phase: .parked), pending(2, row: 1, "products/1"),
            pending(3, row: 2, "products/2"),
        ])
        #expect(order.ready(at: Date()) == [3])
    }

    @Test("A parent is created before its children and deleted after them")
    func parents() {
        let created = SendingOrder(entries: [
            pending(1, row: 1, "products/a", .create), pending(2, row: 2, "products/a/reviews/b", .create),
            pending(3, row: 3, "products/c/reviews/d", .create),
        ])
        #expect(created.ready(at: Date()) == [1, 3])
        let deleted = SendingOrder(entries: [
            pending(1, row: 2, "products/a/reviews/b", .patch), pending(2, row: 1, "products/a", .delete),
            pending(3, row: 4, "products/e", .delete),
        ])
        #expect(deleted.ready(at: Date()) == [1, 3])
    }

    @Test("A write that refers to a temporary id waits for it")
    func references() {
        let order = SendingOrder(entries: [pending(1, row: 1, "products/1", references: ["temporary-1"])])
        #expect(order.ready(at: Date()) == [])
    }

    @Test("A delayed write waits, but a synchronization ignores delays not set by the server")
    func time() {
        let now = Date(timeIntervalSince1970: 1_000)
        let order = SendingOrder(entries: [
            pending(1, row: 1, "a/1", notBefore: now + 10),
            pending(2, row: 2, "a/2", notBefore: now + 5, isDelayedByServer: true),
            pending(3, row: 3, "a/3", notBefore: now),
        ])
        #expect(order.ready(at: now) == [3])
        #expect(order.ready(at: now, ignoringBackoff: true) == [1, 3])
        #expect(order.nextDate(after: now) == now + 5)
    }

    /// A failure and its expected classification.
    struct Failure: Sendable, CustomTestStringConvertible {
        let error: APIError
        var operation = OutboxWrite.Operation.patch
        let expected: OutboxReply

        var testDescription: String { "\(operation), \(error.summary)" }

        static func status(
            _ code: Int,
            of operation: OutboxWrite.Operation = .patch,
            retryAfter: String? = nil,
            _ kind: DeliveryState.Reply,
            retryDelay: Duration? = nil
        ) -> Failure {
            let fields = retryAfter.map { [HTTPField(name: .retryAfter, value: $0)] } ?? []
            return Failure(
                error: .status(.init(call: call, status: .init(code: code), headerFields: HTTPFields(fields))),
                operation: operation,
                expected: OutboxReply(kind, retryDelay: retryDelay)
            )
        }

        static let call = APIError.FailedCall(method: .patch, template: "products/{}")

        static func transport(_ kind: TransportError.Kind, _ expected: DeliveryState.Reply) -> Failure {
            Failure(error: .transport(.init(call: call, error: TransportError(kind))), expected: OutboxReply(expected))
        }
    }

    static let failures: [Failure] = [
        .status(400, .rejected), .status(403, .rejected), .status(422, .rejected), .status(413, .rejected),
        .status(401, .unauthorized), .status(409, .conflicting), .status(409, of: .create, .conflicting),
        .status(412, .stale), .status(428, .stale), .status(404, .stale), .status(404, of: .create, .rejected),
        .status(412, of: .create, .rejected), .status(404, of: .delete, .gone), .status(410, of: .delete, .gone),
        .status(408, .later), .status(425, .later), .status(507, .later),
        .status(429, retryAfter: "7", .later, retryDelay: .seconds(7)),
        .status(503, retryAfter: "7", .later, retryDelay: .seconds(7)),
        .status(500, .failed), .status(502, .failed), .status(504, .failed), .status(501, .rejected),
        .transport(.cannotConnect, .notSent), .transport(.connectionLost, .lost),
        .init(error: .timeout(.init(call: Failure.call, limit: .seconds(1))), expected: OutboxReply(.lost)),
        .init(
            error: .middleware(.init(call: Failure.call, underlying: CancellationError())),
            expected: OutboxReply(.rejected)
        ),
        .init(
            error: .authorization(.init(call: Failure.call, underlying: CancellationError())),
            expected: OutboxReply(.unauthorized)
        ),
        .init(
            error: .authorization(
                .init(
                    call: Failure.call,
                    underlying: APIError.transport(.init(call: Failure.call, error: TransportError(.cannotConnect)))
                )
            ),
            expected: OutboxReply(.notSent)
        ),
    ]

    @Test("A failure is classified by what it reveals about the request", arguments: failures)
    func reply(_ row: Failure) {
        #expect(OutboxReply(row.error, of: row.operation, now: Date(timeIntervalSince1970: 0)) == row.expected)
    }
}
