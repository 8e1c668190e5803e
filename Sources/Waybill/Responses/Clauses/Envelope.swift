import WaybillJSON

/// The path to the value in a response's body, through object keys and array indices.
///
/// ```swift
/// Envelope("data")                                // {"data":{…}}
/// Envelope("results", "items")                    // {"results":{"items":[…]}}
/// Envelope("data", 0)                             // {"data":[{…}]}
/// Envelope(item: "product", list: "products")     // different keys for an item and a list
/// Envelope(list: "users", keyedBy: "id")          // {"users":{"a":{…},"b":{…}}}: a list whose ids are keys
/// Envelope.none                                   // no envelope, even if an outer scope declares one
/// ```
///
/// With `keyedBy`, a list is an object whose keys are the ids of its entities. Each key is inserted into its entity as
/// the member that `keyedBy` names, unless the entity already has that member; if ids are integers, the key is inserted
/// as a number. The list keeps the order of the object's members. `stream()` supports these lists too. An array in
/// place of the object is also accepted, because some servers send an empty array for an empty object. A single item
/// that `read`, `update`, `upsert` or `patch` returns without the member gets the id of the call.
///
/// To read values outside the envelope, see ``Metadata``. A body without the declared envelope causes an
/// ``APIError/DecodingFailure`` that names the missing key.
public struct Envelope: Sendable, Hashable {
    package let item: [EnvelopeKey]
    package let list: [EnvelopeKey]

    /// The member that receives an entity's key, if lists are objects keyed by id.
    package let idKey: String?

    /// Creates an envelope for both items and lists.
    ///
    /// - Parameter path: the keys and indices from the root of the body to the value.
    public init(_ path: EnvelopeKey...) { self.init(itemPath: path, listPath: path) }

    /// Creates an envelope with separate keys for items and lists.
    ///
    /// - Parameters:
    ///   - item: the key of a single item.
    ///   - list: the key of a list.
    public init(item: EnvelopeKey, list: EnvelopeKey) { self.init(itemPath: [item], listPath: [list]) }

    /// Creates an envelope with separate paths for items and lists.
    ///
    /// - Parameters:
    ///   - item: the path of a single item; empty for the whole body.
    ///   - list: the path of a list; empty for the whole body.
    public init(itemPath item: [EnvelopeKey], listPath list: [EnvelopeKey]) {
        self.init(itemPath: item, listPath: list, idKey: nil)
    }

    private init(itemPath item: [EnvelopeKey], listPath list: [EnvelopeKey], idKey: String?) {
        self.item = item
        self.list = list
        self.idKey = idKey
    }

    /// Creates an envelope for lists that are objects keyed by id, such as `{"a": {…}, "b": {…}}`.
    ///
    /// A single item is the whole body, which may lack its id.
    ///
    /// - Parameters:
    ///   - step: the first key or index on the path to the object.
    ///   - steps: the remaining keys and indices; a negative index is not supported.
    ///   - idKey: the member that receives an entity's key, as spelled in the JSON.
    public init(list step: EnvelopeKey, _ steps: EnvelopeKey..., keyedBy idKey: String) {
        self.init(itemPath: [], listPath: [step] + steps, idKey: idKey)
    }

    /// Creates an envelope for lists that are objects keyed by id and form the whole body.
    ///
    /// A single item is also the whole body, which may lack its id.
    ///
    /// - Parameter idKey: the member that receives an entity's key, as spelled in the JSON.
    public init(keyedBy idKey: String) { self.init(itemPath: [], listPath: [], idKey: idKey) }

    /// Returns a copy of the envelope for lists that are objects keyed by id.
    ///
    /// - Parameter idKey: the member that receives an entity's key, as spelled in the JSON.
    /// - Returns: the changed envelope.
    public func keyed(by idKey: String) -> Envelope { Envelope(itemPath: item, listPath: list, idKey: idKey) }

    /// Creates an envelope for lists only; a single item is the whole body.
    ///
    /// - Parameter list: the keys and indices from the root of the body to a list.
    public init(list: EnvelopeKey...) { self.init(itemPath: [], listPath: list) }

    /// No envelope, even if an outer scope declares one.
    public static let none = Envelope(itemPath: [], listPath: [])
}

extension Envelope: Setting {
    /// The paths of items and lists.
    public var summary: String {
        let keyed = idKey.map { ", keyed by \($0)" } ?? ""
        return item == list && idKey == nil
            ? item.pathDescription : "\(item.pathDescription) for an item, \(list.pathDescription) for a list\(keyed)"
    }
}

extension Envelope {
    /// Returns the keyed form of a list type, which may be optional; nil if lists are arrays.
    package func keyedList(in list: Any.Type) -> KeyedList.Form? {
        guard idKey != nil else { return nil }
        func element<List: _ListValue>(of type: List.Type) -> Any.Type { List.Element.self }
        let list = (list as? any AbsentValue.Type)?.wrappedType ?? list
        return (list as? any _ListValue.Type).flatMap { keyedList(of: element(of: $0)) }
    }

    /// Returns the keyed form of lists of an entity type; nil if lists are arrays.
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
    /// Accepts an envelope.
    ///
    /// - Parameter envelope: the envelope.
    /// - Returns: the envelope.
    public static func buildExpression(_ envelope: Envelope) -> Envelope { envelope }

    /// Begins the clauses with an envelope.
    ///
    /// - Parameter first: the envelope.
    /// - Returns: the clauses.
    public static func buildPartialBlock(first: Envelope)
        -> Scope._Clauses<Scope._Undeclared, Scope._Undeclared, Scope._Declared, Scope._Undeclared>
    {
        Scope._Clauses<Scope._Undeclared, Scope._Undeclared, Scope._Undeclared, Scope._Undeclared>().adding(first)
    }

    /// Adds the first envelope.
    ///
    /// - Parameters:
    ///   - accumulated: the clauses before the envelope.
    ///   - next: the envelope.
    /// - Returns: the clauses with the envelope.
    public static func buildPartialBlock<R, B, P>(
        accumulated: consuming Scope._Clauses<R, B, Scope._Undeclared, P>,
        next: Envelope
    ) -> Scope._Clauses<R, B, Scope._Declared, P> { accumulated.adding(next) }

    /// Does not compile: a scope declares one envelope.
    @available(*, unavailable, message: "a second Envelope: give all its keys in one, Envelope(\"data\", \"items\")")
    public static func buildPartialBlock<R, B, P>(
        accumulated: Scope._Clauses<R, B, Scope._Declared, P>,
        next: Envelope
    ) -> Scope._Clauses<R, B, Scope._Declared, P> { accumulated }
}

/// A clause that drops undecodable list elements and reports them in the response.
///
/// ```swift
/// let response = try await shop.products.endpoints.list().response()
/// response.droppedItems       // each with its place and its error
/// ```
///
/// Without the clause, such an element fails the whole response with an ``APIError/DecodingFailure``.
///
/// With it, a stream of JSON Lines or of a JSON text sequence also skips texts that are not valid JSON.
public struct DropInvalidItems: Setting {
    /// Creates the clause.
    public init() {}

    /// The text `yes`.
    public var summary: String { "yes" }
}
