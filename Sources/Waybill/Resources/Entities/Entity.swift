/// A value with an identity, stored in a collection on a server.
///
/// The id can be of any type that converts to a path segment: `Int`, `String`, `UUID`, or a custom
/// ``PathSegmentConvertible``.
///
/// ```swift
/// struct Product: Entity {
///     let id: Int
///     var name: String
///     struct Draft: RequestContent { var name: String }      // what POST takes
/// }
/// ```
///
/// Most models need only this protocol. The others are for special cases:
///
/// - ``Representation``: a resource without an id that exists once, such as `/profile`.
/// - ``RequestContent``, ``ResponseContent``: a value that is only sent, such as a draft, or only received, such as a
///   problem. They are needed only in modules whose default isolation is the main actor.
/// - ``JSONEntity``: an entity whose fields are unknown at compile time.
/// - ``PatchDifferencing``: an entity that computes its patches itself.
public protocol Entity: Representation, Identifiable where ID: PathSegmentConvertible {}

/// A representation of a resource: a value that is both sent and received (RFC 9110, section 3.2).
///
/// A POST payload often lacks server-generated members, such as the id, and a PATCH payload contains only the changes.
/// By default, each payload has the representation's type. If a payload differs, declare a nested type for it:
///
/// ```swift
/// struct Profile: Representation {
///     var name: String
///     struct Patch: RequestContent { var name: String? }
/// }
/// ```
///
/// This protocol is sufficient for a resource that exists once, such as `/profile`. The items of a collection must
/// conform to ``Entity``.
public protocol Representation: RequestContent, ResponseContent {
    /// The payload of `create`; by default, the representation itself.
    ///
    /// ``Body/Format`` declares the keys that enclose it, and ``Encode`` how its keys and dates are encoded.
    associatedtype Draft: Encodable & Sendable = Self

    /// The payload of `update`, for servers whose PUT payload differs from what GET returns; by default, the
    /// representation itself.
    associatedtype Replacement: Encodable & Sendable = Self

    /// The payload of `patch(_:_:)`; by default, the representation itself.
    associatedtype Patch: Encodable & Sendable = Self
}

/// A representation that computes the patches of `patch(from:to:)` itself, for servers that accept neither JSON merge
/// patches nor JSON Patches.
///
/// For those two formats, declare ``Body/Differences``.
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
    /// If this method throws, the call fails with an ``APIError/RequestFailure`` that contains the error's description.
    ///
    /// - Parameters:
    ///   - old: the current state.
    ///   - new: the desired state.
    /// - Returns: the patch; nil if nothing changed.
    /// - Throws: any error, if no valid patch exists between the states.
    static func patch(from old: Self, to new: Self) throws -> Patch?
}

extension PatchDifferencing {
    /// Returns the patch between two states; nil if nothing changed, or if a state has a different type.
    static func erasedPatch(from old: any Sendable, to new: any Sendable) throws -> (any Encodable & Sendable)? {
        guard let old = old as? Self, let new = new as? Self else { return nil }
        return try patch(from: old, to: new)
    }
}

/// The content of a request (RFC 9110, section 6.4): a value that can be encoded and sent.
///
/// ```swift
/// struct Restock: RequestContent {
///     var count: Int
/// }
/// ```
///
/// Only modules whose default isolation is the main actor need this protocol. There, a plain `Encodable` type is
/// isolated to the main actor, and the compiler rejects it as content, because content is encoded outside the main
/// actor. A type that conforms to this protocol is nonisolated. In other modules, any type that is `Encodable` and
/// `Sendable` can be content.
public protocol RequestContent: Encodable, Sendable {}

/// The content of a response (RFC 9110, section 6.4): a value, metadata or a problem that can be decoded.
///
/// ```swift
/// struct ShopProblem: ResponseContent {
///     let title: String
/// }
/// ```
///
/// Only modules whose default isolation is the main actor need this protocol. There, a plain `Decodable` type is
/// isolated to the main actor, and the compiler rejects it as content, because content is decoded outside the main
/// actor. A type that conforms to this protocol is nonisolated. In other modules, any type that is `Decodable` and
/// `Sendable` can be content.
public protocol ResponseContent: Decodable, Sendable {}
