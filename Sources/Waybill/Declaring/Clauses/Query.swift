import Foundation

/// Items of the query, in the order in which they are declared.
///
/// A name declared in a nearer scope replaces that name from farther scopes; within one scope, items of the same name
/// add up. A nil value declares nothing.
///
/// ```swift
/// Query("q", text)                                   // q=desk%20lamp
/// Query("limit", limit)                              // nothing where limit is nil
/// Query("tag", ["new", "sale"], as: .commaSeparated) // tag=new,sale
/// Query("since", date, as: .secondsSince1970)
/// Query(filter)                                      // price%5Bmin%5D=3: an Encodable, flattened
/// Query("draft")                                     // a name without a value
/// ```
///
/// A value that has no text, such as a number that is not finite, is a mistake: nothing is sent.
public struct Query: RepeatableClause {
    private let changes: [QueryChange]
    private let mistake: Mistake?

    /// A name without a value.
    public init(_ name: String) { self.init([.add(QueryItem(name: name, pieces: nil))]) }

    /// A scalar.
    public init<Value: QueryValue>(_ name: String, _ value: Value?, secret: Bool = false) {
        guard let value else {
            self.init([])
            return
        }
        self.init(name, text: value.queryText, described: { Self.shown(value) }, isSecret: secret)
    }

    /// A value whose raw value is a scalar, such as an enum's.
    public init<Value: RawRepresentable>(_ name: String, _ value: Value?, secret: Bool = false)
    where Value.RawValue: QueryValue {
        self.init(name, value?.rawValue, secret: secret)
    }

    /// A value that is a scalar and has a raw value; what it says as a scalar counts.
    public init<Value: RawRepresentable & QueryValue>(_ name: String, _ value: Value?, secret: Bool = false)
    where Value.RawValue: QueryValue {
        guard let value else {
            self.init([])
            return
        }
        self.init(name, text: value.queryText, described: { Self.shown(value) }, isSecret: secret)
    }

    /// A date in a certain form.
    public init(_ name: String, _ date: Date?, as form: DateText) {
        guard let date else {
            self.init([])
            return
        }
        self.init(name, text: form.text(of: date), described: { Self.shown(date) }, isSecret: false)
    }

    /// An array of scalars.
    ///
    /// An empty one declares nothing.
    public init<Value: QueryValue>(_ name: String, _ values: [Value]?, as style: ArrayStyle = .repeated) {
        self.init(name, values ?? [], as: style, text: \.queryText)
    }

    /// An array of values whose raw values are scalars.
    ///
    /// An empty one declares nothing.
    public init<Value: RawRepresentable>(_ name: String, _ values: [Value]?, as style: ArrayStyle = .repeated)
    where Value.RawValue: QueryValue {
        self.init(name, values?.map(\.rawValue), as: style)
    }

    /// A whole value, flattened: its keys are the names, nested keys stand in brackets, nil is left out.
    ///
    /// A value that does not encode to keys and values, or that cannot be written in that array style, is a mistake.
    public init<Value: Encodable>(
        _ value: Value,
        arrays style: ArrayStyle = .repeated,
        dates form: DateText = .iso8601
    ) {
        do {
            let items = try FormItems.items(of: value, arrays: style, dates: form)
            self.init(items.map { .add($0) })
        } catch {
            self.init(
                [],
                mistake: Mistake(clause: "Query", value: "\(Value.self)", reason: EncodingReason.text(of: error))
            )
        }
    }

    /// Removes a name that a farther scope declares.
    public init(removing name: String) { self.init([.remove(name: name)]) }

    /// Declares the items.
    public func declare(in scope: inout Scope) {
        for change in changes { scope.declare(change) }
        if let mistake { scope.declare(mistake) }
    }

    private init(_ changes: [QueryChange], mistake: Mistake? = nil) {
        self.changes = changes
        self.mistake = mistake
    }

    private init(_ name: String, text: String?, described: () -> String, isSecret: Bool) {
        if let text {
            self.init([.add(QueryItem(name: name, value: text, isSecret: isSecret))])
        } else {
            self.init([], mistake: Self.noText(name, isSecret ? "…" : described()))
        }
    }

    private init<Value>(_ name: String, _ values: [Value], as style: ArrayStyle, text: (Value) -> String?) {
        var texts: [String] = []
        for value in values {
            guard let text = text(value) else {
                self.init([], mistake: Self.noText(name, Self.shown(value)))
                return
            }
            texts.append(text)
        }
        self.init(style.items(name, texts).map { .add($0) })
    }

    /// A value without a text, for a declaration error.
    static func shown(_ value: Any) -> String {
        // A date that has no text makes Foundation trap when it is printed.
        if let date = value as? Date ?? (value as? any RawRepresentable)?.rawValue as? Date {
            return "\(date.timeIntervalSince1970) s since 1970"
        }
        return "\(value)"
    }

    private static func noText(_ name: String, _ value: String) -> Mistake {
        Mistake(
            clause: "Query",
            value: "\"\(name)\", \(value)",
            reason: "the value has no text that a query could carry; give a finite number, a date of the "
                + "years 0 to 9999, or nil"
        )
    }
}

extension Query: CustomStringConvertible, CustomReflectable {
    /// The description.
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

extension ArrayStyle {
    /// The items of an array of scalars; none for an empty one.
    package func items(_ name: String, _ texts: [String]) -> [QueryItem] {
        switch self {
        case .repeated: texts.map { QueryItem(name: name, value: $0) }
        case .commaSeparated: texts.isEmpty ? [] : [QueryItem(name: name, pieces: texts)]
        case .brackets: texts.map { QueryItem(name: "\(name)[]", value: $0) }
        case .indexed: texts.enumerated().map { QueryItem(name: "\(name)[\($0.offset)]", value: $0.element) }
        }
    }
}
