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
}

extension JSONValue {
    /// Reads a text that the store has written.
    init(stored text: String) throws(StoreError) {
        do {
            self = try JSONDefaults.decoder.decode(JSONValue.self, from: Data(text.utf8))
        } catch {
            throw .corrupt("a stored document is not JSON")
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
