import WaybillJSON
import WaybillSystem

/// Query items, in declaration order.
///
/// Items in an inner scope replace items with the same name from outer scopes. Within a scope, all items with the same
/// name are sent. A nil value declares nothing.
///
/// ```swift
/// Query("q", text)                                   // q=desk%20lamp
/// Query("limit", limit)                              // nothing if limit is nil
/// Query("tag", ["new", "sale"], as: .commaSeparated) // tag=new,sale
/// Query("since", date, as: .secondsSince1970)
/// Query(filter)                                      // price%5Bmin%5D=3: an Encodable, flattened
/// Query("filters", json: ["name": ["c2"]])           // filters=%7B%22name%22%3A%5B%22c2%22%5D%7D
/// Query("draft")                                     // a name without a value
/// Query("product_id", .id)                           // the id of an operation, see On
/// ```
///
/// A value without a text representation, such as a non-finite number, is a declaration error: nothing is sent.
public struct Query: Scope.RepeatableClause {
    private let changes: [QueryChange]
    private let declarationError: Scope.DeclarationError?

    /// Declares a name without a value.
    ///
    /// - Parameter name: the name of the item.
    public init(_ name: String) { self.init([.add(QueryItem(name: name, pieces: nil))]) }

    /// Declares a scalar.
    ///
    /// - Parameters:
    ///   - name: the name of the item.
    ///   - value: the value; nil declares nothing.
    ///   - secret: whether the value is redacted in errors, events and logs.
    public init<Value: QueryValue>(_ name: String, _ value: Value?, secret: Bool = false) {
        guard let value else {
            self.init([])
            return
        }
        self.init(name, Value.self, text: value.queryItemText, described: { Self.shown(value) }, isSecret: secret)
    }

    /// Declares an item with the id of a resource operation.
    ///
    /// Use this in ``On``. In an operation without an id, it is a declaration error.
    ///
    /// - Parameters:
    ///   - name: the name of the item.
    ///   - argument: the argument of the operation.
    public init(_ name: String, _ argument: Body.Member.Argument) {
        switch argument {
        case .id: self.init([.add(.id(named: name))])
        }
    }

    /// Declares a value written as its raw value, such as an enum case.
    ///
    /// - Parameters:
    ///   - name: the name of the item.
    ///   - value: the value; nil declares nothing.
    ///   - secret: whether the value is redacted in errors, events and logs.
    public init<Value: RawRepresentable>(_ name: String, _ value: Value?, secret: Bool = false)
    where Value.RawValue: QueryValue {
        guard let value else {
            self.init([])
            return
        }
        let raw = value.rawValue
        self.init(name, Value.self, text: raw.queryItemText, described: { Self.shown(raw) }, isSecret: secret)
    }

    /// Declares a scalar that also has a raw value; the scalar's text takes precedence over the raw value's.
    ///
    /// - Parameters:
    ///   - name: the name of the item.
    ///   - value: the value; nil declares nothing.
    ///   - secret: whether the value is redacted in errors, events and logs.
    public init<Value: RawRepresentable & QueryValue>(_ name: String, _ value: Value?, secret: Bool = false)
    where Value.RawValue: QueryValue {
        guard let value else {
            self.init([])
            return
        }
        self.init(name, Value.self, text: value.queryItemText, described: { Self.shown(value) }, isSecret: secret)
    }

    /// Declares a date in a given format.
    ///
    /// Seconds and milliseconds are written as whole numbers.
    ///
    /// ```swift
    /// Query("since", date, as: .day)                     // since=2026-05-01
    /// Query("since", date, as: .formatted { "\($0)" })
    /// ```
    ///
    /// - Parameters:
    ///   - name: the name of the item.
    ///   - date: the date; nil declares nothing.
    ///   - strategy: the format.
    public init(_ name: String, _ date: Date?, as strategy: WaybillJSONEncoder.DateEncodingStrategy) {
        guard let date else {
            self.init([])
            return
        }
        let text = strategy.text(of: date)
        let isNumber = text.flatMap { Double($0) } != nil
        self.init(
            name,
            isNumber ? Int.self : Date.self,
            text: text,
            described: { Self.shown(date) },
            isSecret: false
        )
    }

    /// Declares an array of scalars.
    ///
    /// An empty array declares nothing.
    ///
    /// - Parameters:
    ///   - name: the name of the array.
    ///   - values: the elements; nil declares nothing.
    ///   - style: how the elements become items.
    public init<Value: QueryValue>(_ name: String, _ values: [Value]?, as style: Query.ArrayStyle = .repeated) {
        self.init(name, Value.self, values ?? [], as: style, text: \.queryItemText)
    }

    /// Declares an array of values written as their raw values.
    ///
    /// An empty array declares nothing.
    ///
    /// - Parameters:
    ///   - name: the name of the array.
    ///   - values: the elements; nil declares nothing.
    ///   - style: how the elements become items.
    public init<Value: RawRepresentable>(_ name: String, _ values: [Value]?, as style: Query.ArrayStyle = .repeated)
    where Value.RawValue: QueryValue {
        self.init(name, Value.self, values ?? [], as: style, text: \.rawValue.queryItemText)
    }

