import Foundation
import Waybill

/// A lookup table for ``StubResponses``, with parsed keys.
struct ResponseTable: Sendable {
    /// A parsed key and its responder.
    struct Row: Sendable {
        let method: String
        let template: String
        let pattern: PathPattern
        let responder: Responder
        /// The index of the entry in the table, which identifies its sequence.
        let number: Int
    }

    /// The problems with the table; empty if it is valid.
    private(set) var problems: [String] = []

    let keys: [String]
    let fallback: Responder?

    private var rows: [String: [Row]] = [:]

    init(_ responses: StubResponses) {
        keys = responses.entries.map(\.key)
        fallback = responses.fallback
        for (number, entry) in responses.entries.enumerated() {
            do {
                let row = try Self.parse(entry.key, entry.responder, number: number)
                if let twin = rows[row.method]?.first(where: { $0.pattern == row.pattern }) {
                    problems.append(
                        "\(Self.quoted(entry.key)) has two responses: it is equivalent to "
                            + "\(Self.quoted(keys[twin.number])); for successive responses write .sequence([…])"
                    )
                }
                rows[row.method, default: []].append(row)
            } catch {
                problems.append("\(Self.quoted(entry.key)) is not a valid key for a response: \(error.reason)")
            }
            if case .sequence(let responses) = entry.responder.source, responses.isEmpty {
                problems.append("\(Self.quoted(entry.key)) has a sequence without responses: it needs at least one")
            }
        }
        if case .sequence(let responses) = fallback?.source, responses.isEmpty {
            problems.append("the responder for other requests is a sequence without responses: it needs at least one")
        }
        rows = rows.mapValues { $0.sorted { $0.pattern.precedes($1.pattern) } }
    }

    /// Returns the row that best matches a method and a path, and the path's values; `HEAD` falls back to `GET`.
    ///
    /// The time is linear in the number of the method's keys.
    func match(method: HTTPRequest.Method, path: some StringProtocol) -> (row: Row, values: [String])? {
        let segments = PathPattern.segments(of: path)
        if let match = firstMatch(rows[method.rawValue], segments) { return match }
        return method == .head ? firstMatch(rows[HTTPRequest.Method.get.rawValue], segments) : nil
    }

    /// Returns the error text for a request that no key matches.
    func noResponseText(method: HTTPRequest.Method, path: String) -> String {
        let relative = path.hasPrefix("/") && path.count > 1 ? String(path.dropFirst()) : path
        var lines = ["No response for \(method) \(relative)."]
        let others = methods(for: path)
        if !others.isEmpty { lines[0] += " That path has responses for \(others.joined(separator: ", "))." }
        if keys.isEmpty {
            lines.append("The table has no keys.")
        } else {
            lines.append("The table has these keys:")
            lines += keys.sorted().map { "  " + $0 }
        }
        return lines.joined(separator: "\n")
    }

    /// Returns the methods with a response for the given path, sorted.
    func methods(for path: some StringProtocol) -> [String] {
        let segments = PathPattern.segments(of: path)
        return rows.filter { firstMatch($0.value, segments) != nil }.keys.sorted()
    }

    private func firstMatch(_ rows: [Row]?, _ segments: [String]) -> (row: Row, values: [String])? {
        for row in rows ?? [] {
            if let values = row.pattern.values(in: segments) { return (row, values) }
        }
        return nil
    }

    private static func parse(
        _ key: String,
        _ responder: Responder,
        number: Int
    ) throws(PathPattern.Malformed) -> Row {
        let parts = key.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let method = HTTPRequest.Method(String(parts[0])), !parts[1].isEmpty else {
            throw PathPattern.Malformed(
                reason: "it must be a method, a space and a template, as in \"GET products/{}\", or \"GET /\""
            )
        }
        let template = parts[1].hasPrefix("/") ? parts[1].dropFirst() : parts[1]
        return Row(
            method: method.rawValue,
            template: String(template),
            pattern: try PathPattern(template),
            responder: responder,
            number: number
        )
    }

    private static func quoted(_ key: String) -> String { key.debugDescription }
}

/// A handler that looks up responses in a table of ``StubResponses`` and tracks the positions in its sequences.
struct RequestHandler: Sendable {
    /// The result of looking up a request by its method and path.
    struct Assignment: Sendable {
        let template: String?
        let pathValues: [String]
        let plan: Plan
    }

    /// A response, or the closure that creates it.
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

    /// Whether the table has a response for a method and a path.
    func hasResponse(method: HTTPRequest.Method, path: String) -> Bool {
        table.match(method: method, path: path) != nil
    }

    /// Assigns the next response to a request with a method and a path, and advances the key's sequence.
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
