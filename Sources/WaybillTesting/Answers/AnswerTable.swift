import Foundation
import Waybill

/// The keys of ``Answers``, parsed and in the order in which they are tried.
struct AnswerTable: Sendable {
    /// One parsed key and what answers it.
    struct Row: Sendable {
        let method: String
        let template: String
        let pattern: PathPattern
        let responder: Responder
        /// What tells the row from others, for counting through its sequence.
        let number: Int
    }

    /// What a request was found to match.
    struct Match: Sendable {
        let row: Row
        let values: [String]
    }

    /// What is wrong with the keys; empty for a good table.
    private(set) var problems: [String] = []

    let keys: [String]
    let fallback: Responder?

    private var rows: [String: [Row]] = [:]

    init(_ answers: Answers) {
        keys = answers.entries.map(\.key)
        fallback = answers.fallback
        for (number, entry) in answers.entries.enumerated() {
            do {
                let row = try Self.parse(entry.key, entry.responder, number: number)
                if let twin = rows[row.method]?.first(where: { $0.pattern == row.pattern }) {
                    problems.append(
                        "\(Self.quoted(entry.key)) has two answers: it means the same as "
                            + "\(Self.quoted(keys[twin.number])); for successive answers write .sequence([…])"
                    )
                }
                rows[row.method, default: []].append(row)
            } catch {
                problems.append("\(Self.quoted(entry.key)) is no key for an answer: \(error.reason)")
            }
            if case .sequence(let answers) = entry.responder.source, answers.isEmpty {
                problems.append("\(Self.quoted(entry.key)) has a sequence without answers: it needs at least one")
            }
        }
        if case .sequence(let answers) = fallback?.source, answers.isEmpty {
            problems.append("what answers otherwise is a sequence without answers: it needs at least one")
        }
        rows = rows.mapValues { $0.sorted { $0.pattern.precedes($1.pattern) } }
    }

    /// Finds the row that answers a path; O(n) in the keys of the method.
    func match(method: HTTPRequest.Method, path: some StringProtocol) -> Match? {
        let segments = PathPattern.segments(of: path)
        if let match = firstMatch(rows[method.rawValue], segments) { return match }
        return method == .head ? firstMatch(rows[HTTPRequest.Method.get.rawValue], segments) : nil
    }

    /// The text for a request that no key matches.
    func unansweredText(method: HTTPRequest.Method, path: String) -> String {
        let relative = path.hasPrefix("/") && path.count > 1 ? String(path.dropFirst()) : path
        var lines = ["No answer for \(method) \(relative)."]
        let segments = PathPattern.segments(of: path)
        let others = rows.filter { firstMatch($0.value, segments) != nil }.keys.sorted()
        if !others.isEmpty { lines[0] += " That path has answers for \(others.joined(separator: ", "))." }
        if keys.isEmpty {
            lines.append("The table has no keys.")
        } else {
            lines.append("The table has these keys:")
            lines += keys.sorted().map { "  " + $0 }
        }
        return lines.joined(separator: "\n")
    }

    private func firstMatch(_ rows: [Row]?, _ segments: [String]) -> Match? {
        for row in rows ?? [] {
            if let values = row.pattern.values(in: segments) { return Match(row: row, values: values) }
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
