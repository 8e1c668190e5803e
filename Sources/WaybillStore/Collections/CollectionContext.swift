import Waybill
import WaybillSystem

/// A declared collection: its resource, clauses, conflict rule and observers.
final class CollectionContext<Element: Entity>: RegisteredCollection {
    private struct State {
        var resource: DocumentResource
        var record: CollectionRecord
        var number: Int64?
        var indexes: [(number: Int64, index: Store.Index<Element>)] = []
    }

    let declaresUser: Bool
    let name: String?
    let clientFields: String
    let clauses: CollectionClauses<Element>
    let conflictRule: ConflictRule
    let coding: ItemCoding<Element>
    let idKey: String
    let observers = RowObservers<Element>()
    let stateObservers = RowObservers<RowStatus>()
    let undecodable = UndecodableRows()
    private let state: Locked<State>
    let declarationError: StoreError?

    /// Creates the collection for a resource.
    ///
    /// - Parameters:
    ///   - resource: the resource.
    ///   - address: the resource's address, or the error in its declaration.
    ///   - name: the declared name; nil for an unnamed collection.
    ///   - user: the store's user.
    ///   - clauses: the declared clauses.
    init(
        _ resource: DocumentResource,
        address: Result<DocumentResource.Address, APIError>,
        name: String? = nil,
        user: String,
        _ clauses: CollectionClauses<Element>
    ) {
        var clauses = clauses
        if let index = clauses.keep?.index, !clauses.indexes.contains(where: { $0.path == index.path }) {
            clauses.indexes.append(index)
        }
        self.clauses = clauses
        self.name = name
        let operation: On.Operation = .update
        coding = ItemCoding(decoder: resource.decoder) { (item) throws(APIError) in
            try resource.document(of: item, for: operation)
        }
        conflictRule = ConflictRule(clauses.conflicts, coding)
        idKey = clauses.identifier?.key ?? (Element.self as? any JSONEntity.Type)?.idKey ?? "id"
        switch address {
        case .success(let address):
            declaresUser = address.user != nil
            clientFields = address.clientFields
            state = Locked(State(resource: resource, record: CollectionRecord(address, name: name, user: user)))
            declarationError =
                clauses.errors.first.map { .clause($0) }
                ?? (name?.isEmpty == true ? .clause(Self.emptyName) : nil)
                ?? (resource.hasJSON ? nil : .clause(Self.notJSON(resource.decoder)))
                ?? (clauses.delta?.usesEntityTag == true && resource.isPaginated
                    ? .clause(Self.entityTagWithPages) : nil)
        case .failure(let error):
            declaresUser = false
            clientFields = ""
            let key = CollectionKey(user: user, text: "")
            let record = CollectionRecord(key: key, address: "", template: error.call.template)
            state = Locked(State(resource: resource, record: record))
            declarationError = .declaration(error)
        }
    }

    /// Creates a collection whose operations all throw, because it conflicts with another declaration.
    ///
    /// - Parameters:
    ///   - resource: the resource.
    ///   - address: the resource's address.
    ///   - user: the store's user.
    ///   - reason: the reason for the conflict, and a remedy.
    convenience init(
        _ resource: DocumentResource,
        rejecting address: DocumentResource.Address,
        user: String,
        because reason: String
    ) {
        var clauses = CollectionClauses<Element>()
        clauses.errors.append(Scope.DeclarationError(clause: "collection", value: address.template, reason: reason))
        self.init(resource, address: .success(address), user: user, clauses)
    }

    private static var emptyName: Scope.DeclarationError {
        Scope.DeclarationError(clause: "named", value: "\"\"", reason: "the name is empty; leave it out")
    }

    private static func notJSON(_ decoder: any ResponseDecoder) -> Scope.DeclarationError {
        Scope.DeclarationError(
            clause: "Decode",
            value: "\(type(of: decoder))",
            reason: "a store keeps items as JSON; declare a JSON decoder for the resource"
        )
    }

    private static var entityTagWithPages: Scope.DeclarationError {
        Scope.DeclarationError(
            clause: "Store.Delta",
            value: ".entityTag",
            reason: "the list is paginated, and a page's entity tag does not cover the other pages; omit the clause"
        )
    }

    var resource: DocumentResource { state.withLock { $0.resource } }
    var isOpen: Bool { state.withLock { $0.number != nil } }
    var record: CollectionRecord { state.withLock { $0.record } }
    var key: CollectionKey { record.key }
    var address: String { record.address }
    var template: String { record.template }
    var delta: Store.Delta? { clauses.delta }
    var hasIndexes: Bool { !clauses.indexes.isEmpty }

