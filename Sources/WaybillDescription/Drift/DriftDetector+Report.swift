import Waybill
import WaybillJSON
import WaybillSystem

extension DriftDetector {
    /// The differences between responses and the types that decode them, by endpoint and key path.
    ///
    /// It has keys of responses, and no values.
    public struct Report: Sendable, Hashable {
        /// The endpoints whose responses were compared, by template and method.
        public let endpoints: [Endpoint]

        /// The number of findings beyond the limits of the detector.
        public let omittedCount: Int

        /// Whether nothing was found.
        public var isEmpty: Bool { omittedCount == 0 && endpoints.allSatisfy(\.entries.isEmpty) }

        /// The number of responses that were compared.
        public var responseCount: Int { endpoints.reduce(0) { $0 + $1.responseCount } }

        /// An endpoint and what was found in its responses.
        public struct Endpoint: Sendable, Hashable {
            /// The method of the endpoint.
            public let method: HTTPRequest.Method

            /// The path as it was declared, each value replaced by `{}`.
            public let template: String

            /// The number of responses that were compared.
            public let responseCount: Int

            /// The findings, by key path.
            public let entries: [Entry]
        }

        /// A difference at a key path.
        public struct Entry: Sendable, Hashable {
            /// The path from the top of the body: `data[].price`; `*` for keys that are data, and the empty text for
            /// the body itself.
            public let keyPath: String

            /// The kind of the difference.
            public let kind: Kind

            /// The number of values, or of objects without the key.
            public let count: Int

            /// The number of responses that have it.
            public let responseCount: Int

            /// The date of the first one.
            public let first: Date

            /// The date of the last one.
            public let last: Date

            init(keyPath: String, kind: Kind, tally: DriftPlace.Tally) {
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
            /// An optional member that no response had.
            case neverPresent
            /// A null that the type does not take.
            case null
            /// A value of another type, each with its name in JSON Schema, such as `integer`.
            case otherType(expected: String, found: String)
            /// A value that no case of an enum has.
            case unknownCase
            /// An item that was dropped from a list.
            case droppedItem
            /// A body that was not decoded for a reason that the comparison misses, such as a date of another form.
            case undecodable
        }
    }
}

extension DriftDetector.Report: CustomStringConvertible {
    /// The findings, a line each, grouped by endpoint.
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
        let place = keyPath.isEmpty ? "the body" : keyPath
        return "\(place): \(kind), \(count.counted("time")) in \(responseCount.counted("response"))"
    }
}

extension DriftDetector.Report.Kind: CustomStringConvertible {
    /// The kind in words.
    public var description: String {
        switch self {
        case .unread: "not read"
        case .missing: "missing"
        case .neverPresent: "never present"
        case .null: "null"
        case .otherType(let expected, let found): "\(found.withArticle) in place of \(expected.withArticle)"
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
    /// The report as JSON: objects for the endpoints and their entries, in the report's order, dates in ISO 8601.
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
