/// A difference between a declaration and a document of the server, seen from the client.
public struct Finding: Sendable, Hashable {
    /// The weight of a finding.
    public enum Severity: String, Sendable, Hashable, Comparable {
        /// The document allows what the client neither sends nor reads, or something was not compared.
        case information
        /// The document does not promise what the client relies on.
        case warning
        /// The document denies what the client relies on.
        case error

        /// Whether the first weighs less than the second.
        public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

        private var rank: Int {
            switch self {
            case .information: 0
            case .warning: 1
            case .error: 2
            }
        }
    }

    /// The weight.
    public let severity: Severity

    /// The calls that it is about, each with its method and template, in the order in which they are listed.
    public let calls: [String]

    /// The clause or the value of the declaration, of the first call.
    public let clause: String

    /// The place in the document, as a JSON pointer in a fragment.
    public let place: String

    /// The difference.
    public let reason: String

    /// The way out; empty if nothing has to be done.
    public let advice: String

    /// The first of the calls: its method and template; empty for the document as a whole.
    public var call: String { calls.first ?? "" }
}

extension Finding: CustomStringConvertible {
    /// The finding in one line.
    public var description: String {
        let others = calls.count - 1
        let more = others < 1 ? "" : " and \(others) other \(others == 1 ? "call" : "calls")"
        let subject = [call + more, clause].filter { !$0.isEmpty }.joined(separator: ", ")
        let advice = advice.isEmpty ? "" : "; \(advice)"
        return "\(severity.rawValue): \(subject): \(reason)\(advice) (\(place))"
    }
}
