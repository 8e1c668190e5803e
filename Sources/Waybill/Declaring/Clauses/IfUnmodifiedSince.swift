import WaybillSystem

/// Makes a call only if the entity has not been changed since a date (RFC 9110, section 13.1.4): the counterpart of
/// ``IfMatch`` for servers without entity tags.
///
/// The date goes out in whole seconds. One outside of the years 0 to 9999 is a declaration error: nothing is sent.
public struct IfUnmodifiedSince: RepeatableClause {
    private let date: Date

    /// Declares the date after which there was no change.
    public init(_ date: Date) { self.date = date }

    /// Declares the condition.
    public func declare(in scope: inout Scope) {
        Condition(.ifUnmodifiedSince, date, clause: "IfUnmodifiedSince").declare(in: &scope)
    }
}
