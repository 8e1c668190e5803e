extension WriteResult {
    /// The typed problem that a server gives for single items of a batch.
    ///
    /// ```swift
    /// On(.createBatch) { WriteResult.ItemProblem(ItemProblem.self, at: "error", item: ["product"]) }
    /// // [{"product":{…}}, {"error":{…}}]
    /// ```
    ///
    /// An item with such a value has failed; the others are entities, below `item` if it is declared. The batch
    /// operations then throw an ``APIError/ItemsFailure``, or return each item's result.
    public struct ItemProblem: Setting {
        /// The clause as a declaration writes it.
        public static var clauseName: String { "WriteResult.ItemProblem" }

        package let summaryText: String
        package let extra: Extraction.SideValue
        package let itemPath: [EnvelopeKey]

        /// Declares a problem below a key of the item.
        ///
        /// - Parameters:
        ///   - type: the type of the problem.
        ///   - path: the path of the problem in the item.
        ///   - item: the path of the entity in an item without a problem.
        public init<Value: Decodable & Sendable>(_ type: Value.Type, at path: EnvelopeKey..., item: [EnvelopeKey] = []) {
            extra = Extraction.SideValue(ifPresent: Value.self, at: path)
            itemPath = item
            summaryText = "\(Value.self) at \(path.pathDescription)"
        }

        /// The type and its place.
        public var summary: String { summaryText }
    }
}
