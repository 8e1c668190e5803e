import Waybill
import WaybillSystem

/// An event of a store: what became of a write, of a conflict or of a synchronization.
public enum StoreEvent: Sendable {
    /// The server has a write.
    case sent(OutboxEntry)
    /// A write waits for its server.
    case delayed(OutboxEntry)
    /// A write waits for a sign-in, and all others with it.
    case signedOut(OutboxEntry)
    /// A write was rejected, or its effect is not known; it stays in the outbox until a decision.
    case needsAttention(OutboxEntry)
    /// The server had another version than the one that was edited; each conflict is reported once.
    ///
    /// ``StoredCollection/versions(of:)`` has the versions as items.
    case conflict(StoreConflict)
    /// An item of a list has no id, or cannot be read; its row stays as it was.
    case unreadable(StoreError.ItemFailure)
    /// An item, a write or a request was damaged in the file, and was set aside.
    case damaged(SynchronizationReport.DamagedRecord)
    /// A page of a collection has been stored.
    case pulled(SynchronizationReport.Progress)
}

/// The state of a store's outbox, in the order of importance.
public enum StoreStatus: Sendable, Hashable {
    /// Servers have all writes.
    case idle
    /// Writes are under way.
    case sending(Int)
    /// Writes wait for their server.
    case offline(waiting: Int)
    /// Writes wait for a sign-in.
    case signedOut(waiting: Int)
    /// Writes wait for a decision; others go on.
    case attentionNeeded(Int)
}
