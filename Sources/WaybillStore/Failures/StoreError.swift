import Waybill
import WaybillSystem

/// An error thrown by a store.
public enum StoreError: Error, Sendable {
    /// The database file could not be opened, read or written.
    case database(DatabaseFailure)
    /// The declaration of the resource is invalid; the error names the clause.
    case declaration(APIError)
    /// A clause of the collection cannot be applied.
    case clause(Scope.DeclarationError)
    /// A value or an item cannot be used, for example because it cannot be encoded or decoded.
    case item(ItemFailure)
    /// The collection has no row with the id.
    case missingRow(id: String)
    /// The item has writes in the outbox, which must be sent before an operation can call the server directly.
    case pendingWrites(id: String)
    /// The outbox contains this number of writes that have not reached a server. Erase the store only if they can be
    /// discarded.
    case unsentWrites(Int)
    /// The collection or the entry belongs to the user with this id, not to the store's user.
    case otherUser(String)
    /// The server has a newer version of the item, which the row now contains. Nothing was written.
    case changedOnServer(id: String)
    /// The outbox has no entry with this number, or the entry's state does not allow the operation.
    case missingEntry(Int64)
    /// A direct call to the server failed: an in-step operation, a read through the store, or the fetching of a page
    /// during a synchronization.
    case call(APIError)
    /// The task was cancelled, or the store was closed.
    case cancelled
}

extension StoreError {
    /// A failure caused by a value or an item that cannot be used.
    public struct ItemFailure: Sendable, CustomStringConvertible {
        /// The path template of the collection, with `{}` for each value.
        public let template: String

        /// The id of the item; nil if it is unknown.
        public let id: String?

        /// The reason, and a remedy if there is one.
        public let reason: String

        /// The template, the id and the reason.
        public var description: String { "\(template)\(id.map { ", item \($0)" } ?? ""): \(reason)" }
    }
}

extension StoreError: CustomStringConvertible {
    /// A description of the error, with secrets redacted.
    public var description: String {
        switch self {
        case .database(let failure): "\(failure)"
        case .declaration(let error), .call(let error): "\(error)"
        case .clause(let error): "\(error)"
        case .item(let failure): "\(failure)"
        case .missingRow(let id): "the collection has no row with the id \(id.debugDescription)"
        case .pendingWrites(let id):
            "the item \(id.debugDescription) has writes in the outbox; send them first with synchronize()"
        case .unsentWrites(let count):
            "the outbox has unsent writes: \(count); synchronize first, or erase with discardingPendingWrites: true"
        case .otherUser(let user):
            "the collection or the entry belongs to \(user.isEmpty ? "no user" : "the user \(user.debugDescription)"),"
                + " but the store has been switched to another user; get the collection from the store again, or switch"
                + " the user back"
        case .changedOnServer(let id):
            "the server has a different version of the item \(id.debugDescription), which is now in the store; nothing"
                + " was written: read the item and repeat the change"
        case .missingEntry(let id):
            "the outbox has no entry \(id), or its state does not allow this; list the entries again"
        case .cancelled: "the task was cancelled, or the store was closed"
        }
    }
}

extension StoreError: LocalizedError {
    /// A short sentence for the user, such as "The stored data cannot be used.", without ids or paths.
    ///
    /// The error of a call to the server has its own sentence. As with `APIError`, an app can replace or translate the
    /// others in a strings table.
    public var errorDescription: String? {
        switch self {
        case .call(let error): error.errorDescription
        case .database: ErrorSentence.unusableCache.text
        case .declaration, .clause, .missingEntry: ErrorSentence.notMade.text
        case .item: ErrorSentence.unreadableResponse.text
        case .missingRow: ErrorSentence.notFound.text
        case .pendingWrites, .unsentWrites: ErrorSentence.notSent.text
        case .otherUser: ErrorSentence.notAllowed.text
        case .changedOnServer: ErrorSentence.changedMeanwhile.text
        case .cancelled: ErrorSentence.cancelled.text
        }
    }
}
