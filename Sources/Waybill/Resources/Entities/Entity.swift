/// A value with an identity, of which a server keeps a collection.
///
/// The id can be of any type that can be a segment of a path: `Int`, `String`, `UUID`, or an app's own
/// ``PathSegmentConvertible``.
///
/// ```swift
/// struct Product: Entity {
///     let id: Int
///     var name: String
///     struct Draft: RequestContent { var name: String }      // what POST takes
/// }
/// ```
public protocol Entity: Representation, Identifiable where ID: PathSegmentConvertible {}

/// A representation of a resource: a value that is sent and received, decoded and encoded (RFC 9110, section 3.2).
///
/// The payload of POST often lacks what the server adds, such as the id; that of PATCH has only the changes. Each has a
/// type of its own if one is declared, else that of the value itself:
///
/// ```swift
/// struct Profile: Representation {
///     var name: String
///     struct Patch: RequestContent { var name: String? }
/// }
/// ```
///
/// A resource that exists once, such as `/profile`, needs no more than this; one with an id is an ``Entity``.
public protocol Representation: RequestContent, ResponseContent {
    /// The payload of creating; the value itself unless another type is declared.
    associatedtype Draft: Encodable & Sendable = Self

    /// The payload of updating, for a server whose PUT has another form than its GET; the value itself unless another
    /// type is declared.
    associatedtype Replacement: Encodable & Sendable = Self

    /// The payload of patching; the value itself unless another type is declared.
    associatedtype Patch: Encodable & Sendable = Self
}

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
    /// An error that it throws becomes the ``APIError/RequestFailure`` of the call.
    static func patch(from old: Self, to new: Self) throws -> Patch?
}

extension PatchDifferencing {
    /// Returns the patch between two states of any type, if that is this one; nil if nothing changed.
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
/// A module whose default isolation is the main actor needs the protocol: there, a plain `Encodable` type belongs to
/// the main actor, and the compiler rejects it as content, which is encoded elsewhere. A type that adopts the protocol
/// belongs to no actor. In other modules, any type that is `Encodable` and `Sendable` does as well.
public protocol RequestContent: Encodable, Sendable {}

/// The content of a response (RFC 9110, section 6.4): a value, metadata or a problem that can be decoded.
///
/// ```swift
/// struct ShopProblem: ResponseContent {
///     let title: String
/// }
/// ```
///
/// A module whose default isolation is the main actor needs the protocol: there, a plain `Decodable` type belongs to
/// the main actor, and the compiler rejects it as content, which is decoded elsewhere. A type that adopts the protocol
/// belongs to no actor. In other modules, any type that is `Decodable` and `Sendable` does as well.
public protocol ResponseContent: Decodable, Sendable {}
