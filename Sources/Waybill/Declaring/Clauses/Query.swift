import WaybillSystem

/// Items of the query, in the order in which they are declared.
///
/// A name declared in an inner scope replaces that name from outer scopes; within one scope, items of the same name
/// add up. A nil value declares nothing.
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
/// A value that has no text, such as a number that is not finite, is a declaration error: nothing is sent.
public struct Query: RepeatableClause {
    private let changes: [QueryChange]
    private let declarationError: DeclarationError?

    /// Declares a name without a value.
    ///
    /// - Parameter name: the name of the item.
    public init(_ name: String) { self.init([.add(QueryItem(name: name, pieces: nil))]) }

    /// Declares a scalar.
    ///
    /// - Parameters:
    ///   - name: the name of the item.
    ///   - value: the value; nil declares nothing.
    ///   - secret: whether texts leave the value out.
    public init<Value: QueryValue>(_ name: String, _ value: Value?, secret: Bool = false) {
        guard let value else {
            self.init([])
            return
        }
        self.init(name, Value.self, text: value.queryItemText, described: { Self.shown(value) }, isSecret: secret)
    }

    /// Declares the argument of a resource's operation: its id.
    ///
    /// For ``On``; in an operation that has no id it is a declaration error.
    ///
    /// - Parameters:
    ///   - name: the name of the item.
    ///   - argument: the argument of the operation.
    public init(_ name: String, _ argument: Body.Member.Argument) {
        switch argument {
        case .id: self.init([.add(.id(named: name))])
        }
    }

    /// Declares a value whose raw value is a scalar, such as an enum's.
    ///
    /// - Parameters:
    ///   - name: the name of the item.
    ///   - value: the value; nil declares nothing.
    ///   - secret: whether texts leave the value out.
    public init<Value: RawRepresentable>(_ name: String, _ value: Value?, secret: Bool = false)
    where Value.RawValue: QueryValue {
        guard let value else {
            self.init([])
            return
        }
        let raw = value.rawValue
        self.init(name, Value.self, text: raw.queryItemText, described: { Self.shown(raw) }, isSecret: secret)
    }

    /// Declares a value that is a scalar and has a raw value, by its text as a scalar.
    ///
    /// - Parameters:
    ///   - name: the name of the item.
    ///   - value: the value; nil declares nothing.
    ///   - secret: whether texts leave the value out.
    public init<Value: RawRepresentable & QueryValue>(_ name: String, _ value: Value?, secret: Bool = false)
    where Value.RawValue: QueryValue {
        guard let value else {
            self.init([])
            return
        }
        self.init(name, Value.self, text: value.queryItemText, described: { Self.shown(value) }, isSecret: secret)
    }

    /// Declares a date in a form of text.
    ///
    /// - Parameters:
    ///   - name: the name of the item.
    ///   - date: the date; nil declares nothing.
    ///   - form: the text of the date.
    public init(_ name: String, _ date: Date?, as form: FormStyle.Dates) {
        guard let date else {
            self.init([])
            return
        }
        let text = form.text(of: date)
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
    /// An empty one declares nothing.
    ///
    /// - Parameters:
    ///   - name: the name of the items.
    ///   - values: the elements; nil declares nothing.
    ///   - style: the form of the elements as items.
    public init<Value: QueryValue>(_ name: String, _ values: [Value]?, as style: FormStyle.Arrays = .repeated) {
        self.init(name, Value.self, values ?? [], as: style, text: \.queryItemText)
    }

    /// Declares an array of values whose raw values are scalars.
    ///
    /// An empty one declares nothing.
    ///
    /// - Parameters:
    ///   - name: the name of the items.
    ///   - values: the elements; nil declares nothing.
    ///   - style: the form of the elements as items.
    public init<Value: RawRepresentable>(_ name: String, _ values: [Value]?, as style: FormStyle.Arrays = .repeated)
    where Value.RawValue: QueryValue {
        self.init(name, Value.self, values ?? [], as: style, text: \.rawValue.queryItemText)
    }

    /// Declares the members of a value, flattened: its keys are the names, nested keys are in brackets, nil is left
    /// out.
    ///
    /// A value that does not encode to keys and values, or that cannot be written in that array style, is a declaration
    /// error.
    ///
    /// - Parameters:
    ///   - value: a struct, or a dictionary.
    ///   - arrays: the names of elements.
    ///   - dates: the text of dates.
    ///   - keys: the names of properties; those of dictionaries stay as they are.
    ///   - nulls: the text of a null that the value encodes, such as ``Nullable/null``.
    ///   - empties: the items of an array or object without elements.
    public init<Value: Encodable>(
        _ value: Value,
        arrays: FormStyle.Arrays = .repeated,
        dates: FormStyle.Dates = .iso8601,
        keys: JSONEncoder.KeyEncodingStrategy = .useDefaultKeys,
        nulls: FormStyle.Nulls = .empty,
        empties: FormStyle.Empties = .omitted
    ) {
        do {
            let style = FormStyle(arrays: arrays, dates: dates, keys: keys, nulls: nulls, empties: empties)
            let items = try FormItems.items(of: value, as: style)
            self.init(items.map { .add($0) })
        } catch {
            self.init(
                [],
                declarationError: DeclarationError(
                    clause: "Query",
                    value: "\(Value.self)",
                    reason: EncodingReason.text(of: error)
                )
            )
        }
    }

    /// Declares a value as JSON, by the encoder in scope (see ``Encode``) with its strategies.
    ///
    /// An encoder of another format leaves it to Waybill's. A value that cannot be encoded is a declaration error:
    /// nothing is sent.
    ///
    /// - Parameters:
    ///   - name: the name of the item.
    ///   - value: the value; nil declares nothing.
    ///   - secret: whether texts leave the value out.
    public init<Value: Encodable & Sendable>(_ name: String, json value: Value?, secret: Bool = false) {
        self.init(value.map { [.add(QueryItem(name: name, json: $0, isSecret: secret))] } ?? [])
    }

    /// Removes a name that an outer scope declares.
    ///
    /// - Parameter name: the name of the item.
    public init(removing name: String) { self.init([.remove(name: name)]) }

    /// Declares the items.
    public func declare(in scope: inout Scope) {
        scope.declare(changes)
        if let declarationError { scope.declare(declarationError) }
    }

    private init(_ changes: [QueryChange], declarationError: DeclarationError? = nil) {
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
        as style: FormStyle.Arrays,
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

    /// Returns a value without a text, for a declaration error.
    static func shown(_ value: Any) -> String {
        // A date that has no text makes Foundation trap when it is printed.
        if let date = value as? Date ?? (value as? any RawRepresentable)?.rawValue as? Date {
            return "\(date.timeIntervalSince1970) s since 1970"
        }
        return "\(value)"
    }

    private static func noText(_ name: String, _ value: String) -> DeclarationError {
        DeclarationError(
            clause: "Query",
            value: "\"\(name)\", \(value)",
            reason: "the value cannot be written in a query; give a finite number, a date of the "
                + "years 0 to 9999, or nil"
        )
    }
}

extension Query: CustomStringConvertible, CustomReflectable {
    /// The description alone: the properties may have secrets.
    public var customMirror: Mirror { Mirror(self, children: ["query": description], displayStyle: .struct) }

    /// The items, of which secret values are redacted.
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

extension FormStyle.Arrays {
    /// Returns the items of an array of scalars; none for an empty one.
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
