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
