/// Findings in the order of what they break, in which a difference that several calls have is one finding.
struct FindingList {
    /// The part of a call that a finding is about, those that break it first in front.
    enum Subject: Int {
        case path, method, parameter, body, status, mediaType, response, problem
    }

    /// The identity of a difference that several calls may have.
    struct Key: Hashable {
        let severity: Finding.Severity
        let place: String
        let clause: String
        let reason: String
        let advice: String
    }

    private struct Entry {
        let key: Key
        let subject: Subject
        let clause: String
        let place: String
        var calls: [String]

        var finding: Finding {
            Finding(
                severity: key.severity,
                calls: calls,
                clause: clause,
                place: place,
                reason: key.reason,
                advice: key.advice
            )
        }
    }

    private var entries: [Entry] = []
    private var indices: [Key: Int] = [:]

    /// Adds a finding of a call.
    ///
    /// - Parameters:
    ///   - key: the identity of the difference.
    ///   - subject: the part of the call.
    ///   - call: the call.
    ///   - clause: the clause of this call.
    ///   - place: the place of this call in the document.
    mutating func add(_ key: Key, _ subject: Subject, of call: String, clause: String, place: String) {
        if let index = indices[key] {
            if !entries[index].calls.contains(call) { entries[index].calls.append(call) }
            return
        }
        indices[key] = entries.count
        entries.append(Entry(key: key, subject: subject, clause: clause, place: place, calls: [call]))
    }

    /// The findings: errors before warnings before information, and in each what breaks most of a call first.
    var sorted: [Finding] {
        let ordered = entries.enumerated().sorted { left, right in
            let (first, second) = (left.element, right.element)
            if first.key.severity != second.key.severity { return first.key.severity > second.key.severity }
            return (first.subject.rawValue, left.offset) < (second.subject.rawValue, right.offset)
        }
        return ordered.map(\.element.finding)
    }
}
