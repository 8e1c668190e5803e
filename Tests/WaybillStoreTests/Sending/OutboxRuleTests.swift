import Foundation
import Testing
import Waybill

@testable import WaybillStore

@Suite("Rules of the outbox")
struct OutboxRuleTests {
    private static func write(
        _ operation: OutboxWrite.Operation,
        _ content: JSONValue,
        _ state: OutboxWrite.State = .waiting,
        attempts: Int = 0
    ) -> OutboxWrite {
        var write = OutboxWrite(collection: 1, row: 1, operation: operation, content: content, key: "k")
        write.state = state
        write.attempts = attempts
        return write
    }

    /// Two writes of one item, and what becomes of them.
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

    @Test("Two writes of an item become one as long as the first had no effect", arguments: pairs)
    func coalescing(_ pair: Pair) {
        let content: JSONValue = pair.second == .delete ? .null : Self.change
        let states: (JSONValue?, JSONValue?) = (Self.before, Self.after)
        let first = Self.write(pair.first, ["name": "Rug"])
        #expect(Coalescing(first, pair.second, content, states: states) == pair.expected)
        for (state, attempts) in [(OutboxWrite.State.sending, 1), (.unknown, 1), (.conflict, 1), (.waiting, 1)] {
            let sent = Self.write(pair.first, ["name": "Rug"], state, attempts: attempts)
            #expect(Coalescing(sent, pair.second, content, states: states) == .separate)
        }
    }

    @Test("A change that is taken back is nothing")
    func nothing() {
        let first = Self.write(.patch, ["name": "Rug"])
        #expect(Coalescing(first, .patch, ["name": "Lamp"], states: (Self.before, Self.before)) == .nothing)
    }

    /// An entry of the order, by the letters of its test.
    private func pending(
        _ number: Int64,
        row: Int64,
        _ path: String,
        _ operation: OutboxWrite.Operation = .patch,
        state: OutboxWrite.State = .waiting,
        references: Set<String> = [],
        notBefore: Date? = nil,
        isDelayedByServer: Bool = false
    ) -> SendingOrder.Entry {
        let segments = path.split(separator: "/").map(String.init)
        return SendingOrder.Entry(
            number: number,
            row: row,
            operation: operation,
            state: state,
            notBefore: notBefore,
            isDelayedByServer: isDelayedByServer,
            url: segments.dropLast().joined(separator: "/"),
            id: segments.last ?? "",
            references: references
        )
    }

    @Test("Writes of one item follow each other, and others do not wait for one that is parked")
    func items() {
        let order = SendingOrder(entries: [
            pending(1, row: 1, "products/1", state: .parked), pending(2, row: 1, "products/1"),
            pending(3, row: 2, "products/2"),
        ])
        #expect(order.ready(at: Date()) == [3])
    }

    @Test("A parent is created before what is below it, and deleted after it")
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

    @Test("Time holds a write back, unless a synchronization is asked for and the server has not set the time")
    func time() {
        let now = Date(timeIntervalSince1970: 1_000)
        let order = SendingOrder(entries: [
            pending(1, row: 1, "a/1", notBefore: now + 10),
            pending(2, row: 2, "a/2", notBefore: now + 5, isDelayedByServer: true),
            pending(3, row: 3, "a/3", notBefore: now),
        ])
        #expect(order.ready(at: now) == [3])
        #expect(order.ready(at: now, isUrgent: true) == [1, 3])
        #expect(order.nextDate(after: now) == now + 5)
    }

    /// A failure, and what becomes of the write.
    struct Failure: Sendable, CustomTestStringConvertible {
        let error: APIError
        var operation = OutboxWrite.Operation.patch
        var isRepeatable = true
        let expected: SendingOutcome

        var testDescription: String { "\(operation), \(error.summary), \(isRepeatable)" }

        static func status(
            _ code: Int,
            of operation: OutboxWrite.Operation = .patch,
            isRepeatable: Bool = true,
            retryAfter: String? = nil,
            _ expected: SendingOutcome
        ) -> Failure {
            let fields = retryAfter.map { [HTTPField(name: .retryAfter, value: $0)] } ?? []
            return Failure(
                error: .status(.init(call: call, status: .init(code: code), headerFields: HTTPFields(fields))),
                operation: operation,
                isRepeatable: isRepeatable,
                expected: expected
            )
        }

        static let call = APIError.FailedCall(method: .patch, template: "products/{}")

        static func transport(
            _ kind: TransportError.Kind,
            isRepeatable: Bool,
            _ expected: SendingOutcome
        ) -> Failure {
            Failure(
                error: .transport(.init(call: call, error: TransportError(kind))),
                isRepeatable: isRepeatable,
                expected: expected
            )
        }
    }

    static let failures: [Failure] = [
        .status(400, .parked), .status(403, .parked), .status(422, .parked), .status(413, .parked),
        .status(401, .signedOut), .status(409, .conflict), .status(412, .conflict), .status(428, .conflict),
        .status(409, of: .create, .parked), .status(404, .conflict), .status(404, of: .create, .parked),
        .status(404, of: .delete, .gone), .status(410, of: .delete, .gone),
        .status(408, isRepeatable: false, .wait(nil)), .status(425, isRepeatable: false, .wait(nil)),
        .status(429, isRepeatable: false, retryAfter: "7", .wait(.seconds(7))),
        .status(503, isRepeatable: false, retryAfter: "7", .wait(.seconds(7))),
        .status(500, .wait(nil)), .status(502, isRepeatable: false, .unknown), .status(501, .parked),
        .transport(.cannotConnect, isRepeatable: false, .wait(nil)),
        .transport(.connectionLost, isRepeatable: false, .unknown),
        .transport(.connectionLost, isRepeatable: true, .wait(nil)),
        .init(
            error: .timeout(.init(call: Failure.call, limit: .seconds(1))),
            isRepeatable: false,
            expected: .unknown
        ),
        .init(error: .middleware(.init(call: Failure.call, underlying: CancellationError())), expected: .parked),
        .init(error: .authorization(.init(call: Failure.call, underlying: CancellationError())), expected: .signedOut),
        .init(
            error: .authorization(
                .init(
                    call: Failure.call,
                    underlying: APIError.transport(.init(call: Failure.call, error: TransportError(.cannotConnect)))
                )
            ),
            expected: .wait(nil)
        ),
    ]

    @Test("A failure lets a write wait, park, meet the server's version, or stay unknown", arguments: failures)
    func outcome(_ row: Failure) {
        let outcome = SendingOutcome(
            row.error,
            of: row.operation,
            isRepeatable: row.isRepeatable,
            now: Date(timeIntervalSince1970: 0)
        )
        #expect(outcome == row.expected)
    }
}
