/// A representation that makes the patches of `patch(from:to:)` itself, for servers whose patches are neither JSON
/// merge patches nor JSON Patches.
///
/// ```swift
/// struct Ticket: Entity, PatchDifferencing {
///     let id: Int
///     var title: String
///
///     struct Patch: RequestContent {
///         var set: [String: String]
///     }
///
///     static func patch(from old: Ticket, to new: Ticket) -> Patch? {
///         old.title == new.title ? nil : Patch(set: ["title": new.title])
///     }
/// }
/// ```
public protocol PatchDifferencing: Representation {
    /// Returns the patch that turns one state into another; nil if nothing changed.
    ///
    /// An error that it throws is that of the call, as an ``APIError/RequestFailure``.
    static func patch(from old: Self, to new: Self) throws -> Patch?
}

extension PatchDifferencing {
    /// Returns the patch between two states of any type, if that is this one; nil if nothing changed.
    static func erasedPatch(from old: any Sendable, to new: any Sendable) throws -> (any Encodable & Sendable)? {
        guard let old = old as? Self, let new = new as? Self else { return nil }
        return try patch(from: old, to: new)
    }
}
