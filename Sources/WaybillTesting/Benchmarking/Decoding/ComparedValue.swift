import Foundation

/// A decoded value of any type, which can be compared with that of another decoder.
///
/// A value that is `Equatable` is compared by `==`, another one that is `Encodable` by its JSON, and the rest member by
/// member.
struct ComparedValue<Value: Sendable>: Equatable, Sendable, ComparedResult {
    let value: Value

    init(_ value: Value) { self.value = value }

    static func == (left: Self, right: Self) -> Bool {
        if let value = left.value as? any Equatable { return Self.isEqual(value, right.value) }
        if let json = left.json, let other = right.json { return json == other }
        return ResultDifference(left.value, right.value) == nil
    }

    var compared: Any { value }

    var text: String { json.map { String(decoding: $0, as: UTF8.self) } ?? String(describing: value) }

    func equals(_ other: any ComparedResult) -> Bool { (other as? Self) == self }

    /// The value as JSON; nil if it cannot be encoded.
    private var json: Data? {
        guard let value = value as? any Encodable else { return nil }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf",
            negativeInfinity: "-inf",
            nan: "nan"
        )
        return try? encoder.encode(value)
    }

    private static func isEqual<Other: Equatable>(_ value: Other, _ other: Any) -> Bool { (other as? Other) == value }
}
