import Foundation
import Waybill

/// The entities of a mock server, as JSON, in the collections of their resources.
final class MockStore: Sendable {
    /// A collection: its entities in the order in which they were created.
    struct Collection: Sendable {
        private(set) var items: [(id: String, value: JSONValue)] = []
        private var lastNumber = 0

        /// The changes of entities, if lists of them can be asked for.
        private(set) var log: MockChangeLog?

        init(_ changes: MockServer.Changes? = nil) { log = changes.map { MockChangeLog($0) } }

        /// Adds an entity, and returns it as it is kept.
        @discardableResult
        mutating func add(_ id: String, _ value: JSONValue) -> JSONValue {
            let kept = log?.stamp(value, id) ?? value
            items.append((id, kept))
            return kept
        }

        /// Replaces an entity, and returns it as it is kept.
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
            // A UUID is the same in both spellings, and seeds may have either.
            let id = UUID.normalized(id)
            return items.firstIndex { UUID.normalized($0.id) == id }
        }

        /// Returns an id that no entity of the collection has, of the type of a schema's value.
        ///
        /// - Parameters:
        ///   - example: a value of the schema.
        ///   - isValid: whether an entity with an id decodes.
        /// - Returns: the id; nil if no candidate decodes.
        mutating func nextID(like example: JSONValue, isValid: (JSONValue) -> Bool) -> JSONValue? {
            lastNumber = number(after: max(lastNumber, items.compactMap { Int($0.id) }.max() ?? 0))
            guard let text = example.stringValue else { return .integer(lastNumber) }
            guard UUID(uuidString: text) == nil else {
                return .string(String(format: "00000000-0000-4000-8000-%012d", lastNumber))
            }
            let candidates = ["\(lastNumber)", text + "\(lastNumber)", text + "-\(lastNumber)", text]
            return candidates.filter { index(of: $0) == nil }.map(JSONValue.string).first(where: isValid)
        }

        /// Returns a number that is no id: the next one, or the lowest one that is free if there is no next one.
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

        /// The name of the entities, if resources of others have the same path; nil otherwise.
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
        /// The body as JSON, whose members have no order; nil for another format.
        let document: JSONValue?
        /// The response; nil until there is one.
        var response: StubResponse?

        /// Whether another request with the key is a repetition of this one.
        func isRepeated(by other: KeyedRequest) -> Bool {
            path == other.path && (document == nil ? body == other.body : document == other.document)
        }
    }

    /// The requests with idempotency keys, by their keys.
    let keyed = Monitor<[String: KeyedRequest]>([:])

    /// The operations that go on after the responses to their requests.
    let runs = Monitor<[MockRun]>([])

    init(_ changes: [MockServer.Changes] = []) {
        self.changes = Dictionary(changes.map { ($0.path, $0) }) { _, last in last }
    }

    /// Reads or changes a collection.
    ///
    /// - Throws: the error of the closure.
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

    /// Returns the entity with an id; nil if a collection has none.
    func value(_ id: String, in key: Key) -> JSONValue? {
        collections.current[key].flatMap { collection in collection.index(of: id).map { collection.items[$0].value } }
    }

    /// Whether a collection has an entity with an id.
    func holds(_ id: String, in key: Key) -> Bool { collections.current[key]?.index(of: id) != nil }
}
