import WaybillSystem

/// Makes a call only if the entity still is the version that was read (RFC 9110, section 13.1.1): the server does not
/// overwrite another user's change.
///
/// ```swift
/// let read = try await shop.products.endpoints.read(7).response()
/// var lamp = read.value
/// lamp.name = "Desk lamp"
/// try await shop.products.with { IfMatch(read) }.update(lamp)      // an APIError.LostUpdate, if it is another
/// ```
///
/// A weak tag is a declaration error, and nothing is sent: no entity matches one here (RFC 9110). For a server that
/// compares weakly nevertheless, as SCIM demands (RFC 7644, section 3.14), declare `IfMatch(read, comparison: .weak)`.
public struct IfMatch: RepeatableClause {
    private let condition: Condition

    /// Declares the version with a tag.
    ///
    /// - Parameters:
    ///   - tag: the tag; by a strong comparison a strong one.
    ///   - comparison: the server's comparison of tags.
    public init(_ tag: EntityTag, comparison: EntityTag.Comparison = .strong) {
        guard !tag.isWeak || comparison == .weak else {
            condition = .declarationError(
                DeclarationError(
                    clause: "IfMatch",
                    value: "\(tag)",
                    reason:
                        "a weak tag never matches here (RFC 9110, section 13.1.1); the server has to send a strong"
                        + " one, or a Last-Modified for IfUnmodifiedSince; if it compares weakly here (as SCIM does),"
                        + " say comparison: .weak"
                )
            )
            return
        }
        condition = .field(.ifMatch, "\(tag)")
    }

    /// Declares any version, so that nothing new is created.
    ///
    /// - Parameter wildcard: `.any`.
    public init(_ wildcard: EntityTag.Wildcard) { condition = .field(.ifMatch, "*") }

    /// Declares the version of a response's fields: by its tag, else by its date.
    package init(versionOf fields: HTTPFields, comparison: EntityTag.Comparison = .strong) {
        if let tag = fields.entityTag, !tag.isWeak || comparison == .weak {
            condition = .field(.ifMatch, "\(tag)")
        } else if let text = fields[.lastModified], HTTPDate.date(from: text) != nil {
            condition = .field(.ifUnmodifiedSince, text)
        } else {
            let tag = fields[.eTag].map { "its ETag \($0) is \($0.hasPrefix("W/") ? "weak" : "malformed")" }
            condition = .declarationError(
                DeclarationError(
                    clause: "IfMatch",
                    value: "response",
                    reason: "the response has no version for a condition: \(tag ?? "it has no ETag") and it has"
                        + " no Last-Modified; leave the clause out if the server has no versions"
                        + (fields.entityTag == nil ? "" : ", and say comparison: .weak if it compares weakly here")
                )
            )
        }
    }

    /// Declares the condition.
    public func declare(in scope: inout Scope) { condition.declare(in: &scope) }
}

/// A header field with a condition, or the reason why the condition cannot be sent.
enum Condition: Sendable {
    case field(HTTPField.Name, String)
    case declarationError(DeclarationError)
    case nothing

    func declare(in scope: inout Scope) {
        switch self {
        case .field(let name, let value): Header(name, value).declare(in: &scope)
        case .declarationError(let declarationError): scope.declare(declarationError)
        case .nothing: break
        }
    }
}

/// Makes a call only if the entity is not the version with a tag (RFC 9110, section 13.1.2).
///
/// If it still is that version, the response to a GET is 304, and to a change 412:
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
/// Several tags of one scope are sent in one list. A nil tag declares nothing.
public struct IfNoneMatch: RepeatableClause {
    private let condition: Condition

    /// Excludes the version with this tag.
    ///
    /// - Parameter tag: the tag; nil declares nothing.
    public init(_ tag: EntityTag?) { condition = tag.map { .field(.ifNoneMatch, "\($0)") } ?? .nothing }

    /// Excludes every version: the call is made only if nothing exists yet.
    ///
    /// - Parameter wildcard: `.any`.
    public init(_ wildcard: EntityTag.Wildcard) { condition = .field(.ifNoneMatch, "*") }

    /// Declares the condition.
    public func declare(in scope: inout Scope) { condition.declare(in: &scope) }
}

/// Makes a call only if the entity has been changed since a date (RFC 9110, section 13.1.3); the response is 304
/// otherwise.
///
/// The date goes out in whole seconds. One outside of the years 0 to 9999 is a declaration error: nothing is sent.
public struct IfModifiedSince: RepeatableClause {
    private let date: Date

    /// Declares the date after which there was a change.
    ///
    /// - Parameter date: the date, rounded down to whole seconds.
    public init(_ date: Date) { self.date = date }

    /// Declares the condition.
    public func declare(in scope: inout Scope) {
        Condition(.ifModifiedSince, date, clause: "IfModifiedSince").declare(in: &scope)
    }
}

/// Makes a call only if the entity has not been changed since a date (RFC 9110, section 13.1.4): the counterpart of
/// ``IfMatch`` for servers without entity tags.
///
/// The date goes out in whole seconds. One outside of the years 0 to 9999 is a declaration error: nothing is sent.
public struct IfUnmodifiedSince: RepeatableClause {
    private let date: Date

    /// Declares the date after which there was no change.
    ///
    /// - Parameter date: the date, rounded down to whole seconds.
    public init(_ date: Date) { self.date = date }

    /// Declares the condition.
    public func declare(in scope: inout Scope) {
        Condition(.ifUnmodifiedSince, date, clause: "IfUnmodifiedSince").declare(in: &scope)
    }
}

extension Condition {
    /// Creates the condition with a date; one that HTTP cannot write is a declaration error of the clause.
    init(_ name: HTTPField.Name, _ date: Date, clause: String) {
        if let text = HTTPDate.text(from: date) {
            self = .field(name, text)
        } else {
            self = .declarationError(
                DeclarationError(
                    clause: clause,
                    value: Query.shown(date),
                    reason: "an HTTP date has a year from 0 to 9999; give such a date"
                )
            )
        }
    }
}