    func move(to resource: DocumentResource, _ record: CollectionRecord) {
        state.withLock { state in
            state.resource = resource
            state.record = record
            state.number = nil
        }
    }

    func readdressed(to record: CollectionRecord) -> (any RegisteredCollection)? {
        let moved = StoreWrite.RenamedCollection(old: self.record, new: record).applied(to: resource)
        guard declarationError == nil, let address = try? moved.address() else { return nil }
        let context = CollectionContext(moved, address: .success(address), name: name, user: record.key.user, clauses)
        return context.key == record.key && context.address == record.address ? context : nil
    }

    func id(of document: JSONValue) -> (text: String, json: JSONValue)? {
        if resource.isSingleton { return (SingleItem<DocumentResource.Document>.onlyID, .null) }
        if let item = try? coding.item(document) {
            let text = Element.ID.pathSegment(of: item.id)
            return (text, document[idKey] ?? (try? json(of: item.id)) ?? .string(text))
        }
        // An item that does not decode keeps its row if its id can be read.
        return document[idKey].flatMap { json in
            JSONValue.EntityID(json).map { (JSONValue.EntityID.pathSegment(of: $0), json) }
        }
    }

    func withReadableID(_ document: JSONValue) -> JSONValue {
        guard let id = document[idKey], (try? coding.item(document)) == nil else { return document }
        let other: JSONValue? =
            switch id {
            case .string(let text): Int(text).flatMap { "\($0)" == text ? .integer($0) : nil }
            case .integer(let number): .string("\(number)")
            default: nil
            }
        guard let other else { return document }
        let readable = document.applying(mergePatch: .object([idKey: other]))
        return (try? coding.item(readable)) == nil ? document : readable
    }

    /// Returns an id as JSON.
    func json(of id: Element.ID) throws(StoreError) -> JSONValue {
        guard let id = id as? any Encodable else { return .string(Element.ID.pathSegment(of: id)) }
        return try document(of: id, for: .update)
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

    func endObservation() {
        observers.end()
        stateObservers.end()
    }

    /// Returns the collection's number in the file, adding the collection and its indexes if necessary.
    ///
    /// If the store is read-only and the file lacks the collection, returns 0, which is never a collection's number.
    func number(in core: StoreCore) async throws(StoreError) -> Int64 {
        if let declarationError { throw declarationError }
        guard core.registry.isActive(self) else { throw .otherUser(key.user) }
        if let number = state.withLock({ $0.number }) { return number }
        try await core.updateAddress(of: self)
        let record = record
        // A collection that is still declared at a former address keeps its rows.
        let moved = clauses.formerAddresses.filter { core.registry.collection(at: $0, of: record.key.user) == nil }
        let names = clauses.indexes.map(\.name)
        if core.isReadOnly {
            let known = try await core.read { (connection) throws(StoreError) -> (Int64, [String: Int64])? in
                guard let number = try connection.number(of: record, movedFrom: moved) else { return nil }
                return (number, try connection.indexes(of: number))
            }
            guard let (number, indexes) = known else { return 0 }
            setIndexNumbers(names.map { indexes[$0] })
            state.withLock { $0.number = number }
            return number
        }
        // Later writes in the same commit need the indexes. The number itself is published only after the commit.
        let opened = Locked<Int64?>(nil)
        do throws(StoreError) {
            let number = try await core.write { (write) throws(StoreError) in
                let number = try write.openCollection(for: record, movedFrom: moved, of: self)
                core.registry.register(self, number: number)
                opened.withLock { $0 = number }
                try write.convert(self, number)
                return number
            }
            state.withLock { $0.number = number }
            return number
        } catch {
            if let number = opened.withLock({ $0 }) { core.registry.unregister(self, number: number) }
            throw error
        }
    }

    /// Sets the indexes' numbers in the file, in declaration order; nil for an index that the file lacks.
    func setIndexNumbers(_ numbers: [Int64?]) {
        state.withLock { state in
            state.indexes = zip(numbers, clauses.indexes).compactMap { (number, index) in number.map { ($0, index) } }
        }
    }
}

/// A singleton's value as the only item of a collection, with an id that is not part of its document.
struct SingleItem<Value: Representation>: Entity {
    static var onlyID: String { "" }

    var value: Value

    var id: String { Self.onlyID }

    init(value: Value) { self.value = value }

    init(from decoder: any Decoder) throws { value = try Value(from: decoder) }

    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
