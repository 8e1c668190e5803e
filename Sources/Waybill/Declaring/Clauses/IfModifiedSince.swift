import WaybillSystem

/// Makes a call only if the entity has been changed since a date (RFC 9110, section 13.1.3); the response is 304
/// otherwise.
///
/// The date goes out in whole seconds. One outside of the years 0 to 9999 is a declaration error: nothing is sent.
public struct IfModifiedSince: RepeatableClause {
    private let date: Date

    /// Declares the date after which there was a change.
    public init(_ date: Date) { self.date = date }

    /// Declares the condition.
    public func declare(in scope: inout Scope) {
        Condition(.ifModifiedSince, date, clause: "IfModifiedSince").declare(in: &scope)
    }
}
