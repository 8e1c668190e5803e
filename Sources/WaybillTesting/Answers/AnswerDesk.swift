import Foundation
import Waybill

/// Answers requests from a table, and counts through its sequences: the running half of ``Answers``.
struct AnswerDesk: Sendable {
    /// What the table says about a request, found before its body is needed.
    struct Assignment: Sendable {
        let template: String?
        let pathValues: [String]
        let plan: Plan
    }

    /// An answer, or the closure that makes it.
    enum Plan: Sendable {
        case answer(Answer)
        case closure(@Sendable (ReceivedRequest) async throws -> Answer)
    }

    private let table: AnswerTable
    private let complaint: Answer?
    private let counts = Monitor<[Int: Int]>([:])

    init(_ answers: Answers) {
        table = AnswerTable(answers)
        complaint = table.problems.isEmpty ? nil : .misuse(table.problems.joined(separator: "\n"))
    }

    /// Takes the next answer for a method and a path.
    func assign(method: HTTPRequest.Method, path: String) -> Assignment {
        if let complaint { return Assignment(template: nil, pathValues: [], plan: .answer(complaint)) }
        if let match = table.match(method: method, path: path) {
            return Assignment(
                template: match.row.template,
                pathValues: match.values,
                plan: plan(of: match.row.responder, number: match.row.number)
            )
        }
        let plan: Plan =
            if let fallback = table.fallback {
                self.plan(of: fallback, number: -1)
            } else {
                .answer(.misuse(table.unansweredText(method: method, path: path)))
            }
        return Assignment(template: nil, pathValues: [], plan: plan)
    }

    private func plan(of responder: Responder, number: Int) -> Plan {
        switch responder.source {
        case .fixed(let answer): return .answer(answer)
        case .closure(let closure): return .closure(closure)
        case .sequence(let answers):
            let turn = counts.update { counts in
                defer { counts[number, default: 0] += 1 }
                return counts[number, default: 0]
            }
            let last = answers.count - 1
            return .answer(last < 0 ? .misuse("The sequence has no answers.") : answers[min(turn, last)])
        }
    }
}
