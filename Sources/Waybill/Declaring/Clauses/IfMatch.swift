/// Makes a call only where the entity still is the version that was read (RFC 9110, section 13.1.1): the server refuses
/// to overwrite what somebody else has changed meanwhile.
///
/// ```swift
/// let read = try await shop.products.endpoints.read(7).response()
/// var lamp = read.value
/// lamp.name = "Desk lamp"
/// try await shop.products.with { IfMatch(read) }.update(lamp)      // a LostUpdate, where it is not the same any more
/// ```
///
/// A weak tag is a mistake: no entity ever matches one here. Nothing is sent.
public struct IfMatch: RepeatableClause {
    private let condition: Condition

    /// The version with a tag; strong ones only.
    public init(_ tag: EntityTag) {
        guard !tag.isWeak else {
            condition = .mistake(
                Mistake(
                    clause: "IfMatch",
                    value: "\(tag)",
                    reason:
                        "a weak tag matches nothing here (RFC 9110, section 13.1.1); the server has to give a strong"
                        + " one, or a Last-Modified for IfUnmodifiedSince"
                )
            )
            return
        }
        condition = .field(.ifMatch, "\(tag)")
    }

    /// Whatever version there is, so that nothing new is made.
    public init(_ wildcard: EntityTag.Wildcard) { condition = .field(.ifMatch, "*") }

    /// The version that came with these fields: by its tag, else by its date.
    package init(versionOf fields: HTTPFields) {
        if let tag = fields.entityTag, !tag.isWeak {
            condition = .field(.ifMatch, "\(tag)")
        } else if let text = fields[.lastModified], HTTPDate.date(from: text) != nil {
            condition = .field(.ifUnmodifiedSince, text)
        } else {
            let tag = fields[.eTag].map { "its ETag \($0) is \($0.hasPrefix("W/") ? "weak" : "malformed")" }
            condition = .mistake(
                Mistake(
                    clause: "IfMatch",
                    value: "response",
                    reason: "the response names no version that can be held to: \(tag ?? "it has no ETag") and it has"
                        + " no Last-Modified; leave the clause out where the server has no versions"
                )
            )
        }
    }

    /// Declares the condition.
    public func declare(in scope: inout Scope) { condition.declare(in: &scope) }
}

/// A header field that says when a request is to be carried out, or why there can be none.
enum Condition: Sendable {
    case field(HTTPField.Name, String)
    case mistake(Mistake)
    case nothing

    func declare(in scope: inout Scope) {
        switch self {
        case .field(let name, let value): Header(name, value).declare(in: &scope)
        case .mistake(let mistake): scope.declare(mistake)
        case .nothing: break
        }
    }
}
