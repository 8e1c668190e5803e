/// A difference between a declaration and a document of the server, seen from the client.
public struct Finding: Sendable, Hashable {
    /// The weight of a finding.
    public enum Severity: String, Sendable, Hashable, Comparable {
        /// The document allows what the client neither sends nor reads.
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

    /// The call: its method and template; empty for the document as a whole.
    public let call: String

    /// The clause or the value of the declaration.
    public let clause: String

    /// The place in the document, as a JSON pointer in a fragment.
    public let place: String

    /// The difference.
    public let reason: String

    /// The way out; empty if nothing has to be done.
    public let advice: String
}

extension Finding: CustomStringConvertible {
    /// The finding in one line.
    public var description: String {
        let subject = [call, clause].filter { !$0.isEmpty }.joined(separator: ", ")
        let advice = advice.isEmpty ? "" : "; \(advice)"
        return "\(severity.rawValue): \(subject): \(reason)\(advice) (\(place))"
    }
}
