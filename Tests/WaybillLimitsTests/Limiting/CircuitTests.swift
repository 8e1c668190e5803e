import CallSupport
import Foundation
import Testing
@testable import WaybillLimits

@testable import Waybill

@Suite("Circuit: states")
struct CircuitTests {
    enum Step: Sendable {
        /// A call starts at a second, and is admitted or not.
        case comes(String, at: Int, Admission)
        /// An admitted call ends.
        case ends(String, End, at: Int)
    }

    enum Admission: Sendable, Equatable { case passes, open, halfOpen }

    enum End: Sendable { case well, badly, otherwise }

    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let steps: [Step]

        init(_ name: String, _ steps: [Step]...) {
            testDescription = name
            self.steps = Array(steps.joined())
        }
    }

    @Test("A circuit with three failures and ten seconds makes the expected transitions", arguments: rows)
    func steps(_ row: Row) throws {
        var circuit = Circuit(CircuitBreaker(failures: 3, for: .seconds(10)))
        var permits: [String: Circuit.Permit] = [:]
        for (number, step) in row.steps.enumerated() {
            switch step {
            case .comes(let name, let second, let expected):
                switch circuit.admit(now: .seconds(second)) {
                case .success(let permit):
                    #expect(expected == .passes, "step \(number)")
                    permits[name] = permit
                case .failure(let rejection):
                    #expect(expected == (rejection.isHalfOpen ? .halfOpen : .open), "step \(number)")
                }
            case .ends(let name, let end, let second):
                let permit = try #require(permits[name], "step \(number)")
                let outcome: Circuit.Outcome =
                    switch end {
                    case .well: .success
                    case .badly: .failure(Self.cause(name))
                    case .otherwise: .nothing
                    }
                circuit.end(permit, outcome, now: .seconds(second), date: Date(timeIntervalSince1970: Double(second)))
            }
        }
    }

    private static func cause(_ name: String) -> APIError {
        .transport(
            APIError.TransportFailure(
                call: APIError.FailedCall(method: .get, template: name),
                error: TransportError(.connectionLost)
            )
        )
    }

    /// Returns the steps of calls that start at a second, are admitted, and fail.
    private static func failing(_ names: String..., at second: Int) -> [Step] {
        names.map { .comes($0, at: second, .passes) } + names.map { .ends($0, .badly, at: second) }
    }

    static let rows = [
        Row(
            "closed: failures in a row open it",
            failing("a", at: 0),
            failing("b", at: 1),
            failing("c", at: 2),
            [.comes("d", at: 3, .open)]
        ),
        Row(
            "closed: a success ends the row",
            failing("a", "b", at: 0),
            [.comes("c", at: 0, .passes), .ends("c", .well, at: 0)],
            failing("d", "e", at: 0),
            failing("f", at: 0),
            [.comes("g", at: 0, .open)]
        ),
        Row(
            "closed: what says nothing neither counts nor ends the row",
            failing("a", "b", at: 0),
            [.comes("c", at: 0, .passes), .ends("c", .otherwise, at: 0)],
            failing("d", at: 0),
            [.comes("e", at: 0, .open)]
        ),
        Row(
            "open: until the time is over, then it is half-open for one call",
            [.comes("a", at: 0, .passes), .comes("b", at: 0, .passes), .comes("c", at: 0, .passes)],
            [.ends("a", .badly, at: 1), .ends("b", .badly, at: 2), .ends("c", .badly, at: 3)],
            [.comes("d", at: 12, .open), .comes("e", at: 13, .passes)],
            [.comes("f", at: 13, .halfOpen), .comes("g", at: 99, .halfOpen)]
        ),
        Row(
            "open: what was sent before says nothing any more",
            [.comes("late", at: 0, .passes), .comes("later", at: 0, .passes)],
            failing("a", "b", "c", at: 0),
            [.ends("late", .well, at: 5), .comes("d", at: 5, .open)],
            [.ends("later", .badly, at: 9), .comes("e", at: 10, .passes)]
        ),
        Row(
            "half-open: a success closes it, and the count of failures begins anew",
            [.comes("late", at: 0, .passes)],
            failing("a", "b", "c", at: 0),
            [.comes("d", at: 10, .passes), .ends("d", .well, at: 11)],
            failing("e", at: 11),
            failing("f", at: 11),
            [.ends("late", .badly, at: 11)],
            failing("g", at: 11),
            [.comes("h", at: 11, .open)]
        ),
        Row(
            "half-open: a failure opens it for the same time again",
            failing("a", "b", "c", at: 0),
            [.comes("d", at: 10, .passes), .ends("d", .badly, at: 15)],
            [.comes("e", at: 24, .open), .comes("f", at: 25, .passes)]
        ),
        Row(
            "half-open: a call without a verdict lets the next one through",
            failing("a", "b", "c", at: 0),
            [.comes("d", at: 10, .passes), .comes("e", at: 10, .halfOpen), .ends("d", .otherwise, at: 10)],
            [.comes("f", at: 10, .passes), .comes("g", at: 10, .halfOpen), .ends("f", .well, at: 10)],
            [.comes("h", at: 10, .passes)]
        ),
        Row(
            "half-open: calls that were sent before do not count",
            [.comes("late", at: 0, .passes)],
            failing("a", "b", "c", at: 0),
            [.comes("d", at: 10, .passes), .ends("late", .well, at: 10), .comes("e", at: 10, .halfOpen)],
            [.ends("d", .badly, at: 10), .comes("f", at: 10, .open)]
        ),
    ]
}
