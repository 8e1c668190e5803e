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
