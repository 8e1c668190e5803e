import Waybill

/// A type-erased collection, for the outbox and the synchronizer.
protocol RegisteredCollection: AnyObject, IndexedCollection {
    /// The user of the collection, and its name or address.
    var key: CollectionKey { get }

    /// The URL of the list, with the query and the header fields that select items.
    var address: String { get }

    /// The path template, with `{}` for each value.
    var template: String { get }

    /// Whether the resource declares its user, which takes precedence over the store's.
    var declaresUser: Bool { get }

    /// The error of the declaration.
    ///
    /// Every operation throws it, and pending writes are not sent.
    var declarationError: StoreError? { get }

    /// Whether the collection has been opened, so that its number in the file is known.
    var isOpen: Bool { get }

    /// The resource, at the current path of the collection.
    var resource: DocumentResource { get }

    var conflictRule: ConflictRule { get }
    var delta: Store.Delta? { get }

    /// Returns the id of a document as a path segment and as JSON; nil if the document has none.
    func id(of document: JSONValue) -> (text: String, json: JSONValue)?

    /// Returns an item with its id converted to the JSON type that the item type decodes.
    ///
    /// Some servers respond to a write with `"7"` where their lists have `7`. Any other item is returned unchanged.
    func withReadableID(_ document: JSONValue) -> JSONValue

    /// Returns the id of a row for a call; nil for a singleton.
    func operationID(of row: StoredRow) -> OperationID?

    /// Returns the number of the collection in the file, after adding it and its indexes if necessary.
    ///
    /// - Parameter core: the store.
    /// - Returns: the number.
    /// - Throws: ``StoreError/otherUser(_:)`` if the store has been switched to another user.
    func number(in core: StoreCore) async throws(StoreError) -> Int64

    /// Moves the collection to a different address.
    func move(to resource: DocumentResource, _ place: CollectionPlace)

    /// Returns the same declaration at a different address with the same template; nil if it cannot have that address.
    func readdressed(to place: CollectionPlace) -> (any RegisteredCollection)?

    /// The rows that did not decode when last checked.
    var undecodable: UndecodableRows { get }

    /// Returns the rows that do not decode.
    func undecodableRows(in core: StoreCore) async throws(StoreError) -> [UndecodableRow]

    /// Publishes changes to the observers of the collection.
    func publish(_ changes: RowChanges)

    /// The observers of the states of the collection's rows.
    var stateObservers: RowObservers<RowStatus> { get }

    /// Ends the sequences of all observers.
    func endObservation()
}
