/// The typed problem that a server gives for single items of a batch.
///
/// ```swift
/// On(.createBatch) { BatchProblem(ItemProblem.self, at: "error", item: ["product"]) }
/// // [{"product":{…}}, {"error":{…}}]
/// ```
///
/// An item with such a value has failed; the others are entities, below `item` where that is given. The batch
/// operations then throw an ``ItemsFailure``, or give each item's result where they are asked to.
public struct BatchProblem: Setting {
    package let summaryText: String
    package let extra: Extraction.Extra
    package let itemPath: [EnvelopeKey]

    /// A problem below a key of the item.
    public init<Value: Decodable & Sendable>(_ type: Value.Type, at path: EnvelopeKey..., item: [EnvelopeKey] = []) {
        extra = Extraction.Extra(ifPresent: Value.self, at: path)
        itemPath = item
        summaryText = "\(Value.self) at \(path.pathDescription)"
    }

    /// The type and its place.
    public var summary: String { summaryText }
}
