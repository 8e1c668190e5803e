import Waybill

extension OpenAPIDocument {
    /// A difference between a declaration and a server's document, from the client's point of view.
    public struct Finding: Sendable, Hashable {
        /// The severity of a finding.
        public enum Severity: String, Sendable, Hashable, Comparable {
            /// A difference that breaks no call, or a part that was not compared.
            case information
            /// The document does not guarantee something that the client relies on.
            case warning
            /// The document contradicts something that the client relies on.
            case error

            /// Whether the first severity is lower than the second.
            public static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

            private var rank: Int {
                switch self {
                case .information: 0
                case .warning: 1
                case .error: 2
                }
            }
        }

        /// The severity: an error breaks calls, whereas a warning can be harmless.
        public let severity: Severity

        /// The affected calls in listing order, each as its method and path template.
        public internal(set) var calls: [String]

        /// The differing clause or value, as declared by the first call.
        public let clause: String

        /// The location in the document, as a JSON Pointer fragment such as `#/paths`.
        public let place: String

        /// The difference, without the remedy.
        public let reason: String

        /// The remedy; empty if there is nothing to do.
        public let advice: String

        /// The first affected call, as its method and path template; empty for a finding about the whole document.
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

/// A list of findings in which a difference shared by several calls appears once.
struct FindingList {
    /// The part of a call affected by a finding, in order of decreasing impact.
    enum Subject: Int {
        case path, method, parameter, body, status, mediaType, response, problem
    }

    private var entries: [(subject: Subject, finding: OpenAPIDocument.Finding)] = []
    private var indices: [[String]: Int] = [:]

    /// Adds a finding for one call, or adds the call to an earlier finding of the same difference.
    ///
    /// - Parameters:
    ///   - finding: the finding, with at most one call.
    ///   - subject: the part of the call.
    ///   - place: the location shared by calls with the same difference; empty if their locations can differ.
    ///   - clause: the clause or member shared by those calls.
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

    /// The findings, sorted by decreasing severity and then by part of the call.
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
    /// Compares the listed calls with a server's document, from the client's point of view.
    ///
    /// A finding is an error if the document contradicts something that the client relies on, and a warning if the
    /// document does not guarantee it. All other differences are informational. A difference shared by several calls
    /// results in one finding.
    ///
    /// ```swift
    /// let findings = try shop.compare(with: OpenAPIDocument(data))
    /// for finding in findings where finding.severity == .error { print(finding) }
    /// ```
    ///
    /// - Parameter document: the server's document.
    /// - Returns: the findings, most severe first. Findings of the same severity are sorted by the affected part of the
    ///   call: path, method, parameters, body, response, problems.
    /// - Throws: ``APIDescription/Failure`` if a listed endpoint cannot be planned with its example values, if no call
    ///   can be planned, or if a sample is not JSON.
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
    /// Returns the operations of all listed calls, including several with the same method and path.
    package func everyCall(in library: SchemaLibrary) throws(APIDescription.Failure) -> [DescribedOperation] {
        try comparedCalls(in: library).operations
    }

    /// Returns the operations of all listed calls, and the errors of omitted calls.
    fileprivate func comparedCalls(
        in library: SchemaLibrary
    ) throws(APIDescription.Failure) -> (operations: [DescribedOperation], omitted: [APIError]) {
        let (operations, omitted) = try plannedOperations(in: library)
        // An individually listed call is more detailed than a generated call of a resource.
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
    /// Whether the schema of the body could not be learned.
    fileprivate var hasUnknownBody: Bool {
        if case .unknown? = body?.schema.origin { true } else { false }
    }
}
