import Waybill
import WaybillSystem

/// A pending write: waiting, being sent, or in need of a decision.
///
/// ``StoredCollection/entries()`` returns the entries of a collection with their items.
public struct OutboxEntry: Sendable, Identifiable, CustomStringConvertible {
    /// The last failure of an entry, as stored on the device, with secrets redacted.
    public struct Failure: Sendable, Hashable, CustomStringConvertible {
        /// The first line of the error; see `APIError.summary`.
        public let summary: String

        /// The complete description of the error.
        public let description: String

        /// The status code of the response; nil if the error has none.
        public let status: Int?

        /// A short sentence to show to the user.
        public let message: String

        /// The error itself; nil if it occurred in an earlier run of the app, or if the failure was not an `APIError`.
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
                summary: "the app has not declared a collection of \(template) since it started; declare it with"
                    + " store.collection(…) to send the entry, or discard the entry"
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
                    "the resource \(template) does not declare \(capability), which the operation \(operation.rawValue)"
                    + " requires; declare it and retry the entry, or discard the entry"
            )
        }

        var json: JSONValue {
            [
                "summary": .string(summary), "description": .string(description),
                "status": status.map { .integer($0) } ?? .null, "message": .string(message),
            ]
        }

        /// Compares the texts and the status code.
        ///
        /// - Parameters:
        ///   - left: a failure.
        ///   - right: the failure to compare it with.
        /// - Returns: whether they are equal.
        public static func == (left: Failure, right: Failure) -> Bool { left.json == right.json }

        /// Hashes the texts and the status code.
        ///
        /// - Parameter hasher: the hasher that receives the parts.
        public func hash(into hasher: inout Hasher) { hasher.combine(json) }
    }

    /// The operation of a write.
    public enum Operation: String, Sendable, Hashable {
        /// Creates the item.
        case create
        /// Replaces the item.
        case update
        /// Changes some members of the item.
        case patch
        /// Deletes the item.
        case delete
    }

    /// The state of an entry.
    public enum State: Sendable, Hashable {
        /// Waiting to be sent, for the given reason.
        case waiting(Wait)
        /// Being sent.
        case sending
        /// Sent, with an unknown outcome; see ``Store/Outbox/retry(_:)`` and ``Store/Outbox/confirm(_:as:)``.
        case unknown
        /// Held back, usually because the server rejected it; see ``OutboxEntry/failure``.
        case parked
        /// In conflict with a different version on the server; see ``Store/Outbox/resolve(_:with:)``.
        case conflict

        /// Whether a decision about the entry is needed.
        public var needsAttention: Bool {
            switch self {
            case .unknown, .parked, .conflict: true
            case .waiting, .sending: false
            }
        }
    }

    /// The reason why an entry is waiting.
    public enum Wait: Sendable, Hashable {
        /// The entry is about to be sent.
        case turn
        /// An earlier write must be sent first, to the same item, a parent or child, or a referenced item.
        case earlierWrite
        /// The entry is retried at this date.
        case until(Date)
        /// There is no network.
        case network
        /// A sign-in is needed.
        case signIn
        /// The app has not declared the write's collection since it started; see
        /// ``Store/collection(_:named:movedFrom:_:)``. After a synchronization, the entry is ``State/parked``, or
        /// ``State/unknown`` if it may have been applied.
        case declaration
        /// The entry belongs to another user, and is sent after the store is switched to that user; see
        /// ``Store/switchUser(to:)``.
        case otherUser
    }

    /// The number of the entry, which increases with each write.
    public let id: Int64

    /// The operation of the write.
    public let operation: Operation

    /// The id of the user who owns the write; nil for a store without users.
    public let user: String?

    /// The path template of the collection, with `{}` for each value.
    public let template: String

    /// The id of the item as a path segment; temporary until the server assigns a permanent one.
    public let itemID: String

    /// The state of the entry.
    public let state: State

    /// The number of attempts to send the write.
    public let attempts: Int

    /// Whether an attempt has an unknown outcome: the server may have applied it, even if it rejects later attempts.
    public let isPossiblyApplied: Bool

    /// The last failure, if any.
    public let failure: Failure?

    /// The content to send: a draft, a JSON merge patch or a whole body; null for a deletion.
    public let content: JSONValue

    /// The server's version of the item in a conflict; nil if there is no conflict or the server has deleted the item.
    public let serverVersion: JSONValue?

    /// Whether no declared collection can send the write.
    let isUndeclared: Bool

    /// The operation, the item and the state, in one line.
    public var description: String {
        "\(operation) \(template), item \(itemID): \(state)\(failure.map { ", \($0.summary)" } ?? "")"
    }
}

extension OutboxEntry {
    /// The combined state of an item's outbox entries; an item without entries has no state.
    ///
    /// ```swift
    /// let states = try await products.states()
    /// for product in try await products.elements() where states[product.id] != nil { print(product.name, "not sent") }
    /// ```
    ///
    /// If an item has several entries, ``conflict`` takes precedence, then ``unknown``, ``parked`` and ``pending``.
    public enum RowState: Sendable, Hashable {
        /// All writes are waiting or being sent.
        case pending
        /// A write is held back, usually because the server rejected it; see ``OutboxEntry/State/parked``.
        case parked
        /// A write was sent, with an unknown outcome; see ``OutboxEntry/State/unknown``.
        case unknown
        /// The server has a different version of the item; see ``OutboxEntry/State/conflict``.
        case conflict

        /// Whether a decision about an entry is needed.
        public var needsAttention: Bool { self != .pending }
    }
}