    /// Declares the members of a value, flattened.
    ///
    /// Keys become names, nested keys are written in brackets, and nil values are omitted. It is a declaration error if
    /// the value does not encode to keys and values, or if the array style cannot represent it.
    ///
    /// - Parameters:
    ///   - value: a struct or a dictionary.
    ///   - arrays: how the elements of arrays become items.
    ///   - dates: the format of dates; seconds and milliseconds are written as whole numbers.
    ///   - keys: the strategy for property names; dictionary keys are unchanged.
    ///   - nulls: the text of an encoded null, such as ``Nullable/null``.
    ///   - empties: how empty arrays and objects are written.
    public init<Value: Encodable>(
        _ value: Value,
        arrays: Query.ArrayStyle = .repeated,
        dates: WaybillJSONEncoder.DateEncodingStrategy = .iso8601WithMilliseconds,
        keys: WaybillJSONEncoder.KeyEncodingStrategy = .useDefaultKeys,
        nulls: Query.NullStyle = .empty,
        empties: Query.EmptyStyle = .omitted
    ) {
        do {
            let style = FormStyle(arrays: arrays, dates: dates, keys: keys, nulls: nulls, empties: empties)
            let items = try FormItems.items(of: value, as: style)
            self.init(items.map { .add($0) })
        } catch {
            self.init(
                [],
                declarationError: Scope.DeclarationError(
                    clause: "Query",
                    value: "\(Value.self)",
                    reason: EncodingReason.text(of: error)
                )
            )
        }
    }

    /// Declares a value as JSON, using the encoder in scope (see ``Encode``).
    ///
    /// If that encoder does not write JSON, Waybill's JSON encoder is used. A value that cannot be encoded is a
    /// declaration error: nothing is sent.
    ///
    /// - Parameters:
    ///   - name: the name of the item.
    ///   - value: the value; nil declares nothing.
    ///   - secret: whether the value is redacted in errors, events and logs.
    public init<Value: Encodable & Sendable>(_ name: String, json value: Value?, secret: Bool = false) {
        self.init(value.map { [.add(QueryItem(name: name, json: $0, isSecret: secret))] } ?? [])
    }

    /// Does not compile: the value cannot be written in a query.
    ///
    /// - Parameters:
    ///   - name: the name of the item.
    ///   - value: a value that is not a ``QueryValue``.
    ///   - secret: whether the value is redacted in errors, events and logs.
    @available(
        *,
        unavailable,
        message: "a query item is a QueryValue (text, number, Bool, Date, UUID, URL), an enum with one, or an array"
    )
    @_disfavoredOverload
    public init<Value>(_ name: String, _ value: Value?, secret: Bool = false) { self.init([]) }

    /// Removes items with the given name declared in outer scopes.
    ///
    /// - Parameter name: the name of the items.
    public init(removing name: String) { self.init([.remove(name: name)]) }

    /// Declares the items.
    ///
    /// - Parameter scope: the enclosing scope.
    public func declare(in scope: inout Scope) {
        scope.declare(changes)
        if let declarationError { scope.declare(declarationError) }
    }

    private init(_ changes: [QueryChange], declarationError: Scope.DeclarationError? = nil) {
        self.changes = changes
        self.declarationError = declarationError
    }

    private init(
        _ name: String,
        _ type: Any.Type,
        text: String?,
        described: () -> String,
        isSecret: Bool
    ) {
        if let text {
            let declared = DeclaredValue(type)
            self.init([.add(QueryItem(name: name, value: text, isSecret: isSecret, declared: declared))])
        } else {
            self.init([], declarationError: Self.noText(name, isSecret ? "…" : described()))
        }
    }

    private init<Value>(
        _ name: String,
        _ type: Any.Type,
        _ values: [Value],
        as style: Query.ArrayStyle,
        text: (Value) -> String?
    ) {
        var texts: [String] = []
        for value in values {
            guard let text = text(value) else {
                self.init([], declarationError: Self.noText(name, Self.shown(value)))
                return
            }
            texts.append(text)
        }
        self.init(style.items(name, texts, of: DeclaredValue(type)).map { .add($0) })
    }

    /// Returns a description of a value without a text representation, for a declaration error.
    static func shown(_ value: Any) -> String {
        // Foundation traps when printing an out-of-range date.
        if let date = value as? Date ?? (value as? any RawRepresentable)?.rawValue as? Date {
            return "\(date.timeIntervalSince1970) s since 1970"
        }
        return "\(value)"
    }

    private static func noText(_ name: String, _ value: String) -> Scope.DeclarationError {
        Scope.DeclarationError(
            clause: "Query",
            value: "\"\(name)\", \(value)",
            reason: noText(in: "query")
        )
    }

    /// Returns the declaration error's reason for a value without a text representation.
    static func noText(in place: String) -> String {
        "the value cannot be written in a \(place); give a finite number, a date in the years 0 to 9999, or nil"
    }
}

extension Query: CustomStringConvertible, CustomReflectable {
    /// The description only, because the properties may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: ["query": description], displayStyle: .struct) }

    /// The items, with secret values redacted.
    public var description: String {
        let texts = changes.map { change in
            switch change {
            case .add(let item): "\(item)"
            case .remove(let name): "removing \(name)"
            }
        }
        return "Query(\(texts.joined(separator: "&")))"
    }
}

extension Query.ArrayStyle {
    /// Returns the items of an array of scalars; empty for an empty array.
    package func items(_ name: String, _ texts: [String], of type: DeclaredValue? = nil) -> [QueryItem] {
        func item(_ name: String, _ pieces: [String]) -> QueryItem {
            QueryItem(name: name, pieces: pieces, declared: type, arrayStyle: self)
        }
        return switch self {
        case .repeated: texts.map { item(name, [$0]) }
        case .commaSeparated: texts.isEmpty ? [] : [item(name, texts)]
        case .brackets: texts.map { item("\(name)[]", [$0]) }
        case .indexed: texts.enumerated().map { item("\(name)[\($0.offset)]", [$0.element]) }
        }
    }
}
