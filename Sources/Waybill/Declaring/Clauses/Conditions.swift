import WaybillSystem

/// A precondition that the entity has not changed since it was read (RFC 9110, section 13.1.1).
///
/// It prevents the server from overwriting another user's change:
///
/// ```swift
/// let read = try await shop.products.endpoints.read(7).response()
/// var lamp = read.value
/// lamp.name = "Desk lamp"
/// try await shop.products.with { IfMatch(read) }.update(lamp)      // an APIError.LostUpdate, if it is another
/// ```
///
/// A weak tag is a declaration error, and nothing is sent, because weak tags never match in this condition. For servers
/// that compare weakly anyway, as SCIM requires (RFC 7644, section 3.14), pass `.weak` as the comparison.
public struct IfMatch: Scope.RepeatableClause {
    private let condition: Condition

    /// Requires the version with the given tag.
    ///
    /// - Parameters:
    ///   - tag: the tag, which must be strong unless the comparison is weak.
    ///   - comparison: how the server compares tags.
    public init(_ tag: HTTPField.EntityTag, comparison: HTTPField.EntityTag.Comparison = .strong) {
        guard !tag.isWeak || comparison == .weak else {
            condition = .declarationError(
                Scope.DeclarationError(
                    clause: "IfMatch",
                    value: "\(tag)",
                    reason:
                        "a weak tag never matches here (RFC 9110, section 13.1.1); the server has to send a strong"
                        + " one, or a Last-Modified for IfUnmodifiedSince; if it compares weakly here (as SCIM does),"
                        + " pass comparison: .weak"
                )
            )
            return
        }
        condition = .field(.ifMatch, "\(tag)")
    }

    /// Requires that any version of the entity exists, so the call cannot create one.
    ///
    /// - Parameter wildcard: `.any`.
    public init(_ wildcard: HTTPField.EntityTag.Wildcard) { condition = .field(.ifMatch, "*") }

    /// Requires the version described by a response's header fields, identified by its entity tag if usable, or else by
    /// its modification date.
    package init(versionOf fields: HTTPFields, comparison: HTTPField.EntityTag.Comparison = .strong) {
        if let tag = fields.entityTag, !tag.isWeak || comparison == .weak {
            condition = .field(.ifMatch, "\(tag)")
        } else if let text = fields[.lastModified], HTTPDate.date(from: text) != nil {
            condition = .field(.ifUnmodifiedSince, text)
        } else {
            let tag = fields[.eTag].map { "its ETag \($0) is \($0.hasPrefix("W/") ? "weak" : "malformed")" }
            condition = .declarationError(
                Scope.DeclarationError(
                    clause: "IfMatch",
                    value: "response",
                    reason: "the response has no version for a condition: \(tag ?? "it has no ETag") and it has"
                        + " no Last-Modified; leave the clause out if the server has no versions"
                        + (fields.entityTag == nil ? "" : ", and pass comparison: .weak if it compares weakly here")
                )
            )
        }
    }

    /// Declares the condition.
    ///
    /// - Parameter scope: the enclosing scope.
    public func declare(in scope: inout Scope) { condition.declare(in: &scope) }
}

/// A conditional request header field, an error if the condition cannot be sent, or nothing.
enum Condition: Sendable {
    case field(HTTPField.Name, String)
    case declarationError(Scope.DeclarationError)
    case nothing

    func declare(in scope: inout Scope) {
        switch self {
        case .field(let name, let value): Header(name, value).declare(in: &scope)
        case .declarationError(let declarationError): scope.declare(declarationError)
        case .nothing: break
        }
    }
}

/// A precondition that the current version of the entity does not match a tag (RFC 9110, section 13.1.2).
///
/// If it does, the server responds with 304 to a GET, and with 412 to a write:
///
/// ```swift
/// let item: Endpoint<Item?> = endpoint {
///     GET("items/\(id)")
///     IfNoneMatch(tag)
///     Success(.success, 304)         // nil: nothing has changed
/// }
/// try await shop.products.with { IfNoneMatch(.any) }.update(lamp)     // only if it does not exist yet
/// ```
///
/// Multiple tags in one scope are sent as a list. A nil tag declares nothing.
public struct IfNoneMatch: Scope.RepeatableClause {
    private let condition: Condition

    /// Excludes the version with this tag.
    ///
    /// - Parameter tag: the tag; nil declares nothing.
    public init(_ tag: HTTPField.EntityTag?) { condition = tag.map { .field(.ifNoneMatch, "\($0)") } ?? .nothing }

    /// Excludes every version: the call succeeds only if nothing exists yet.
    ///
    /// - Parameter wildcard: `.any`.
    public init(_ wildcard: HTTPField.EntityTag.Wildcard) { condition = .field(.ifNoneMatch, "*") }

    /// Declares the condition.
    ///
    /// - Parameter scope: the enclosing scope.
    public func declare(in scope: inout Scope) { condition.declare(in: &scope) }
}

/// A precondition that the entity has changed since a date (RFC 9110, section 13.1.3).
///
/// If it has not, the server responds with 304.
///
/// A date outside the years 0 to 9999 is a declaration error: nothing is sent.
public struct IfModifiedSince: Scope.RepeatableClause {
    private let date: Date

    /// Requires a change after a date.
    ///
    /// - Parameter date: the date, which is rounded down to whole seconds.
    public init(_ date: Date) { self.date = date }

    /// Declares the condition.
    ///
    /// - Parameter scope: the enclosing scope.
    public func declare(in scope: inout Scope) {
        Condition(.ifModifiedSince, date, clause: "IfModifiedSince").declare(in: &scope)
    }
}

/// A precondition that the entity has not changed since a date (RFC 9110, section 13.1.4).
///
/// Use it in place of ``IfMatch`` for servers without entity tags. A date outside the years 0 to 9999 is a declaration
/// error: nothing is sent.
public struct IfUnmodifiedSince: Scope.RepeatableClause {
    private let date: Date

    /// Requires that no change occurred after a date.
    ///
    /// - Parameter date: the date, which is rounded down to whole seconds.
    public init(_ date: Date) { self.date = date }

    /// Declares the condition.
    ///
    /// - Parameter scope: the enclosing scope.
    public func declare(in scope: inout Scope) {
        Condition(.ifUnmodifiedSince, date, clause: "IfUnmodifiedSince").declare(in: &scope)
    }
}

extension Condition {
    /// Creates a condition with a date.
    ///
    /// A date that HTTP cannot represent is a declaration error.
    init(_ name: HTTPField.Name, _ date: Date, clause: String) {
        if let text = HTTPDate.text(from: date) {
            self = .field(name, text)
        } else {
            self = .declarationError(
                Scope.DeclarationError(
                    clause: clause,
                    value: Query.shown(date),
                    reason: "an HTTP date has a year from 0 to 9999; give such a date"
                )
            )
        }
    }
}
