import Waybill
import WaybillSystem

/// The error of a store.
public enum StoreError: Error, Sendable {
    /// The file could not be opened, read or written.
    case database(DatabaseFailure)
    /// The declaration of the resource has an error; its text names the clause.
    case declaration(APIError)
    /// A declared clause of the collection cannot be carried out.
    case clause(DeclarationError)
    /// A value cannot be encoded, or an item cannot be made of what was written.
    case item(ItemFailure)
    /// The collection has no row with the id.
    case missingRow(id: String)
    /// The item has writes in the outbox, which come before one that goes to the server directly.
    case pendingWrites(id: String)
    /// The outbox has writes that no server has, of this number: the store is erased only if they may be lost.
    case unsentWrites(Int)
    /// The collection or the entry belongs to the user with this id, and the store is another user's.
    case otherUser(String)
    /// The server has another version of the item than the store had: the row has it now, and nothing was written.
    case changedOnServer(id: String)
    /// The outbox has no entry of that number, or it is not in a state for what was asked.
    case missingEntry(Int64)
    /// The server failed to do what was asked of it directly: a write in step, a read through the store, or a page of a
    /// synchronization.
    case call(APIError)
    /// The task was cancelled, or the store was closed.
    case cancelled
}

extension StoreError {
    /// An item that cannot be decoded, or a value that cannot become an item.
    public struct ItemFailure: Sendable, CustomStringConvertible {
        /// The path of the collection as it was declared, each value replaced by `{}`.
        public let template: String

        /// The id of the item; nil if it is not known.
        public let id: String?

        /// The reason, and the way out if there is one.
        public let reason: String

        /// The template, the id and the reason.
        public var description: String { "\(template)\(id.map { ", item \($0)" } ?? ""): \(reason)" }
    }
}

extension StoreError: CustomStringConvertible {
    /// The failure in words, secrets redacted.
    public var description: String {
        switch self {
        case .database(let failure): "\(failure)"
        case .declaration(let error), .call(let error): "\(error)"
        case .clause(let error): "\(error)"
        case .item(let failure): "\(failure)"
        case .missingRow(let id): "the collection has no row with the id \(id.debugDescription)"
        case .pendingWrites(let id): "the item \(id.debugDescription) has writes in the outbox, which come first"
        case .unsentWrites(let count):
            "the outbox has unsent writes: \(count); synchronize first, or erase with discardingPendingWrites: true"
        case .otherUser(let user):
            "the collection or the entry belongs to \(user.isEmpty ? "no user" : "the user \(user.debugDescription)"), and"
                + " the store is another user's; get the collection from the store again, or switch the user back"
        case .changedOnServer(let id):
            "the server has another version of the item \(id.debugDescription), which the store has now; nothing was"
                + " written"
        case .missingEntry(let id): "the outbox has no entry \(id) in a state for this"
        case .cancelled: "the task was cancelled, or the store was closed"
        }
    }
}
