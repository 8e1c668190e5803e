import Waybill
import WaybillSystem

/// An event of a store, for a write, a conflict or a synchronization.
public enum StoreEvent: Sendable {
    /// The server has applied a write.
    case sent(OutboxEntry)
    /// A write waits to be retried.
    case delayed(OutboxEntry)
    /// A write, and all others with it, wait for a sign-in.
    case signedOut(OutboxEntry)
    /// A write was rejected, or its outcome is unknown. It stays in the outbox until a decision.
    case needsAttention(OutboxEntry)
    /// The server had another version than the edited one. Each conflict is reported once.
    ///
    /// ``StoredCollection/versions(of:)`` returns the versions as items.
    case conflict(StoreConflict)
    /// An item of a list has no id or cannot be read, or a row does not decode. The row stays as it is.
    case unreadable(StoreError.ItemFailure)
    /// An item, write or request was found damaged in the file, and was set aside.
    case damaged(SynchronizationReport.DamagedRecord)
    /// A page of a collection was stored.
    case pulled(SynchronizationReport.Progress)
}

/// The state of a store's outbox.
///
/// If several apply, the first of ``sending(_:)``, ``signedOut(waiting:)``, ``offline(waiting:)`` and
/// ``attentionNeeded(_:)`` is reported.
public enum StoreStatus: Sendable, Hashable {
    /// All writes have reached their servers.
    case idle
    /// This number of writes is being sent.
    case sending(Int)
    /// This number of writes waits for a network, a server or a retry.
    case offline(waiting: Int)
    /// This number of writes waits for a sign-in.
    case signedOut(waiting: Int)
    /// This number of writes waits for a decision. Other writes are still sent.
    case attentionNeeded(Int)
}
