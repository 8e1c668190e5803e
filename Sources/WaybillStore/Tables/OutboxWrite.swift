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

    enum State: String, Sendable {
        /// It is sent as soon as nothing holds it back.
        case waiting
        /// It is under way.
        case sending
        /// It was under way when the program ended: whether it took effect is not known. It is sent again if a
        /// repetition takes effect once.
        case interrupted
        /// It was sent, and whether it took effect is not known; a repetition could take effect twice.
        case unknown
        /// The server rejected it.
        case parked
        /// The server has another version, and a person decides.
        case conflict
    }

    /// The number, in the order of the writes.
    var number: Int64 = 0
    var collection: Int64
    var row: Int64
    var operation: Operation

    /// The draft, the changes as a merge patch, or the whole body; null for a deletion.
    var content: JSONValue

    /// The key by which a server knows a repetition.
    var key: String
    var state = State.waiting

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

    /// The batch in which it was sent, by the number of the first write of it.
    ///
    /// It is nil if the write was not sent in a batch, and 0 if the write is to be sent alone.
    var batch: Int64?

    /// Whether it may be sent without a decision of a person.
    var isSendable: Bool { state == .waiting || state == .interrupted }

    /// Whether it can still be changed: it had no effect, because it was not sent or the server rejected it.
    var isChangeable: Bool { state == .parked || state == .waiting && attempts == 0 }

    /// Makes it a write that has not been sent.
    mutating func makeNew(key: String) {
        self.key = key
        state = .waiting
        attempts = 0
        notBefore = nil
        isDelayedByServer = false
        failure = nil
        theirs = nil
        batch = nil
    }

    /// Returns the state of an item after this write; nil if it is deleted.
    func applied(to document: JSONValue?) -> JSONValue? {
        switch operation {
        case .create: content.merging(over: document ?? .object([:]))
        case .update, .patch: (document ?? .object([:])).applying(mergePatch: content)
        case .replace: content.merging(over: document ?? .object([:]))
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
        guard last.isChangeable else {
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
        case (.delete, _), (_, .create): self = .separate
        }
    }
}
