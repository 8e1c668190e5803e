import Foundation
import Waybill

/// The handler that responds to requests by a table of ``StubResponses``, and keeps the positions of its sequences.
struct RequestHandler: Sendable {
    /// The responder for a request, found before its body is needed.
    struct Assignment: Sendable {
        let template: String?
        let pathValues: [String]
        let plan: Plan
    }

    /// A response, or the closure that makes it.
    enum Plan: Sendable {
        case response(StubResponse)
        case closure(@Sendable (ReceivedRequest) async throws -> StubResponse)
    }

    private let table: ResponseTable
    private let complaint: StubResponse?
    private let counts = Monitor<[Int: Int]>([:])

    init(_ responses: StubResponses) {
        table = ResponseTable(responses)
        complaint = table.problems.isEmpty ? nil : .misuse(table.problems.joined(separator: "\n"))
    }

    /// Returns the next response for a method and a path, and advances the key's sequence.
    func assign(method: HTTPRequest.Method, path: String) -> Assignment {
        if let complaint { return Assignment(template: nil, pathValues: [], plan: .response(complaint)) }
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
                .response(.misuse(table.noResponseText(method: method, path: path)))
            }
        return Assignment(template: nil, pathValues: [], plan: plan)
    }

    private func plan(of responder: Responder, number: Int) -> Plan {
        switch responder.source {
        case .fixed(let response): return .response(response)
        case .closure(let closure): return .closure(closure)
        case .sequence(let responses):
            let turn = counts.update { counts in
                defer { counts[number, default: 0] += 1 }
                return counts[number, default: 0]
            }
            let last = responses.count - 1
            return .response(last < 0 ? .misuse("The sequence has no responses.") : responses[min(turn, last)])
        }
    }
}
