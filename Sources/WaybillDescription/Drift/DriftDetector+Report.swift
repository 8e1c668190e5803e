import Waybill
import WaybillJSON
import WaybillSystem

extension DriftDetector {
    /// The differences between responses and the types that decode them, by endpoint and key path.
    ///
    /// A report contains keys of responses, but no values.
    public struct Report: Sendable, Hashable {
        /// The endpoints whose responses were compared, sorted by path template and method.
        public let endpoints: [Endpoint]

        /// The number of findings dropped because a limit of the detector was reached.
        public let omittedCount: Int

        /// Whether the report has no findings.
        public var isEmpty: Bool { omittedCount == 0 && endpoints.allSatisfy(\.entries.isEmpty) }

        /// The total number of compared responses.
        public var responseCount: Int { endpoints.reduce(0) { $0 + $1.responseCount } }

        /// An endpoint and the findings in its responses.
        public struct Endpoint: Sendable, Hashable {
            /// The method of the endpoint.
            public let method: HTTPRequest.Method

            /// The declared path, with `{}` in place of each value.
            public let template: String

            /// The number of compared responses.
            public let responseCount: Int

            /// The findings, sorted by key path.
            public let entries: [Entry]
        }

        /// A difference at a key path.
        public struct Entry: Sendable, Hashable {
            /// The path from the root of the body, such as `data[].price`.
            ///
            /// `*` represents any key of an object whose keys are data. The path is empty for the body itself.
            public let keyPath: String

            /// The kind of difference.
            public let kind: Kind

            /// The number of affected values, or of objects that lack the key.
            public let count: Int

            /// The number of affected responses.
            public let responseCount: Int

            /// The date of the first occurrence.
            public let first: Date

            /// The date of the last occurrence.
            public let last: Date

            init(keyPath: String, kind: Kind, tally: DriftNode.Tally) {
                self.keyPath = keyPath
                self.kind = kind
                count = tally.count
                responseCount = tally.responses
                first = tally.first
                last = tally.last
            }
        }

        /// A kind of difference.
        public enum Kind: Sendable, Hashable {
            /// A member or an element that no type decodes.
            case unread
            /// A required member that is missing.
            case missing
            /// An optional member that no response contained.
            case neverPresent
            /// A `null` that the type does not accept.
            case null
            /// A value of an unexpected type. Both types are JSON Schema type names, such as `integer`.
            case otherType(expected: String, found: String)
            /// A value that matches no case of the enum.
            case unknownCase
            /// An item dropped from a list because it failed to decode.
            case droppedItem
            /// A body that failed to decode for a reason that the comparison does not check, such as a date in another
            /// format.
            case undecodable
        }
    }
}

extension DriftDetector.Report: CustomStringConvertible {
    /// The findings, one per line, grouped by endpoint.
    public var description: String {
        var lines: [String] = []
        for endpoint in endpoints where !endpoint.entries.isEmpty {
            let template = endpoint.template.isEmpty ? "/" : endpoint.template
            lines.append("\(endpoint.method) \(template): \(endpoint.responseCount.counted("response"))")
            lines += endpoint.entries.map { "  \($0)" }
        }
        if lines.isEmpty { lines.append("No drift in \(responseCount.counted("response"))") }
        if omittedCount > 0 { lines.append("\(omittedCount.counted("finding")) omitted") }
        return lines.joined(separator: "\n")
    }
}

extension DriftDetector.Report.Entry: CustomStringConvertible {
    /// The finding in one line.
    public var description: String {
        let location = keyPath.isEmpty ? "the body" : keyPath
        return "\(location): \(kind), \(count.counted("time")) in \(responseCount.counted("response"))"
    }
}

extension DriftDetector.Report.Kind: CustomStringConvertible {
    /// A phrase that describes the kind.
    public var description: String {
        switch self {
        case .unread: "not read"
        case .missing: "missing"
        case .neverPresent: "never present"
        case .null: "null"
        case .otherType(let expected, let found): "\(found.withArticle) instead of \(expected.withArticle)"
        case .unknownCase: "not a case of the enum"
        case .droppedItem: "dropped from the list"
        case .undecodable: "not decoded"
        }
    }
}

extension Int {
    fileprivate func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}

extension String {
    fileprivate var withArticle: String {
        switch first {
        case "a", "i", "o": "an \(self)"
        default: "a \(self)"
        }
    }
}

extension DriftDetector.Report {
    /// The report as JSON, with dates in ISO 8601 format.
    ///
    /// Endpoints and entries have the same order as in the report.
    public var json: JSONValue {
        [
            "responses": .integer(responseCount), "omitted": .integer(omittedCount),
            "endpoints": .array(endpoints.map(\.json)),
        ]
    }
}

extension DriftDetector.Report.Endpoint {
    fileprivate var json: JSONValue {
        [
            "method": .string(method.rawValue), "template": .string(template), "responses": .integer(responseCount),
            "entries": .array(entries.map(\.json)),
        ]
    }
}

extension DriftDetector.Report.Entry {
    fileprivate var json: JSONValue {
        var members: [String: JSONValue] = [
            "keyPath": .string(keyPath), "kind": .string(kind.name), "count": .integer(count),
            "responses": .integer(responseCount),
        ]
        if let text = ISO8601.text(from: first) { members["first"] = .string(text) }
        if let text = ISO8601.text(from: last) { members["last"] = .string(text) }
        if case .otherType(let expected, let found) = kind {
            members["expected"] = .string(expected)
            members["found"] = .string(found)
        }
        return .object(members)
    }
}

extension DriftDetector.Report.Kind {
    /// The name of the case.
    fileprivate var name: String {
        switch self {
        case .unread: "unread"
        case .missing: "missing"
        case .neverPresent: "neverPresent"
        case .null: "null"
        case .otherType: "otherType"
        case .unknownCase: "unknownCase"
        case .droppedItem: "droppedItem"
        case .undecodable: "undecodable"
        }
    }
}
