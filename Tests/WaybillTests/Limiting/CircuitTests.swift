import Foundation
import Testing

@testable import Waybill

@Suite("Circuit: what each state makes of each end")
struct CircuitTests {
    enum Step: Sendable {
        /// A call comes at a second, and is let through or not.
        case comes(String, at: Int, Answer)
        /// A call that was let through ends.
        case ends(String, End, at: Int)
    }

    enum Answer: Sendable, Equatable { case passes, open, onTrial }

    enum End: Sendable { case well, badly, otherwise }

    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let steps: [Step]

        init(_ name: String, _ steps: [Step]...) {
            testDescription = name
            self.steps = Array(steps.joined())
        }
    }

    @Test("Three failures open it for ten seconds", arguments: rows)
    func steps(_ row: Row) throws {
        var circuit = Circuit(CircuitBreaker(failures: 3, for: .seconds(10)))
        var passes: [String: Circuit.Pass] = [:]
        for (number, step) in row.steps.enumerated() {
            switch step {
            case .comes(let name, let second, let expected):
                switch circuit.admit(now: .seconds(second)) {
                case .success(let pass):
                    #expect(expected == .passes, "step \(number)")
                    passes[name] = pass
                case .failure(let refusal):
                    #expect(expected == (refusal.isOnTrial ? .onTrial : .open), "step \(number)")
                }
            case .ends(let name, let end, let second):
                let pass = try #require(passes[name], "step \(number)")
                let outcome: Circuit.Outcome =
                    switch end {
                    case .well: .success
                    case .badly: .failure(Self.cause(name))
                    case .otherwise: .nothing
                    }
                circuit.end(pass, outcome, now: .seconds(second), date: Date(timeIntervalSince1970: Double(second)))
            }
        }
    }

    private static func cause(_ name: String) -> APIError {
        .transport(
            TransportFailure(call: FailedCall(method: .get, template: name), error: TransportError(.connectionLost))
        )
    }

    /// Calls that come at a second and are let through, and then fail.
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
            "open: until the time is over, then one is on trial",
            [.comes("a", at: 0, .passes), .comes("b", at: 0, .passes), .comes("c", at: 0, .passes)],
            [.ends("a", .badly, at: 1), .ends("b", .badly, at: 2), .ends("c", .badly, at: 3)],
            [.comes("d", at: 12, .open), .comes("e", at: 13, .passes)],
            [.comes("f", at: 13, .onTrial), .comes("g", at: 99, .onTrial)]
        ),
        Row(
            "open: what was sent before says nothing any more",
            [.comes("late", at: 0, .passes), .comes("later", at: 0, .passes)],
            failing("a", "b", "c", at: 0),
            [.ends("late", .well, at: 5), .comes("d", at: 5, .open)],
            [.ends("later", .badly, at: 9), .comes("e", at: 10, .passes)]
        ),
        Row(
            "on trial: a success closes it, and the row begins anew",
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
            "on trial: a failure opens it for the same time again",
            failing("a", "b", "c", at: 0),
            [.comes("d", at: 10, .passes), .ends("d", .badly, at: 15)],
            [.comes("e", at: 24, .open), .comes("f", at: 25, .passes)]
        ),
        Row(
            "on trial: one that says nothing makes way for the next",
            failing("a", "b", "c", at: 0),
            [.comes("d", at: 10, .passes), .comes("e", at: 10, .onTrial), .ends("d", .otherwise, at: 10)],
            [.comes("f", at: 10, .passes), .comes("g", at: 10, .onTrial), .ends("f", .well, at: 10)],
            [.comes("h", at: 10, .passes)]
        ),
        Row(
            "on trial: what was sent before says nothing",
            [.comes("late", at: 0, .passes)],
            failing("a", "b", "c", at: 0),
            [.comes("d", at: 10, .passes), .ends("late", .well, at: 10), .comes("e", at: 10, .onTrial)],
            [.ends("d", .badly, at: 10), .comes("f", at: 10, .open)]
        ),
    ]
}
