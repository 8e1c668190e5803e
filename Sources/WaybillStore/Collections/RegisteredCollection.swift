import Waybill

/// A type-erased collection, for the outbox and the synchronizer.
protocol RegisteredCollection: AnyObject, IndexedCollection {
    /// The collection's user, and its name or address.
    var key: CollectionKey { get }

    /// The list's URL, with the query and the header fields that select items.
    var address: String { get }

    /// The path template, with `{}` for each value.
    var template: String { get }

    /// Whether the resource declares its user, which takes precedence over the store's.
    var declaresUser: Bool { get }

    /// The error in the declaration; nil if the declaration is valid.
    ///
    /// If there is an error, every operation throws it, and pending writes are not sent.
    var declarationError: StoreError? { get }

    /// Whether the collection is open: its number in the file is known.
    var isOpen: Bool { get }

    /// The resource, at the collection's current path.
    var resource: DocumentResource { get }

    var conflictRule: ConflictRule { get }
    var delta: Store.Delta? { get }

    /// Returns the id of a document as a path segment and as JSON; nil if the document has none.
    func id(of document: JSONValue) -> (text: String, json: JSONValue)?

    /// Returns a document with its id converted to the JSON type that the item type decodes.
    ///
    /// Some servers respond to a write with `"7"` but use `7` in lists. The document is returned unchanged if it
    /// already decodes, or if converting the id does not make it decodable.
    func withReadableID(_ document: JSONValue) -> JSONValue

    /// Returns a row's id for use in a call; nil for a singleton.
    func operationID(of row: StoredRow) -> OperationID?

    /// Returns the collection's number in the file, adding the collection and its indexes if necessary.
    ///
    /// - Parameter core: the store.
    /// - Returns: the number.
    /// - Throws: ``StoreError/otherUser(_:)`` if the store has been switched to another user.
    func number(in core: StoreCore) async throws(StoreError) -> Int64

    /// Moves the collection to a different address.
    func move(to resource: DocumentResource, _ record: CollectionRecord)

    /// Returns a collection with the same declaration at a different address; nil if the resource cannot have that
    /// address.
    func readdressed(to record: CollectionRecord) -> (any RegisteredCollection)?

    /// The rows that did not decode when last checked.
    var undecodable: UndecodableRows { get }

    /// Returns the rows that do not decode.
    func undecodableRows(in core: StoreCore) async throws(StoreError) -> [UndecodableRow]

    /// Publishes changes to the observers of the collection.
    func publish(_ changes: RowChanges)

    /// The observers of the collection's row states.
    var stateObservers: RowObservers<RowStatus> { get }

    /// Ends the sequences of all observers.
    func endObservation()
}
