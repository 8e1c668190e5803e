import Waybill
import WaybillSystem

/// A write that waits, is under way, or needs attention.
///
/// ``StoredCollection/entries()`` has the entries of a collection with their items.
public struct OutboxEntry: Sendable, Identifiable, CustomStringConvertible {
    /// The last failure of an entry, as it is kept on the device; secrets redacted.
    public struct Failure: Sendable, Hashable, CustomStringConvertible {
        /// The first line of the error; see `APIError.summary`.
        public let summary: String

        /// The error with all that is known about it.
        public let description: String

        /// The status of the response; nil if none came.
        public let status: Int?

        /// A short sentence for a person.
        public let message: String

        /// The error itself; nil if another run of the program has met it.
        public internal(set) var error: APIError?

        init(_ error: APIError) {
            summary = error.summary
            description = error.description
            status = error.status?.code
            message = error.errorDescription ?? error.summary
            self.error = error
        }

        init(_ item: APIError.ItemsFailure.Item) {
            self.init(summary: "the server rejected the item in a batch: \(item)")
        }

        init(json: JSONValue) {
            summary = json["summary"]?.stringValue ?? ""
            description = json["description"]?.stringValue ?? ""
            status = json["status"]?.intValue
            message = json["message"]?.stringValue ?? ""
        }

        init(summary: String) {
            self.summary = summary
            description = summary
            status = nil
            message = summary
        }

        static func missingDeclaration(of template: String) -> Failure {
            Failure(
                summary: "the program has declared no collection of \(template) since it started;"
                    + " declare one, store.collection(…), and it is sent, or discard the entry"
            )
        }

        static func missingCapability(_ operation: Operation, of template: String) -> Failure {
            let capability =
                switch operation {
                case .create: "Creatable"
                case .update: "Updatable"
                case .patch: "Patchable"
                case .delete: "Deletable"
                }
            return Failure(
                summary:
                    "the resource \(template) does not declare \(capability), which this \(operation.rawValue) needs;"
                    + " declare it and retry the entry, or discard the entry"
            )
        }

        var json: JSONValue {
            [
                "summary": .string(summary), "description": .string(description),
                "status": status.map { .integer($0) } ?? .null, "message": .string(message),
            ]
        }

        /// Compares the texts.
        public static func == (left: Failure, right: Failure) -> Bool { left.json == right.json }

        /// Hashes the texts.
        public func hash(into hasher: inout Hasher) { hasher.combine(json) }
    }

    /// The operation of a resource.
    public enum Operation: String, Sendable, Hashable {
        /// The item is created.
        case create
        /// The item is replaced.
        case update
        /// Some members of the item are changed.
        case patch
        /// The item is deleted.
        case delete
    }

    /// The state of an entry.
    public enum State: Sendable, Hashable {
        /// It is sent as soon as nothing holds it back.
        case waiting(Wait)
        /// It is under way.
        case sending
        /// It was sent, and whether it was applied is not known; see ``Outbox/retry(_:)`` and
        /// ``Outbox/confirm(_:as:)``.
        case unknown
        /// It cannot be sent as it is, mostly because the server rejected it: ``OutboxEntry/failure`` has the reason.
        case parked
        /// The server has another version of the item; see ``Outbox/resolve(_:with:)``.
        case conflict

        /// Whether it waits for a decision.
        public var needsAttention: Bool {
            switch self {
            case .unknown, .parked, .conflict: true
            case .waiting, .sending: false
            }
        }
    }

    /// The reason for which an entry is not sent yet.
    public enum Wait: Sendable, Hashable {
        /// It is next.
        case turn
        /// An earlier write has to come first: of the same item, of a parent, or of an item that it refers to.
        case earlierWrite
        /// It waits until a date.
        case until(Date)
        /// It waits for a network.
        case network
        /// It waits for a sign-in.
        case signIn
        /// The program has declared no collection of its template since it started; see
        /// ``Store/collection(_:named:movedFrom:_:)``. After a synchronization, it is ``State/parked``.
        case declaration
        /// It belongs to another user, and is sent when the store is that user's; see ``Store/switchUser(to:)``.
        case otherUser
    }

    /// The number, in the order of the writes.
    public let id: Int64

    /// The operation.
    public let operation: Operation

    /// The id of the user who wrote it; nil for a store without users.
    public let user: String?

    /// The path of the collection as it was declared, each value replaced by `{}`.
    public let template: String

    /// The id of the item, as a segment of a path; a temporary one until the server has given one.
    public let itemID: String

    /// The state.
    public let state: State

    /// The number of times that it was sent.
    public let attempts: Int

    /// Whether an attempt has no known result: the server may have applied it, whatever it has answered since.
    public let isPossiblyApplied: Bool

    /// The last failure.
    public let failure: Failure?

    /// The draft, the changes as a JSON merge patch, the whole body, or null for a deletion.
    public let content: JSONValue

    /// The server's version, for a conflict; nil if the server has deleted the item.
    public let serverVersion: JSONValue?

    /// Whether the program has declared no collection that can send it.
    let isUndeclared: Bool

    /// The operation, the item and the state in one line.
    public var description: String {
        "\(operation) \(template), item \(itemID): \(state)\(failure.map { ", \($0.summary)" } ?? "")"
    }
}

extension OutboxEntry {
    /// The state of an item with entries in the outbox; an item without one has no state.
    ///
    /// ```swift
    /// let states = try await products.states()
    /// for product in try await products.elements() where states[product.id] != nil { print(product.name, "not sent") }
    /// ```
    ///
    /// If an item has several entries, one that needs a decision takes precedence.
    public enum RowState: Sendable, Hashable {
        /// Its writes are waiting or being sent.
        case pending
        /// A write cannot be sent as it is, mostly because the server rejected it; see ``OutboxEntry/State/parked``.
        case parked
        /// A write was sent, and whether it was applied is not known; see ``OutboxEntry/State/unknown``.
        case unknown
        /// The server has another version of the item; see ``OutboxEntry/State/conflict``.
        case conflict

        /// Whether an entry waits for a decision.
        public var needsAttention: Bool { self != .pending }
    }
}
