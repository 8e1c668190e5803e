import WaybillSystem

/// A value of a column or parameter, in one of SQLite's storage classes.
package enum DatabaseValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob(Data)
}

extension DatabaseValue: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByNilLiteral {
    package init(integerLiteral value: Int64) { self = .integer(value) }

    package init(stringLiteral value: String) { self = .text(value) }

    package init(nilLiteral: ()) { self = .null }
}

extension DatabaseValue {
    /// Creates a text value; null if the text is nil.
    package init(_ text: String?) { self = text.map(Self.text) ?? .null }

    /// Creates an integer value; null if the integer is nil.
    package init(_ integer: Int64?) { self = integer.map(Self.integer) ?? .null }

    /// Creates a blob; null if the bytes are nil.
    package init(_ bytes: Data?) { self = bytes.map(Self.blob) ?? .null }
}
