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
    /// An item that fails to decode does not hide the other entries.
    public struct Typed<Item: Sendable>: Sendable, Identifiable, CustomStringConvertible {
        /// The entry, with its content as JSON.
        public let entry: OutboxEntry

        /// The item after this write and those before it; nil if the row cannot be read.
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

        /// The number of the entry; later writes have higher numbers.
        public var id: OutboxEntry.ID { entry.id }

        /// The operation of the write.
        public var operation: OutboxEntry.Operation { entry.operation }

        /// The state of the entry.
        public var state: OutboxEntry.State { entry.state }

        /// The last failure, if any.
        public var failure: OutboxEntry.Failure? { entry.failure }

        /// The item after this write and those before it; for a deletion, the item to be deleted.
        ///
        /// Its id is temporary until the server has assigned one.
        ///
        /// - Throws: ``StoreError/item(_:)`` if the item does not decode, with the path of the member;
        ///   ``StoreError/missingRow(id:)`` if its row was damaged in the file.
        public var item: Item {
            get throws(StoreError) {
                guard let document else { throw .missingRow(id: entry.itemID) }
                return try decode(document)
            }
        }

        /// The server's version of the item in a conflict; nil if the server has deleted the item.
        ///
        /// - Throws: ``StoreError/item(_:)`` if the version does not decode, with the path of the member.
        public var serverVersion: Item? {
            get throws(StoreError) {
                guard let version = entry.serverVersion else { return nil }
                return try decode(JSONDocument(version))
            }
        }

        /// The operation, the item and the state in one line.
        public var description: String { entry.description }
    }
}
