/// What a resource sends and answers: a value that can be decoded and encoded (RFC 9110, section 3.2).
///
/// What POST takes often lacks what the server adds, such as the id; what PATCH takes has only what changes. Both are
/// payload types of their own where they are declared, and the value itself where they are not:
///
/// ```swift
/// struct Profile: Representation {
///     var name: String
///     struct Patch: Encodable, Sendable { var name: String? }
/// }
/// ```
///
/// A thing that exists once, such as `/profile`, needs no more than this; what has an id is an ``Entity``.
public protocol Representation: Codable, Sendable {
    /// What creating takes; the value itself where no other type is declared.
    associatedtype Draft: Encodable & Sendable = Self

    /// What patching takes; the value itself where no other type is declared.
    associatedtype Patch: Encodable & Sendable = Self
}
