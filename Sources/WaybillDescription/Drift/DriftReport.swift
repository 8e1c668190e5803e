import Waybill
import WaybillSystem

/// The differences between responses and the types that decode them, by endpoint and key path.
///
/// It has keys of responses, and no values.
public struct DriftReport: Sendable, Hashable {
    /// The endpoints of which responses were compared, by template and method.
    public let endpoints: [Endpoint]

    /// The number of findings beyond the limits of the detector.
    public let omittedCount: Int

    /// Whether nothing was found.
    public var isEmpty: Bool { omittedCount == 0 && endpoints.allSatisfy(\.entries.isEmpty) }

    /// The number of responses that were compared.
    public var responseCount: Int { endpoints.reduce(0) { $0 + $1.responseCount } }

    /// An endpoint and what was found in its responses.
    public struct Endpoint: Sendable, Hashable {
        struct ID: Hashable, Sendable {
            let method: HTTPRequest.Method
            let template: String
        }

        private let id: ID

        /// The number of responses that were compared.
        public let responseCount: Int

        /// The findings, by key path.
        public let entries: [Entry]

        init(id: ID, responseCount: Int, entries: [Entry]) {
            self.id = id
            self.responseCount = responseCount
            self.entries = entries
        }

        /// The method.
        public var method: HTTPRequest.Method { id.method }

        /// The path as it was declared, each value replaced by `{}`.
        public var template: String { id.template }
    }

    /// A difference at a key path.
    public struct Entry: Sendable, Hashable {
        /// The path from the top of the body: `data[].price`; `*` stands for keys that are data, and the empty text for
        /// the body itself.
        public let keyPath: String

        /// The kind of the difference.
        public let kind: Kind

        /// The number of values, or of objects without the key.
        public let count: Int

        /// The number of responses that have it.
        public let responseCount: Int

        /// The date of the first one.
        public let first: Date

        /// The date of the last one.
        public let last: Date

        init(keyPath: String, kind: Kind, tally: DriftPlace.Tally) {
            self.keyPath = keyPath
            self.kind = kind
            count = tally.count
            responseCount = tally.responses
            first = tally.first
            last = tally.last
        }
    }

    /// A kind of difference.
    public enum Kind: Sendable, Hashable {
        /// A member or an element that no type decodes.
        case unread
        /// A member that must be there, and is missing.
        case missing
        /// An optional member that came in none of the responses.
        case neverPresent
        /// A null that the type does not take.
        case null
        /// A value of another type, each with its name in JSON Schema, such as `integer`.
        case otherType(expected: String, found: String)
        /// A value that no case of an enum has.
        case unknownCase
        /// An item that was dropped from a list.
        case droppedItem
        /// A body that was not decoded for a reason that the comparison does not see, such as a date of another form.
        case undecodable
    }
}
