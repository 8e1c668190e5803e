/// The body of the request as a form of several parts, `multipart/form-data` (RFC 7578); an endpoint has one body.
///
/// ```swift
/// Multipart {
///     Part("title", title)
///     Part("details", json: draft)
///     for photo in photos { Part("photo", file: photo, contentType: "image/jpeg") }
/// }
/// ```
///
/// The parts are sent in their order, also several of one name. Files and streams are read while they are sent. The
/// request has a `Content-Length` if the length of each part is known, and can be sent again, by a redirect or a retry,
/// if each part can be read again. The boundary is made of 128 random bits for each plan of a call.
public struct Multipart: Clause {
    package let parts: [Part]

    /// Creates a form from parts, with conditions and loops.
    public init(@Builder _ parts: () -> [Part]) { self.init(parts()) }

    /// Creates a form from a list of parts that is made at run time.
    public init(_ parts: [Part]) { self.parts = parts }

    /// The clause as the body that it is.
    package var body: Body { Body(.multipart(parts)) }

    /// Declares the body.
    public func declare(in scope: inout Scope) { body.declare(in: &scope) }
}

extension Multipart: CustomStringConvertible, CustomReflectable {
    /// The names of the parts with their file names and types; nothing of their contents, which may be secret.
    public var description: String { "Multipart(\(parts.map(\.summary).joined(separator: ", ")))" }

    /// The description.
    public var customMirror: Mirror { Mirror(self, children: ["body": description], displayStyle: .struct) }
}
