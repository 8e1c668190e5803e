import WaybillJSON

/// The place of the value in the body of a response: below keys of objects and indices of arrays.
///
/// ```swift
/// Envelope("data")                                // {"data":{…}}
/// Envelope("results", "items")                    // {"results":{"items":[…]}}
/// Envelope("data", 0)                             // {"data":[{…}]}
/// Envelope(item: "product", list: "products")     // another key for one item than for a list
/// Envelope(list: "users", keyedBy: "id")          // {"users":{"a":{…},"b":{…}}}: a list whose ids are keys
/// Envelope.none                                   // no envelope, even if an outer scope declares one
/// ```
///
/// A list whose ids are keys is an object of entities. A key becomes the member of the entity that `keyedBy` names, as
/// JSON has it, unless the entity has that member; a number, if the type of the ids is an integer. The list has the
/// order of the object, and `stream()` reads it too. An entity that does not decode is an error, as in any list. An
/// array at that place is read as it is, because some servers send one for an empty object.
///
/// Values beside it stay reachable: see ``Metadata``. A body that is not in its envelope is an
/// ``APIError/DecodingFailure`` that names the key.
public struct Envelope: Sendable, Hashable {
    package let item: [EnvelopeKey]
    package let list: [EnvelopeKey]

    /// The name of the member for the key of an entity, if lists are objects of entities.
    package let idKey: String?

    /// Creates an envelope for items and lists.
    ///
    /// - Parameter path: the keys and indices from the top of the body to the value.
    public init(_ path: EnvelopeKey...) { self.init(itemPath: path, listPath: path) }

    /// Creates an envelope with a key for one item, and another for a list.
    ///
    /// - Parameters:
    ///   - item: the key of one item.
    ///   - list: the key of a list.
    public init(item: EnvelopeKey, list: EnvelopeKey) { self.init(itemPath: [item], listPath: [list]) }

    /// Creates an envelope with a path to one item, and one to a list.
    ///
    /// - Parameters:
    ///   - item: the path to one item; empty for the whole body.
    ///   - list: the path to a list; empty for the whole body.
    public init(itemPath item: [EnvelopeKey], listPath list: [EnvelopeKey]) {
        self.init(itemPath: item, listPath: list, idKey: nil)
    }

    private init(itemPath item: [EnvelopeKey], listPath list: [EnvelopeKey], idKey: String?) {
        self.item = item
        self.list = list
        self.idKey = idKey
    }

    /// Creates an envelope of lists that are objects of entities by their ids: `{"a": {…}, "b": {…}}`; one item is the
    /// whole body.
    ///
    /// - Parameters:
    ///   - step: the first step to the object.
    ///   - steps: the steps from there; an index is counted from the start.
    ///   - idKey: the member of an entity that its key becomes, as JSON has it.
    public init(list step: EnvelopeKey, _ steps: EnvelopeKey..., keyedBy idKey: String) {
        self.init(itemPath: [], listPath: [step] + steps, idKey: idKey)
    }

    /// Creates an envelope of lists that are objects of entities by their ids, and are the whole body, as one item is.
    ///
    /// - Parameter idKey: the member of an entity that its key becomes, as JSON has it.
    public init(keyedBy idKey: String) { self.init(itemPath: [], listPath: [], idKey: idKey) }

    /// Returns the envelope with another form of its lists: objects of entities by their ids.
    ///
    /// - Parameter idKey: the member of an entity that its key becomes, as JSON has it.
    /// - Returns: the envelope.
    public func keyed(by idKey: String) -> Envelope { Envelope(itemPath: item, listPath: list, idKey: idKey) }

    /// Creates an envelope around lists alone; one item is the whole body.
    ///
    /// - Parameter list: the keys and indices from the top of the body to a list.
    public init(list: EnvelopeKey...) { self.init(itemPath: [], listPath: list) }

    /// No envelope, even if an outer scope declares one.
    public static let none = Envelope(itemPath: [], listPath: [])
}

extension Envelope: Setting {
    /// The paths to the value.
    public var summary: String {
        let keyed = idKey.map { ", keyed by \($0)" } ?? ""
        return item == list && idKey == nil
            ? item.pathDescription : "\(item.pathDescription) for an item, \(list.pathDescription) for a list\(keyed)"
    }
}

extension Envelope {
    /// Returns the form of lists of a type, which may be optional; nil unless they are objects of entities.
    package func keyedList(in list: Any.Type) -> KeyedList.Form? {
        guard idKey != nil else { return nil }
        func element<List: _ListValue>(of type: List.Type) -> Any.Type { List.Element.self }
        let list = (list as? any AbsentValue.Type)?.wrappedType ?? list
        return (list as? any _ListValue.Type).flatMap { keyedList(of: element(of: $0)) }
    }

    /// Returns the form of lists of entities of a type; nil unless they are objects of entities.
    package func keyedList(of entity: Any.Type) -> KeyedList.Form? {
        guard let idKey else { return nil }
        func id<Item: Identifiable>(of type: Item.Type) -> Any.Type { Item.ID.self }
        func rawValue<ID: RawRepresentable>(of type: ID.Type) -> Any.Type { ID.RawValue.self }
        let idType = (entity as? any Identifiable.Type).map { id(of: $0) }
        let scalar = (idType as? any RawRepresentable.Type).map { rawValue(of: $0) } ?? idType
        return KeyedList.Form(path: list, idKey: idKey, hasNumbers: scalar is any BinaryInteger.Type)
    }
}

extension Scope._ClauseBuilder {
    /// Takes an envelope.
    public static func buildExpression(_ envelope: Envelope) -> Envelope { envelope }

    /// Begins with an envelope.
    public static func buildPartialBlock(first: Envelope)
        -> Scope._Clauses<Scope._Undeclared, Scope._Undeclared, Scope._Declared, Scope._Undeclared>
    {
        Scope._Clauses<Scope._Undeclared, Scope._Undeclared, Scope._Undeclared, Scope._Undeclared>().adding(first)
    }

    /// Adds the first envelope.
    public static func buildPartialBlock<R, B, P>(
        accumulated: consuming Scope._Clauses<R, B, Scope._Undeclared, P>,
        next: Envelope
    ) -> Scope._Clauses<R, B, Scope._Declared, P> { accumulated.adding(next) }

    /// Does not compile: the value is in one place.
    @available(*, unavailable, message: "a second Envelope: give all its keys in one, Envelope(\"data\", \"items\")")
    public static func buildPartialBlock<R, B, P>(
        accumulated: Scope._Clauses<R, B, Scope._Declared, P>,
        next: Envelope
    ) -> Scope._Clauses<R, B, Scope._Declared, P> { accumulated }
}

/// The clause that leaves out elements of a list that cannot be decoded, and reports them.
///
/// ```swift
/// let response = try await shop.products.endpoints.list().response()
/// response.droppedItems       // each with its place and its error
/// ```
///
/// A streamed response of JSON Lines, or with a JSON text sequence, also continues after texts that are not JSON.
///
/// Without it, one such element is an ``APIError/DecodingFailure`` of the whole.
public struct DropInvalidItems: Setting {
    /// Creates the clause.
    public init() {}

    /// The text `yes`.
    public var summary: String { "yes" }
}
