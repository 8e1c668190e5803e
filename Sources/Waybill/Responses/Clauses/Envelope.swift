import WaybillJSON

/// The path to the value in a response's body, as object keys and array indices.
///
/// ```swift
/// Envelope("data")                                // {"data":{…}}
/// Envelope("results", "items")                    // {"results":{"items":[…]}}
/// Envelope("data", 0)                             // {"data":[{…}]}
/// Envelope(item: "product", list: "products")     // different keys for an item and a list
/// Envelope(list: "users", keyedBy: "id")          // {"users":{"a":{…},"b":{…}}}: a list whose ids are keys
/// Envelope(missingList: .isEmpty)                 // null in place of an empty list
/// Envelope.none                                   // no envelope, even if an outer scope declares one
/// ```
///
/// With `keyedBy`, a list is an object whose keys are the ids of its entities. Each key is inserted into its entity as
/// the member named by `keyedBy`, unless the entity already has that member. Keys of integer ids are inserted as
/// numbers. The list keeps the order of the object's members. `stream()` supports these lists too. An array is also
/// accepted, because some servers send an empty array for an empty object. If `read`, `update`, `upsert` or `patch`
/// returns a single item without the member, the item gets the call's id.
///
/// A list must be an array, unless `missingList` declares an alternative; see ``MissingList``.
///
/// To read values outside the envelope, see ``Metadata``. A body without the declared envelope causes an
/// ``APIError/DecodingFailure`` that names the missing key.
public struct Envelope: Sendable, Hashable {
    package let item: [EnvelopeKey]
    package let list: [EnvelopeKey]

    /// The member that receives an entity's key if lists are objects keyed by id.
    package let idKey: String?

    /// The values that this envelope accepts in place of a list.
    ///
    /// A call also accepts those declared by ``Paginated``: see `Scope.Settings.missingList`.
    let missingList: MissingList

    /// Creates an envelope for both items and lists.
    ///
    /// - Parameters:
    ///   - path: the keys and indices from the root of the body to the value; empty for the whole body.
    ///   - missingList: the values accepted in place of a list.
    public init(_ path: EnvelopeKey..., missingList: MissingList = .isError) {
        self.init(itemPath: path, listPath: path, missingList: missingList)
    }

    /// Creates an envelope with separate keys for items and lists.
    ///
    /// - Parameters:
    ///   - item: the key of a single item.
    ///   - list: the key of a list.
    ///   - missingList: the values accepted in place of a list.
    public init(item: EnvelopeKey, list: EnvelopeKey, missingList: MissingList = .isError) {
        self.init(itemPath: [item], listPath: [list], missingList: missingList)
    }

    /// Creates an envelope with separate paths for items and lists.
    ///
    /// - Parameters:
    ///   - item: the path of a single item; empty for the whole body.
    ///   - list: the path of a list; empty for the whole body.
    ///   - missingList: the values accepted in place of a list.
    public init(itemPath item: [EnvelopeKey], listPath list: [EnvelopeKey], missingList: MissingList = .isError) {
        self.init(itemPath: item, listPath: list, idKey: nil, missingList: missingList)
    }

    private init(
        itemPath item: [EnvelopeKey],
        listPath list: [EnvelopeKey],
        idKey: String?,
        missingList: MissingList
    ) {
        self.item = item
        self.list = list
        self.idKey = idKey
        self.missingList = missingList
    }

    /// Creates an envelope for lists that are objects keyed by id, such as `{"a": {…}, "b": {…}}`.
    ///
    /// A single item is the whole body and may lack its id.
    ///
    /// - Parameters:
    ///   - step: the first key or index on the path to the object.
    ///   - steps: the remaining keys and indices; a negative index is not supported.
    ///   - idKey: the member that receives an entity's key, as spelled in the JSON.
    ///   - missingList: the values accepted in place of a list; ``MissingList/isOneItem`` is a declaration error,
    ///     because the object is the list itself.
    public init(
        list step: EnvelopeKey,
        _ steps: EnvelopeKey...,
        keyedBy idKey: String,
        missingList: MissingList = .isError
    ) {
        self.init(itemPath: [], listPath: [step] + steps, idKey: idKey, missingList: missingList)
    }

    /// Creates an envelope for lists that are objects keyed by id and occupy the whole body.
    ///
    /// A single item is also the whole body and may lack its id.
    ///
    /// - Parameters:
    ///   - idKey: the member that receives an entity's key, as spelled in the JSON.
    ///   - missingList: the values accepted in place of a list; ``MissingList/isOneItem`` is a declaration error,
    ///     because the object is the list itself.
    public init(keyedBy idKey: String, missingList: MissingList = .isError) {
        self.init(itemPath: [], listPath: [], idKey: idKey, missingList: missingList)
    }

    /// Returns a copy of the envelope for lists that are objects keyed by id.
    ///
    /// - Parameter idKey: the member that receives an entity's key, as spelled in the JSON.
    /// - Returns: the changed envelope.
    public func keyed(by idKey: String) -> Envelope {
        Envelope(itemPath: item, listPath: list, idKey: idKey, missingList: missingList)
    }

