import Waybill
import WaybillSystem

extension OutboxEntry {
    /// An outbox entry whose items are decoded on access.
    ///
    /// ```swift
    /// for entry in try await products.entries() where entry.state == .conflict {
    ///     print(try entry.item.name, "or", try entry.serverVersion?.name ?? "deleted")
    /// }
    /// ```
    ///
    /// If an item does not decode, the other entries are still available.
    public struct Typed<Item: Sendable>: Sendable, Identifiable, CustomStringConvertible {
        /// The entry, with its content as JSON.
        public let entry: OutboxEntry

        /// The item after this write and all earlier ones; nil if the row is missing.
        private let document: JSONDocument?

        private let decode: @Sendable (JSONDocument) throws(StoreError) -> Item

        init(
            _ entry: OutboxEntry,
            _ document: JSONDocument?,
            decode: @escaping @Sendable (JSONDocument) throws(StoreError) -> Item
        ) {
            self.entry = entry
            self.document = document
            self.decode = decode
        }

        /// Returns the entry with items of a different type.
        func map<Other>(_ change: @escaping @Sendable (Item) -> Other) -> Typed<Other> {
            let decode = decode
            return Typed<Other>(entry, document) { (document) throws(StoreError) in change(try decode(document)) }
        }

        /// The number of the entry, which increases with each write.
        public var id: OutboxEntry.ID { entry.id }

        /// The operation of the write.
        public var operation: OutboxEntry.Operation { entry.operation }

        /// The state of the entry.
        public var state: OutboxEntry.State { entry.state }

        /// The last failure, if any.
        public var failure: OutboxEntry.Failure? { entry.failure }

        /// The item after this write and all earlier ones; for a deletion, the item to delete.
        ///
        /// Its id is temporary until the server assigns a permanent one.
        ///
        /// - Throws: ``StoreError/item(_:)``, with the path of the member, if the item does not decode;
        ///   ``StoreError/missingRow(id:)`` if its row was damaged in the file.
        public var item: Item {
            get throws(StoreError) {
                guard let document else { throw .missingRow(id: entry.itemID) }
                return try decode(document)
            }
        }

        /// The server's version of the item in a conflict; nil if there is no conflict or the server has deleted the
        /// item.
        ///
        /// - Throws: ``StoreError/item(_:)``, with the path of the member, if the version does not decode.
        public var serverVersion: Item? {
            get throws(StoreError) {
                guard let version = entry.serverVersion else { return nil }
                return try decode(JSONDocument(version))
            }
        }

        /// The operation, the item and the state, in one line.
        public var description: String { entry.description }
    }
}
