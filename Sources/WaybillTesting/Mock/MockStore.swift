import Foundation
import Waybill

/// The entities of a mock server, stored as JSON in the collections of their resources.
final class MockStore: Sendable {
    /// A collection of entities, in creation order.
    struct Collection: Sendable {
        private(set) var items: [(id: String, value: JSONValue)] = []
        private var lastNumber = 0

        /// The log of changes; nil unless lists can be limited to changes.
        private(set) var log: MockChangeLog?

        init(_ changes: MockServer.Changes? = nil) { log = changes.map { MockChangeLog($0) } }

        /// Adds an entity, and returns it as stored.
        @discardableResult
        mutating func add(_ id: String, _ value: JSONValue) -> JSONValue {
            let kept = log?.stamp(value, id) ?? value
            items.append((id, kept))
            return kept
        }

        /// Replaces an entity, and returns it as stored.
        @discardableResult
        mutating func replace(at index: Int, by value: JSONValue) -> JSONValue {
            let kept = log?.stamp(value, items[index].id) ?? value
            items[index].value = kept
            return kept
        }

        /// Removes an entity.
        mutating func remove(at index: Int, idPath: [EnvelopeKey]?) {
            let item = items.remove(at: index)
            log?.noteDeletion(of: item.value, item.id, idPath: idPath)
        }

        func index(of id: String) -> Int? {
            // UUIDs match case-insensitively, because seeds may use either case.
            let id = UUID.normalized(id)
            return items.firstIndex { UUID.normalized($0.id) == id }
        }

        /// Returns an unused id of the same type as an example.
        ///
        /// - Parameters:
        ///   - example: the example of an id.
        ///   - isValid: a closure that returns whether an entity with a given id decodes.
        /// - Returns: the id, or nil if no candidate decodes.
        mutating func nextID(like example: JSONValue, isValid: (JSONValue) -> Bool) -> JSONValue? {
            lastNumber = number(after: max(lastNumber, items.compactMap { Int($0.id) }.max() ?? 0))
            guard let text = example.stringValue else { return .integer(lastNumber) }
            guard UUID(uuidString: text) == nil else {
                return .string(String(format: "00000000-0000-4000-8000-%012d", lastNumber))
            }
            let candidates = ["\(lastNumber)", text + "\(lastNumber)", text + "-\(lastNumber)", text]
            return candidates.filter { index(of: $0) == nil }.map(JSONValue.string).first(where: isValid)
        }

        /// Returns an unused number: the next one or, if that overflows, the lowest.
        private func number(after last: Int) -> Int {
            guard last == .max else { return last + 1 }
            let taken = Set(items.map(\.id))
            return (1...).first { !taken.contains("\($0)") } ?? 1
        }
    }

    /// The identity of a collection.
    struct Key: Sendable, Hashable, Comparable {
        /// The path of the resource, percent-encoded.
        let path: String

        /// The name of the entities if they have a separate collection at a shared path; otherwise nil.
        let entities: String?

        static func < (left: Key, right: Key) -> Bool {
            (left.path, left.entities ?? "") < (right.path, right.entities ?? "")
        }
    }

    private let collections = Monitor<[Key: Collection]>([:])
    private let changes: [String: MockServer.Changes]

    /// A request with an idempotency key.
    struct KeyedRequest: Sendable {
        let path: String
        let body: Data
        /// The body as JSON, for a comparison that ignores member order; nil if it is neither JSON nor a form.
        let document: JSONValue?
        /// The response; nil until it is available.
        var response: StubResponse?

        /// Whether another request with the same key repeats this one.
        func isRepeated(by other: KeyedRequest) -> Bool {
            path == other.path && (document == nil ? body == other.body : document == other.document)
        }
    }

    /// The requests with idempotency keys, by key.
    let keyed = Monitor<[String: KeyedRequest]>([:])

    /// The long-running operations.
    let runs = Monitor<[MockRun]>([])

    init(_ changes: [MockServer.Changes] = []) {
        self.changes = Dictionary(changes.map { ($0.path, $0) }) { _, last in last }
    }

    /// Reads or changes a collection.
    ///
    /// - Throws: the closure's error.
    func update<Value, Failure: Error>(
        _ key: Key,
        _ body: (inout Collection) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        try collections.update { collections in
            Result { () throws(Failure) in try body(&collections[key, default: Collection(changes[key.path])]) }
        }.get()
    }

    /// The keys of all collections.
    var keys: [Key] { collections.current.keys.sorted() }

    /// Returns the entity with the given id, or nil if the collection has none.
    func value(_ id: String, in key: Key) -> JSONValue? {
        collections.current[key].flatMap { collection in collection.index(of: id).map { collection.items[$0].value } }
    }

    /// Whether a collection has an entity with an id.
    func holds(_ id: String, in key: Key) -> Bool { collections.current[key]?.index(of: id) != nil }
}
