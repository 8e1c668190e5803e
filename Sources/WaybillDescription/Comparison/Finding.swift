import Waybill

extension OpenAPIDocument {
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

        /// The weight: an error breaks calls, a warning may.
        public let severity: Severity

        /// The calls that it is about, each with its method and template, in the order in which they are listed.
        public internal(set) var calls: [String]

        /// The clause or the value of the declaration, of the first call.
        public let clause: String

        /// The place in the document, as a JSON pointer in a fragment.
        public let place: String

        /// The difference, in a sentence without the remedy.
        public let reason: String

        /// The remedy; empty if nothing has to be done.
        public let advice: String

        /// The first of the calls: its method and template; empty for the document as a whole.
        public var call: String { calls.first ?? "" }
    }
}

extension OpenAPIDocument.Finding: CustomStringConvertible {
    /// The finding in one line.
    public var description: String {
        let others = calls.count - 1
        let more = others < 1 ? "" : " and \(others) other \(others == 1 ? "call" : "calls")"
        let subject = [call + more, clause].filter { !$0.isEmpty }.joined(separator: ", ")
        let advice = advice.isEmpty ? "" : "; \(advice)"
        return "\(severity.rawValue): \(subject): \(reason)\(advice) (\(place))"
    }
}

/// Findings in the order of what they break, in which a difference that several calls have is one finding.
struct FindingList {
    /// The part of a call that a finding is about, those that break it first in front.
    enum Subject: Int {
        case path, method, parameter, body, status, mediaType, response, problem
    }

    private var entries: [(subject: Subject, finding: OpenAPIDocument.Finding)] = []
    private var indices: [[String]: Int] = [:]

    /// Adds a finding of a call, unless calls before it have the same difference: then the call is added to theirs.
    ///
    /// - Parameters:
    ///   - finding: the finding, of one call.
    ///   - subject: the part of the call.
    ///   - place: the place that calls with the same difference have in common; empty if theirs may differ.
    ///   - clause: the clause or the member that they have in common.
    mutating func add(_ finding: OpenAPIDocument.Finding, _ subject: Subject, sharing place: String, _ clause: String) {
        let key = [finding.severity.rawValue, place, clause, finding.reason, finding.advice]
        if let index = indices[key] {
            if !entries[index].finding.calls.contains(finding.call) {
                entries[index].finding.calls.append(finding.call)
            }
            return
        }
        indices[key] = entries.count
        entries.append((subject, finding))
    }

    /// The findings: errors before warnings before information, and in each what breaks most of a call first.
    var sorted: [OpenAPIDocument.Finding] {
        let ordered = entries.enumerated().sorted { left, right in
            let (first, second) = (left.element, right.element)
            if first.finding.severity != second.finding.severity {
                return first.finding.severity > second.finding.severity
            }
            return (first.subject.rawValue, left.offset) < (second.subject.rawValue, right.offset)
        }
        return ordered.map(\.element.finding)
    }
}

extension DescribedAPI {
    /// Compares the listed calls with a document of the server, seen from this client: what it sends and reads.
    ///
    /// A finding is an error if the document denies what the client relies on, a warning if the document does not
    /// promise it, and information if the client never reads it. A difference that several calls have is one finding.
    ///
    /// ```swift
    /// let findings = try shop.compare(with: OpenAPIDocument(data))
    /// for finding in findings where finding.severity == .error { print(finding) }
    /// ```
    ///
    /// - Parameter document: the document.
    /// - Returns: the findings: errors, warnings, information, and in each what breaks most of a call first: its path,
    ///   its method, its parameters, its body, its response, its problems.
    /// - Throws: ``APIDescription/Failure`` if listed endpoints cannot be planned with their example values.
    public func compare(with document: OpenAPIDocument) throws(APIDescription.Failure) -> [OpenAPIDocument.Finding] {
        let calls = calls
        let library = try calls.library()
        let planned = try calls.comparedCalls(in: library)
        let base = client.scopes.base.url.path
        let reader = DocumentReader(document)
        var comparison = Comparison(reader, base: base, definitions: library.definitions, planned.operations)
        for error in planned.omitted { comparison.add(unplanned: error) }
        return comparison.findings.sorted
    }
}

extension APIDescription {
    /// Returns the operations of all listed calls, also of several that share a method and a path.
    package func everyCall(in library: SchemaLibrary) throws(APIDescription.Failure) -> [DescribedOperation] {
        try comparedCalls(in: library).operations
    }

    /// Returns the operations of all listed calls, and the errors of those that are left out.
    fileprivate func comparedCalls(
        in library: SchemaLibrary
    ) throws(APIDescription.Failure) -> (operations: [DescribedOperation], omitted: [APIError]) {
        let (operations, omitted) = try plannedOperations(in: library)
        // A call that is listed by itself has more details than the one that is generated for a resource.
        let described = operations.filter { operation in
            guard operation.isGenerated, operation.hasUnknownBody else { return true }
            return !operations.contains {
                !$0.isGenerated && $0.plan.method == operation.plan.method && $0.path == operation.path
            }
        }
        return (described, omitted)
    }
}

extension DescribedOperation {
    /// Whether the type of the body does not decode, so that no value of it is known.
    fileprivate var hasUnknownBody: Bool {
        if case .unknown? = body?.schema.origin { true } else { false }
    }
}
