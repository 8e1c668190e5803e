import Waybill

extension DriftReport: CustomStringConvertible {
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

extension DriftReport.Entry: CustomStringConvertible {
    /// The finding in one line.
    public var description: String {
        let place = keyPath.isEmpty ? "the body" : keyPath
        return "\(place): \(kind), \(count.counted("time")) in \(responseCount.counted("response"))"
    }
}

extension DriftReport.Kind: CustomStringConvertible {
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
