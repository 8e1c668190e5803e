import Waybill
import WaybillSystem

/// One item of a collection, as its table has it.
struct StoredRow: Sendable {
    /// The number, by which a row is known for as long as it is there, whatever id the server gives it.
    var number: Int64 = 0
    var collection: Int64

    /// The segment of a path that is its id.
    var id: String

    /// The item as it is seen: the server's version with all pending writes.
    var document: JSONValue

    /// The server's version while writes are pending; nil if the server has none yet.
    var base: JSONValue?

    /// A version of the item with the text that it was read from; nil if there is no such text.
    ///
    /// What the texts of ``document`` and ``base`` have in common with it keeps its bytes. It need not be one of them.
    var source: JSONDocument?

    /// The strong entity tag of the server's version.
    var entityTag: String?

    /// Whether a deletion is pending: the row is not seen.
    var isDeleted = false

    /// The number of pending writes.
    var pending = 0

    /// The number of the synchronization that has seen it last.
    var generation: Int64 = 0

    /// The date on which the server's version came.
    var fetched: Date?

    /// The server's version; nil if the server has none yet.
    var serverVersion: JSONValue? { pending > 0 ? base : document }

    /// Returns a version of the item with the bytes of the source where they are equal.
    func sourced(_ version: JSONValue) -> JSONDocument { source?.changed(to: version) ?? JSONDocument(version) }

    /// Returns the text of a version of the item.
    func text(of version: JSONValue) -> String { sourced(version).text }
}

extension JSONValue {
    /// Texts are those of servers, also of ones that cut them within characters.
    fileprivate static let storedDecoder = JSONDefaults.decoder.replacingLoneSurrogates

    /// Reads a text that the store has written.
    init(stored text: String) throws(StoreError) {
        do {
            self = try Self.storedDecoder.decode(JSONValue.self, from: Data(text.utf8))
        } catch {
            throw .corrupt("a stored document is not JSON")
        }
    }
}

extension [JSONDocument] {
    /// Reads an array of documents that the store has written, each with its text.
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

/// A change of a row in a write.
struct RowChange: Sendable {
    let row: Int64

    /// The document and the id; nil if the row is gone, or not seen any more.
    let current: (id: String, document: JSONValue)?
}

/// The rows of one collection that one commit has changed.
struct RowChanges: Sendable {
    /// The number of the commit.
    let commit: Int64
    let changes: [RowChange]
}
