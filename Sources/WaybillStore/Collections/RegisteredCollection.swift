import Waybill
import WaybillSystem

/// A collection without the type of its items, as the outbox and the synchronization see it.
protocol RegisteredCollection: AnyObject, IndexedCollection {
    /// The path as it was declared, each value replaced by `{}`.
    var template: String { get }

    /// The URL of the list, by which the collection is known.
    var url: String { get }

    /// The resource, at the path that its collection has now.
    var resource: DocumentResource { get }

    var conflictRule: ConflictRule { get }
    var delta: Delta? { get }

    /// Returns the id of a document: its text as a segment of a path, and its JSON; nil if it has none.
    func id(of document: JSONValue) -> (text: String, json: JSONValue)?

    /// The id of a row, for a call; nil for a singleton.
    func operationID(of row: StoredRow) -> OperationID?

    /// Returns the number of the collection in the file; makes it known there, with its indexes, before.
    func number(in core: StoreCore) async throws(StoreError) -> Int64

    /// Gives the collection another path.
    func move(to resource: DocumentResource, url: String)

    /// Shows changes to who observes the collection.
    func publish(_ changes: RowChanges)

    /// Ends the sequences of who observes the collection.
    func endObservation()
}

/// The collection of a type of items: what was declared, and who observes it.
final class CollectionContext<Element: Entity>: RegisteredCollection {
    private struct State {
        var resource: DocumentResource
        var url: String
        var number: Int64?
        var indexes: [(number: Int64, index: Index<Element>)] = []
    }

    let template: String
    let clauses: CollectionClauses<Element>
    let conflictRule: ConflictRule
    let coding: ItemCoding<Element>
    let idKey: String
    let observers = RowObservers<Element>()
    private let state: Locked<State>
    private let declarationError: StoreError?

    init(
        _ resource: DocumentResource,
        address: Result<DocumentResource.Address, APIError>,
        _ clauses: CollectionClauses<Element>
    ) {
        var clauses = clauses
        if let index = clauses.keep?.index, !clauses.indexes.contains(where: { $0.path == index.path }) {
            clauses.indexes.append(index)
        }
        self.clauses = clauses
        let operation: On.Operation = .update
        coding = ItemCoding(decoder: resource.decoder) { (item) throws(APIError) in
            try resource.document(of: item, for: operation)
        }
        conflictRule = ConflictRule(clauses.conflicts, coding)
        idKey = clauses.identifier?.key ?? (Element.self as? any JSONEntity.Type)?.idKey ?? "id"
        switch address {
        case .success(let address):
            template = address.template
            state = Locked(State(resource: resource, url: address.url))
            declarationError =
                clauses.errors.first.map { .clause($0) }
                ?? (resource.hasJSON ? nil : .clause(Self.otherFormat(resource.decoder)))
                ?? (clauses.delta?.isTagged == true && resource.isPaginated ? .clause(Self.taggedPages) : nil)
        case .failure(let error):
            template = error.call.template
            state = Locked(State(resource: resource, url: ""))
            declarationError = .declaration(error)
        }
    }

    /// Creates the collection of a place that has another type of items already: every use is an error.
    convenience init(_ resource: DocumentResource, rejecting place: DocumentResource.Address) {
        var clauses = CollectionClauses<Element>()
        clauses.errors.append(
            DeclarationError(
                clause: "collection",
                value: place.template,
                reason: "the store has a collection with items of another type at this place; give both one type"
            )
        )
        self.init(resource, address: .success(place), clauses)
    }

    private static func otherFormat(_ decoder: any ResponseDecoder) -> DeclarationError {
        DeclarationError(
            clause: "Decode",
            value: "\(type(of: decoder))",
            reason: "a store keeps items as JSON; declare a JSON decoder for the resource"
        )
    }

    private static var taggedPages: DeclarationError {
        DeclarationError(
            clause: "Delta",
            value: ".entityTag",
            reason: "the list has pages, and the tag of one says nothing of the others; leave the clause out"
        )
    }

    var resource: DocumentResource { state.withLock { $0.resource } }
    var url: String { state.withLock { $0.url } }
    var delta: Delta? { clauses.delta }
    var hasIndexes: Bool { !clauses.indexes.isEmpty }

    func move(to resource: DocumentResource, url: String) {
        state.withLock { state in
            state.resource = resource
            state.url = url
            state.number = nil
        }
    }

    func id(of document: JSONValue) -> (text: String, json: JSONValue)? {
        if resource.isSingleton { return (SingleItem<DocumentResource.Document>.only, .null) }
        if let item = try? coding.item(document) {
            let text = Element.ID.pathSegment(of: item.id)
            return (text, document[idKey] ?? .string(text))
        }
        // An item that does not decode keeps its place, if its id can be read.
        return document[idKey].flatMap { json in
            JSONValue.EntityID(json).map { (JSONValue.EntityID.pathSegment(of: $0), json) }
        }
    }

