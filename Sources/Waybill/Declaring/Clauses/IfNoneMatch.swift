/// Makes a call only where the entity is not the version with a tag (RFC 9110, section 13.1.2).
///
/// A GET is answered with 304 where it still is that version, a change with 412:
///
/// ```swift
/// let item: Endpoint<Item?> = endpoint {
///     GET("items/\(id)")
///     IfNoneMatch(tag)
///     Success(.success, 304)         // nil: nothing has changed
/// }
/// try await shop.products.with { IfNoneMatch(.any) }.update(lamp)     // only where there is none yet
/// ```
///
/// Several tags of one scope stand in one list. A nil tag declares nothing.
public struct IfNoneMatch: RepeatableClause {
    private let condition: Condition

    /// Not the version with this tag.
    public init(_ tag: EntityTag?) { condition = tag.map { .field(.ifNoneMatch, "\($0)") } ?? .nothing }

    /// No version at all: the call is made only where there is nothing yet.
    public init(_ wildcard: EntityTag.Wildcard) { condition = .field(.ifNoneMatch, "*") }

    /// Declares the condition.
    public func declare(in scope: inout Scope) { condition.declare(in: &scope) }
}
