import Waybill
import WaybillSystem

/// An event of a store, for a write, a conflict or a synchronization.
public enum StoreEvent: Sendable {
    /// The server has applied a write.
    case sent(OutboxEntry)
    /// A write has failed and will be retried.
    case delayed(OutboxEntry)
    /// A write is waiting for a sign-in, and so are all others.
    case signedOut(OutboxEntry)
    /// A write was rejected, or its outcome is unknown. It stays in the outbox until a decision is made.
    case needsAttention(OutboxEntry)
    /// The server's version was different from the edited one. Each conflict is reported once.
    ///
    /// ``StoredCollection/versions(of:)`` returns the versions as items.
    case conflict(StoreConflict)
    /// An item of a list has no id or cannot be read, or a row does not decode. The row is left unchanged.
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
    /// The given number of writes is being sent.
    case sending(Int)
    /// The given number of writes is waiting for a network, a server or a retry.
    case offline(waiting: Int)
    /// The given number of writes is waiting for a sign-in.
    case signedOut(waiting: Int)
    /// The given number of writes is waiting for a decision. Other writes are still sent.
    case attentionNeeded(Int)
}
