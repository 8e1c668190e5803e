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
    public init(_ tag: EntityTag?) { condition = tag.map { .field(.ifNoneMatch, "\($0)") } ?? .nothing }

    /// Excludes every version: the call is made only if nothing exists yet.
    public init(_ wildcard: EntityTag.Wildcard) { condition = .field(.ifNoneMatch, "*") }

    /// Declares the condition.
    public func declare(in scope: inout Scope) { condition.declare(in: &scope) }
}
