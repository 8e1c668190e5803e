// Operations on several items that a resource's capabilities lack. They do not compile, and the message names the
// capability.
extension Resource where Access: Creatable, Element: Representation {
    /// Does not compile: creating several at once needs ``BatchCreatable``.
    @available(
        *,
        unavailable,
        message: "create([…]) needs the capability BatchCreatable: enum Bulk: Listable, BatchCreatable {}"
    )
    @discardableResult
    public func create(_ drafts: [Element.Draft]) async throws(APIError) -> [Element] { [] }
}

extension Resource where Access: Updatable, Element: Entity {
    /// Does not compile: updating several at once needs ``BatchUpdatable``.
    @available(
        *,
        unavailable,
        message: "update([…]) needs the capability BatchUpdatable: enum Bulk: Listable, BatchUpdatable {}"
    )
    @discardableResult
    public func update(_ elements: [Element]) async throws(APIError) -> [Element] { [] }
}
