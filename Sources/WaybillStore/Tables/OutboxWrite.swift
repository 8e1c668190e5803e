import Waybill
import WaybillSystem

/// One write of the outbox, as its table has it.
struct OutboxWrite: Sendable, Equatable {
    enum Operation: String, Sendable {
        /// POST of the draft.
        case create
        /// PUT of the whole item; the content is the difference from the state before.
        case update
        /// PUT of a body with a form of its own.
        case replace
        /// PATCH of the difference from the state before.
        case patch
        /// DELETE.
        case delete
    }

    /// The number, in the order of the writes.
    var number: Int64 = 0
    var collection: Int64
    var row: Int64
    var operation: Operation

    /// The draft, the changes as a merge patch, or the whole body; null for a deletion.
    var content: JSONValue

    var phase = EntryLife.Phase.waiting

    /// The number of times that it was sent.
    var attempts = 0

    /// The date before which it is not sent again.
    var notBefore: Date?

    /// Whether the server has asked for that date.
    var isDelayedByServer = false

    /// The temporary ids that its path or its content refers to, except for its own.
    var references: Set<String> = []

    /// The last failure.
    var failure: OutboxEntry.Failure?

    /// The server's version, if the state is a conflict; nil if the server has deleted the item.
    var theirs: JSONValue?

    /// The server's version that came while an attempt may have been applied, with which the item is compared
    /// afterwards; `null` if the server has deleted the item.
    var newest: JSONValue?

    /// The request that it is part of, from its first attempt until the server's definite answer.
    var request: Int64?

    /// The row of a listed item that is probably the result of this creation; it is hidden until that is known.
    var twin: Int64?

    /// Whether an attempt has no known result.
    var isPossiblyApplied = false

    /// Whether it is sent alone, although its collection has batches.
    var isAlone = false

    var life: EntryLife { EntryLife(phase: phase, isPossiblyApplied: isPossiblyApplied) }

    /// Makes it a write that has not been sent.
    mutating func makeNew() {
        phase = .waiting
        attempts = 0
        notBefore = nil
        isDelayedByServer = false
        failure = nil
        theirs = nil
        newest = nil
        request = nil
        isPossiblyApplied = false
    }

    /// Returns the state of an item after this write; nil if it is deleted.
    func applied(to document: JSONValue?) -> JSONValue? {
        switch operation {
        case .create: content.merging(over: document ?? .object([:]))
        case .update, .patch: (document ?? .object([:])).applying(mergePatch: content)
        case .replace: content.merging(over: document ?? .object([:]))
        // The server still has what it did not delete.
        case .delete where phase == .parked || phase == .conflict: document
        case .delete: .none
        }
    }
}

extension Sequence<OutboxWrite> {
    /// Returns the state of an item after these writes; nil if it is deleted.
    func applied(to document: JSONValue?) -> JSONValue? { reduce(document) { $1.applied(to: $0) } }
}

/// A rule that makes one write of two, as long as the first one had no effect.
enum Coalescing: Equatable {
    /// The two stay apart, in their order.
    case separate
    /// One write takes the place of the first.
    case merged(OutboxWrite.Operation, JSONValue)
    /// Nothing remains to be sent.
    case nothing

    /// Returns what becomes of two writes of one row.
    ///
    /// - Parameters:
    ///   - last: the last pending write of the row.
    ///   - next: the operation that follows.
    ///   - content: its content.
    ///   - states: the item's state before the last write, and after the next one.
    init(
        _ last: OutboxWrite,
        _ next: OutboxWrite.Operation,
        _ content: JSONValue,
        states: (before: JSONValue?, after: JSONValue?)
    ) {
        guard last.life.isChangeable else {
            self = .separate
            return
        }
        switch (last.operation, next) {
        case (.create, .update), (.create, .patch):
            self = .merged(.create, last.content.applying(mergePatch: content))
        case (.create, .replace): self = .merged(.create, content.merging(over: last.content))
        case (.create, .delete): self = .nothing
        case (.replace, .update), (.replace, .patch):
            self = .merged(.replace, last.content.applying(mergePatch: content))
        case (.update, .replace), (.patch, .replace), (.replace, .replace): self = .merged(.replace, content)
        case (.update, .update), (.update, .patch), (.patch, .update), (.patch, .patch):
            // Not the two patches one over the other: an object that replaced another value would be merged into it.
            guard let before = states.before, let after = states.after else {
                self = .separate
                return
            }
            let operation = last.operation == .patch && next == .patch ? OutboxWrite.Operation.patch : .update
            self = JSONValue.mergePatch(from: before, to: after).map { .merged(operation, $0) } ?? .nothing
        case (.update, .delete), (.patch, .delete), (.replace, .delete): self = .merged(.delete, .null)
        // The server rejected the deletion: the next write takes its place.
        case (.delete, .update), (.delete, .patch), (.delete, .replace), (.delete, .delete):
            self = last.phase == .parked ? .merged(next, content) : .separate
        case (.delete, .create), (_, .create): self = .separate
        }
    }
}
