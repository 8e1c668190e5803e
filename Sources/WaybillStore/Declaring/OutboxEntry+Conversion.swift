import Waybill

extension OutboxEntry {
    /// A clause of a collection: a conversion of pending writes from an earlier version of the app.
    ///
    /// ```swift
    /// store.collection(shop.products, named: "products") {
    ///     OutboxEntry.Conversion { (content, operation) in
    ///         guard operation == .create, let title = content["title"] else { return content }
    ///         return content.applying(mergePatch: ["name": title, "title": .null])
    ///     }
    /// }
    /// ```
    ///
    /// The conversion is called for each pending write when the collection is first used after the store is opened, so
    /// it must return content in the new format unchanged. It is not called for deletions, for writes in conflict, or
    /// for writes that may have been applied, which are repeated unchanged.
    public struct Conversion: Sendable {
        let convert: @Sendable (_ content: JSONValue, _ operation: OutboxEntry.Operation) throws -> JSONValue

        /// Declares a conversion.
        ///
        /// - Parameter convert: returns the content to send instead of the pending content: a draft, changes as a JSON
        ///   merge patch, or a whole body. If it throws, the entry is parked with its content, and its failure contains
        ///   the error.
        public init(
            _ convert:
                @escaping @Sendable (_ content: JSONValue, _ operation: OutboxEntry.Operation) throws
                -> JSONValue
        ) {
            self.convert = convert
        }
    }
}
