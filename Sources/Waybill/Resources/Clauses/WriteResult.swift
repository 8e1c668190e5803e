/// The result of `create`, `update` and `patch` of a resource if the response is not the whole entity.
///
/// ```swift
/// // POST {"text":"hi"} → {"id":7}     gives Message(id: 7, text: "hi")
/// var messages: Resource<Message, ReadWrite> { resource("messages") { WriteResult(.merged) } }
///
/// var users: Resource<User, ReadWrite> {
///     resource("users") {
///         On(.update) { WriteResult(.sent) }       // PUT → 204
///         On(.patch) { WriteResult(.reread) }      // PATCH → 204, then GET
///     }
/// }
/// ```
///
/// A call that returns nothing needs no clause: `patch(id, changes, returning: Void.self)`.
public struct WriteResult: Setting {
    /// The source of the entity that a write returns.
    public enum Source: String, Sendable, Hashable {
        /// The response is the whole entity, as without the clause.
        case response
        /// The response has some members, or none: they are merged over those that were sent, objects recursively.
        ///
        /// The request's body has to be JSON and the whole entity or draft: with a form, or for `patch(id, changes)`,
        /// which sends only the changes, it is a declaration error.
        case merged
        /// A response without a body means that the server took the body of the request; any other is the whole entity.
        ///
        /// The request's body has to be JSON and the whole entity or draft, as for ``merged``.
        case sent
        /// The entity is fetched after the write, with the operation `read`.
        ///
        /// After `create` it is fetched from the response's `Location` (RFC 9110, section 15.3.2). The call returns the
        /// response of that second request, which has no conditions of the first. If it fails, the write is still done:
        /// the error is that of the GET. For batches it is a declaration error.
        case reread
    }

    /// The source of the entity.
    public let source: Source

    /// Declares the source of the entity.
    public init(_ source: Source) { self.source = source }

    /// The source.
    public var summary: String { source.rawValue }
}