    /// Creates an envelope for lists only; a single item is the whole body.
    ///
    /// - Parameters:
    ///   - step: the first key or index on the path from the root of the body to a list.
    ///   - steps: the remaining keys and indices.
    ///   - missingList: the values accepted in place of a list.
    public init(list step: EnvelopeKey, _ steps: EnvelopeKey..., missingList: MissingList = .isError) {
        self.init(itemPath: [], listPath: [step] + steps, missingList: missingList)
    }

    /// No envelope, overriding outer scopes.
    public static let none = Envelope(itemPath: [], listPath: [])
}

extension Envelope {
    /// The values, other than an array, accepted in place of a list.
    ///
    /// ```swift
    /// Envelope("products", missingList: .isEmpty)                          // {"products":null}, {}
    /// Envelope("products", "product", missingList: [.isEmpty, .isOneItem]) // {"products":{"product":{…}}}
    /// ```
    ///
    /// Any other value causes an ``APIError/DecodingFailure``. So does a missing key if the same object contains a list
    /// under a similar key.
    ///
    /// ``Paginated`` has the same parameter: a list accepts the values declared by either clause. Responses to batches
    /// and streamed lists must be arrays.
    public struct MissingList: OptionSet, Sendable, Hashable, CustomStringConvertible {
        /// The bits of the set.
        public let rawValue: Int

        /// Creates a set from its bits.
        ///
        /// - Parameter rawValue: the bits; unknown ones are ignored.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// No alternatives, the default: a list must be an array.
        public static let isError: Self = []

        /// `null` or a missing value represents an empty list.
        ///
        /// Servers written in Go send `null` for an empty list; others omit its key. A `null` or missing key anywhere
        /// on the path to the list also counts.
        public static let isEmpty = Self(rawValue: 1 << 0)

        /// A value other than an array or `null` represents a list of that one item.
        ///
        /// JSON converted from XML often has no array for a single element.
        public static let isOneItem = Self(rawValue: 1 << 1)

        /// The set as written in a declaration, such as `.isEmpty`.
        public var description: String {
            let names = [(Self.isEmpty, ".isEmpty"), (.isOneItem, ".isOneItem")].filter { contains($0.0) }.map(\.1)
            return switch names.count {
            case 0: ".isError"
            case 1: names[0]
            default: "[\(names.joined(separator: ", "))]"
            }
        }
    }
}

extension Envelope: Setting {
    /// The paths of items and lists, and the values accepted in place of a list.
    public var summary: String {
        let keyed = idKey.map { ", keyed by \($0)" } ?? ""
        let missing = missingList == .isError ? "" : ", missingList: \(missingList)"
        return item == list && idKey == nil
            ? item.pathDescription + missing
            : "\(item.pathDescription) for an item, \(list.pathDescription) for a list\(keyed)\(missing)"
    }

    /// Adds the envelope to a scope.
    ///
    /// Combining a list keyed by id with a list of one item is a declaration error.
    ///
    /// - Parameter scope: the scope that declares the envelope.
    public func declare(in scope: inout Scope) {
        if let idKey, missingList.contains(.isOneItem) {
            scope.declarationErrors.reject(
                "Envelope",
                "keyedBy: \(idKey.debugDescription), missingList: \(missingList)",
                because: "in a list keyed by id, an object is the list and not an item; leave .isOneItem out"
            )
        }
        scope.declare(self)
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

    /// Adds an envelope to clauses without one.
    ///
    /// - Parameters:
    ///   - accumulated: the preceding clauses.
    ///   - next: the envelope.
    /// - Returns: the clauses with the envelope.
    public static func buildPartialBlock<R, B, P>(
        accumulated: consuming Scope._Clauses<R, B, Scope._Undeclared, P>,
        next: Envelope
    ) -> Scope._Clauses<R, B, Scope._Declared, P> { accumulated.adding(next) }

    /// Does not compile, because a scope declares only one envelope.
    ///
    /// - Parameters:
    ///   - accumulated: the preceding clauses, including an envelope.
    ///   - next: the second envelope.
    /// - Returns: the preceding clauses.
    @available(*, unavailable, message: "a second Envelope: pass all keys to one, Envelope(\"data\", \"items\")")
    public static func buildPartialBlock<R, B, P>(
        accumulated: Scope._Clauses<R, B, Scope._Declared, P>,
        next: Envelope
    ) -> Scope._Clauses<R, B, Scope._Declared, P> { accumulated }
}

/// Drops list elements that fail to decode and reports them in the response.
///
/// ```swift
/// let response = try await shop.products.endpoints.list().response()
/// response.droppedItems       // each with its place and its error
/// DropInvalidItems.none       // every element counts, even if an outer scope declares the clause
/// ```
///
/// Without the clause, an element that fails to decode fails the whole response with an ``APIError/DecodingFailure``.
///
/// With it, a stream of JSON Lines or a JSON text sequence also skips invalid JSON.
public struct DropInvalidItems: Setting {
    fileprivate let isOn: Bool

    /// Creates the clause.
    public init() { isOn = true }

    private init(isOn: Bool) { self.isOn = isOn }

    /// No dropping, overriding outer scopes: an element that fails to decode fails the response.
    public static let none = DropInvalidItems(isOn: false)

    /// `yes` if elements are dropped, otherwise `none`.
    public var summary: String { isOn ? "yes" : "none" }
}

extension Scope.Settings {
    /// Whether list elements that fail to decode are dropped.
    package var dropsInvalidItems: Bool { self[DropInvalidItems.self]?.isOn ?? false }
}
