import Waybill
import WaybillSystem

/// An item of a collection, as stored in its table.
struct StoredRow: Sendable {
    /// The number, which identifies the row for its whole lifetime, even if the server assigns a new id.
    var number: Int64 = 0
    var collection: Int64

    /// The id as a path segment.
    var id: String

    /// The local version: the server's version with all pending writes applied.
    var document: JSONValue

    /// The server's version while writes are pending; nil if the server has none yet.
    var base: JSONValue?

    /// A version of the item with its original text; nil if no original text is stored.
    ///
    /// Parts of ``document`` and ``base`` that are equal to parts of this version keep its bytes. The version may
    /// differ from both.
    var source: JSONDocument?

    /// The strong entity tag of the server's version.
    var entityTag: String?

    /// Whether the row is hidden: a deletion is pending, or an open creation has probably created its item.
    var isDeleted = false

    /// The number of pending writes.
    var pending = 0

    /// The number of the last walk through the list that contained the row.
    var generation: Int64 = 0

    /// The date when the server's version was received.
    var fetched: Date?

    /// The server's version; nil if the server has none yet.
    var serverVersion: JSONValue? { pending > 0 ? base : document }

    /// Returns a version of the item, in which parts equal to the source keep its bytes.
    func sourced(_ version: JSONValue) -> JSONDocument { source?.changed(to: version) ?? JSONDocument(version) }

    /// Returns the text of a version of the item.
    func text(of version: JSONValue) -> String { sourced(version).text }
}

extension JSONValue {
    /// A decoder that replaces lone surrogates, because some servers truncate strings within a character.
    fileprivate static let storedDecoder = JSONDefaults.decoder.replacingLoneSurrogates

    /// Parses a text that the store has written.
    init(stored text: String) throws(StoreError) {
        do {
            self = try Self.storedDecoder.decode(JSONValue.self, from: Data(text.utf8))
        } catch {
            throw .corrupt("a stored document is not JSON")
        }
    }
}

extension [JSONDocument] {
    /// Parses an array of documents that the store has written, each with its text.
    init(stored text: String) throws(StoreError) {
        do {
            let documents = try JSONValue.storedDecoder.decode(
                [DocumentResource.Document].self,
                from: Data(text.utf8)
            )
            self = documents.map(\.source)
        } catch {
            throw .corrupt("a stored array of documents is not JSON")
        }
    }
}

/// A change to a row in a transaction.
struct RowChange: Sendable {
    let row: Int64

    /// The id and the document; nil if the row was removed or hidden.
    let current: (id: String, document: JSONValue)?
}

/// The changes that a commit made to the rows of a collection.
struct RowChanges: Sendable {
    /// The number of the commit.
    let commit: Int64
    let changes: [RowChange]
}
