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