    func operationID(of row: StoredRow) -> OperationID? {
        resource.isSingleton
            ? nil : OperationID(segment: row.id, value: row.document[idKey] ?? .string(row.id), type: Element.ID.self)
    }

    func indexEntries(of document: JSONValue) -> [(index: Int64, value: IndexValue)] {
        let indexes = state.withLock { $0.indexes }
        guard !indexes.isEmpty, let item = try? coding.item(document) else { return [] }
        return indexes.map { ($0.number, $0.index.value(item)) }
    }

    func indexNumber(_ path: PartialKeyPath<Element>) -> Int64? {
        state.withLock { state in state.indexes.first { $0.index.path == path }?.number }
    }

    func bound(at now: Date) -> RowBound? {
        guard let keep = clauses.keep, let index = indexNumber(keep.index.path) else { return nil }
        switch keep.bound {
        case .count(let count): return .count(count, index: index)
        case .age(let age): return .value((now - age).timeIntervalSince1970, index: index)
        }
    }

    func publish(_ changes: RowChanges) { observers.publish(changes, coding) }

    func endObservation() { observers.end() }

    /// Returns the number of the collection in the file; makes it known there first, with its indexes.
    ///
    /// A store that only reads has 0 for a collection that the file does not have, and no rows of it.
    func number(in core: StoreCore) async throws(StoreError) -> Int64 {
        if let declarationError { throw declarationError }
        if let number = state.withLock({ $0.number }) { return number }
        try await core.resolve(self)
        let (url, template) = (self.url, self.template)
        let names = clauses.indexes.map(\.name)
        if core.isReadOnly {
            let known = try await core.read { (connection) throws(StoreError) -> (Int64, [String: Int64])? in
                guard let number = try connection.collection(at: url) else { return nil }
                return (number, try connection.indexes(of: number))
            }
            guard let (number, indexes) = known else { return 0 }
            take(names.map { indexes[$0] })
            state.withLock { $0.number = number }
            return number
        }
        // Another write in the same commit has to find the indexes; the number is used when the commit is there.
        let opened = Locked<Int64?>(nil)
        do throws(StoreError) {
            let number = try await core.write { (write) throws(StoreError) in
                let number = try write.openCollection(at: url, template: template, of: self)
                core.know(self, as: number)
                opened.withLock { $0 = number }
                return number
            }
            state.withLock { $0.number = number }
            return number
        } catch {
            if let number = opened.withLock({ $0 }) { core.forget(self, as: number) }
            throw error
        }
    }

    /// Takes the numbers that the indexes have in the file; nil for one that is not there.
    func take(_ indexes: [Int64?]) {
        state.withLock { state in
            state.indexes = zip(indexes, clauses.indexes).compactMap { (number, index) in number.map { ($0, index) } }
        }
    }
}

/// The value of a singleton as the only item of a collection: with an id that no document has.
struct SingleItem<Value: Representation>: Entity {
    static var only: String { "" }

    var value: Value

    var id: String { Self.only }

    init(value: Value) { self.value = value }

    init(from decoder: any Decoder) throws { value = try Value(from: decoder) }

    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

extension StoreWrite {
    /// Returns the number of a collection; makes its indexes what is declared.
    fileprivate func openCollection<Element>(
        at url: String,
        template: String,
        of context: CollectionContext<Element>
    ) throws(StoreError) -> Int64 {
        try connection.execute(
            "INSERT OR IGNORE INTO collections (url, template) VALUES (?, ?)",
            [.text(url), .text(template)]
        )
        guard let number = try connection.collection(at: url) else { throw .corrupt("a collection is missing") }
        let known = try connection.indexes(of: number)
        let names = context.clauses.indexes.map(\.name)
        for (name, index) in known where !names.contains(name) {
            try connection.execute("DELETE FROM index_entries WHERE \"index\" = ?", [.integer(index)])
            try connection.execute("DELETE FROM indexes WHERE number = ?", [.integer(index)])
        }
        var numbers: [Int64] = []
        var isNew = false
        for name in names {
            if let index = known[name] {
                numbers.append(index)
            } else {
                try connection.execute(
                    "INSERT INTO indexes (collection, name) VALUES (?, ?)",
                    [.integer(number), .text(name)]
                )
                numbers.append(connection.lastInsertedRow)
                isNew = true
            }
        }
        context.take(numbers)
        if isNew {
            for row in try connection.rows(where: "collection = ?", [.integer(number)]) { try index(row, by: context) }
        }
        return number
    }
}
