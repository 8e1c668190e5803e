import Waybill

/// The scalars of real bodies, by the keys under which they stand.
struct SampleValues {
    /// The largest number of values that are tried for a key, or in a place without one.
    private static let limit = 50

    private var byKey: [String: [JSONValue]] = [:]
    private var all: [JSONValue] = []

    init(_ documents: [JSONValue]) { for document in documents { add(document, key: nil) } }

    var isEmpty: Bool { all.isEmpty }

    /// Returns the values under a key in the order of the bodies; all of them without a key.
    func values(for key: String?) -> [JSONValue] { Array((key.map { byKey[$0] ?? [] } ?? all).prefix(Self.limit)) }

    private mutating func add(_ value: JSONValue, key: String?) {
        switch value {
        case .object(let members):
            // In a fixed order: a schema is the same each time.
            for (key, member) in members.sorted(by: { $0.key < $1.key }) { add(member, key: key) }
        case .array(let elements): for element in elements { add(element, key: key) }
        case .null: break
        default:
            if !all.contains(value) { all.append(value) }
            if let key, !byKey[key, default: []].contains(value) { byKey[key, default: []].append(value) }
        }
    }
}
