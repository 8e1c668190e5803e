import Waybill
import WaybillJSON
import WaybillSystem

extension DriftReport {
    /// The report as JSON: objects for the endpoints and their entries, in the report's order, dates in ISO 8601.
    public var json: JSONValue {
        [
            "responses": .integer(responseCount), "omitted": .integer(omittedCount),
            "endpoints": .array(endpoints.map(\.json)),
        ]
    }
}

extension DriftReport.Endpoint {
    fileprivate var json: JSONValue {
        [
            "method": .string(method.rawValue), "template": .string(template), "responses": .integer(responseCount),
            "entries": .array(entries.map(\.json)),
        ]
    }
}

extension DriftReport.Entry {
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

extension DriftReport.Kind {
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
