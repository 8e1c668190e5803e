import Foundation

/// Makes a call only where the entity has not been changed since a date (RFC 9110, section 13.1.4): what ``IfMatch`` is
/// for servers without entity tags.
///
/// The date goes out in whole seconds. One outside of the years 0 to 9999 is a mistake: nothing is sent.
public struct IfUnmodifiedSince: RepeatableClause {
    private let date: Date

    /// Not changed after a date.
    public init(_ date: Date) { self.date = date }

    /// Declares the condition.
    public func declare(in scope: inout Scope) {
        Condition(.ifUnmodifiedSince, date, clause: "IfUnmodifiedSince").declare(in: &scope)
    }
}

/// Makes a call only where the entity has been changed since a date (RFC 9110, section 13.1.3); the answer is 304
/// otherwise.
///
/// The date goes out in whole seconds. One outside of the years 0 to 9999 is a mistake: nothing is sent.
public struct IfModifiedSince: RepeatableClause {
    private let date: Date

    /// Changed after a date.
    public init(_ date: Date) { self.date = date }

    /// Declares the condition.
    public func declare(in scope: inout Scope) {
        Condition(.ifModifiedSince, date, clause: "IfModifiedSince").declare(in: &scope)
    }
}

extension Condition {
    fileprivate init(_ name: HTTPField.Name, _ date: Date, clause: String) {
        if let text = HTTPDate.text(from: date) {
            self = .field(name, text)
        } else {
            self = .mistake(
                Mistake(
                    clause: clause,
                    value: Query.shown(date),
                    reason: "HTTP writes dates of the years 0 to 9999; give one"
                )
            )
        }
    }
}
