/// Makes a call only if the entity still is the version that was read (RFC 9110, section 13.1.1): the server does not
/// overwrite another user's change.
///
/// ```swift
/// let read = try await shop.products.endpoints.read(7).response()
/// var lamp = read.value
/// lamp.name = "Desk lamp"
/// try await shop.products.with { IfMatch(read) }.update(lamp)      // an APIError.LostUpdate, if it is another
/// ```
///
/// A weak tag is a declaration error, and nothing is sent: no entity matches one here (RFC 9110). For a server that
/// compares weakly nevertheless, as SCIM demands (RFC 7644, section 3.14), declare `IfMatch(read, comparison: .weak)`.
public struct IfMatch: RepeatableClause {
    private let condition: Condition

    /// Declares the version with a tag.
    ///
    /// - Parameters:
    ///   - tag: the tag; by a strong comparison a strong one.
    ///   - comparison: the server's comparison of tags.
    public init(_ tag: EntityTag, comparison: EntityTag.Comparison = .strong) {
        guard !tag.isWeak || comparison == .weak else {
            condition = .declarationError(
                DeclarationError(
                    clause: "IfMatch",
                    value: "\(tag)",
                    reason:
                        "a weak tag never matches here (RFC 9110, section 13.1.1); the server has to send a strong"
                        + " one, or a Last-Modified for IfUnmodifiedSince; if it compares weakly here (as SCIM does),"
                        + " say comparison: .weak"
                )
            )
            return
        }
        condition = .field(.ifMatch, "\(tag)")
    }

    /// Declares any version, so that nothing new is created.
    public init(_ wildcard: EntityTag.Wildcard) { condition = .field(.ifMatch, "*") }

    /// Declares the version of a response's fields: by its tag, else by its date.
    package init(versionOf fields: HTTPFields, comparison: EntityTag.Comparison = .strong) {
        if let tag = fields.entityTag, !tag.isWeak || comparison == .weak {
            condition = .field(.ifMatch, "\(tag)")
        } else if let text = fields[.lastModified], HTTPDate.date(from: text) != nil {
            condition = .field(.ifUnmodifiedSince, text)
        } else {
            let tag = fields[.eTag].map { "its ETag \($0) is \($0.hasPrefix("W/") ? "weak" : "malformed")" }
            condition = .declarationError(
                DeclarationError(
                    clause: "IfMatch",
                    value: "response",
                    reason: "the response has no version for a condition: \(tag ?? "it has no ETag") and it has"
                        + " no Last-Modified; leave the clause out if the server has no versions"
                        + (fields.entityTag == nil ? "" : ", and say comparison: .weak if it compares weakly here")
                )
            )
        }
    }

    /// Declares the condition.
    public func declare(in scope: inout Scope) { condition.declare(in: &scope) }
}

/// A header field with a condition, or the reason why the condition cannot be sent.
enum Condition: Sendable {
    case field(HTTPField.Name, String)
    case declarationError(DeclarationError)
    case nothing

    func declare(in scope: inout Scope) {
        switch self {
        case .field(let name, let value): Header(name, value).declare(in: &scope)
        case .declarationError(let declarationError): scope.declare(declarationError)
        case .nothing: break
        }
    }
}
