import Waybill
import WaybillSystem

/// An event of a store: a change to a write, a conflict, or progress or a problem of a synchronization.
public enum StoreEvent: Sendable {
    /// The server applied a write.
    case sent(OutboxEntry)
    /// A write failed, and will be retried.
    case delayed(OutboxEntry)
    /// A write failed for lack of a valid credential; all writes wait for a sign-in.
    case signedOut(OutboxEntry)
    /// A write was rejected, cannot be sent, or has an unknown outcome. It stays in the outbox until a decision is
    /// made.
    case needsAttention(OutboxEntry)
    /// The server has a different version of an item with local changes. Each conflict is reported once.
    ///
    /// ``StoredCollection/versions(of:)`` returns the versions as items.
    case conflict(StoreConflict)
    /// A list item has no id or cannot be read, or a row does not decode. The row is left unchanged.
    case unreadable(StoreError.ItemFailure)
    /// An item, write or request was found damaged in the file, and set aside.
    case damaged(SynchronizationReport.DamagedRecord)
    /// A page of a collection was stored.
    case pulled(SynchronizationReport.Progress)
}

/// The state of a store's outbox.
///
/// If several states apply, the first of these is reported: ``sending(_:)``, ``signedOut(waiting:)``,
/// ``offline(waiting:)`` without a connection, ``attentionNeeded(_:)``, and ``offline(waiting:)`` for other reasons.
public enum StoreStatus: Sendable, Hashable {
    /// The current user has no pending writes.
    case idle
    /// The given number of writes are being sent.
    case sending(Int)
    /// The given number of writes are waiting for a network, a server or a retry.
    case offline(waiting: Int)
    /// The given number of writes are waiting for a sign-in.
    case signedOut(waiting: Int)
    /// The given number of writes need a decision. Other writes are still sent.
    case attentionNeeded(Int)
}
