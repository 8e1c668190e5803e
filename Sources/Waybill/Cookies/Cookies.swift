/// Sends the cookies of a jar, and keeps those that responses set (RFC 6265bis).
///
/// ```swift
/// let jar = CookieJar()
///
/// Client(url) {
///     Cookies(jar, csrfToken: "csrftoken", in: "X-CSRFToken")
/// }
/// Cookies.none                    // neither sends nor keeps cookies, even if an outer scope declares a jar
/// ```
///
/// Each request of a call gets the cookies of its own URL, also after a redirect, and before it is signed. A cookie
/// that is declared with `Header("Cookie", …)` goes before them, and in the place of the jar's of the same name.
/// Another site than that of the client's base URL gets no `SameSite=Strict` cookies, and those that are `Lax` or say
/// nothing only with a method that changes nothing.
///
/// Without this clause, no cookie is sent or kept. A name that a header field cannot have is a declaration error:
/// nothing is sent.
public struct Cookies: Setting {
    /// A cookie whose value a header field repeats.
    struct Token: Sendable {
        let cookie: String
        let field: String
        let fieldName: HTTPField.Name?
    }

    let jar: CookieJar?
    let token: Token?

    /// Uses a jar.
    ///
    /// - Parameter jar: the jar, which several clients can share.
    public init(_ jar: CookieJar) {
        self.jar = jar
        token = nil
    }

    /// Uses a jar, and repeats a token against forged requests in a header field, as many web frameworks expect it.
    ///
    /// The field is sent with methods that change something, to the client's own origin, once the server has set the
    /// cookie; a declared field of that name is left as it is. A percent-encoded value is decoded, as Laravel expects
    /// it and as Angular and axios do it.
    ///
    /// - Parameters:
    ///   - jar: the jar.
    ///   - cookie: the name of the cookie: `csrftoken` (Django), `XSRF-TOKEN` (Angular, Laravel).
    ///   - field: the name of the field: `X-CSRFToken` (Django), `X-XSRF-TOKEN`.
    public init(_ jar: CookieJar, csrfToken cookie: String, in field: String) {
        self.jar = jar
        token = Token(cookie: cookie, field: field, fieldName: HTTPField.Name(field))
    }

    private init() { (jar, token) = (nil, nil) }

    /// No cookies, even if an outer scope declares a jar.
    public static let none = Cookies()

    /// The number of cookies, and the field of the token.
    public var summary: String {
        guard let jar else { return "none" }
        return "\(jar)" + (token.map { ", \($0.cookie) in \($0.field)" } ?? "")
    }

    /// Declares the jar.
    public func declare(in scope: inout Scope) {
        if let token, token.fieldName == nil || token.cookie.isEmpty {
            scope.declare(
                DeclarationError(
                    clause: "Cookies",
                    value: "csrfToken: \(token.cookie.debugDescription), in: \(token.field.debugDescription)",
                    reason: "give the name of the cookie, and that of a header field: letters, digits and hyphens"
                )
            )
        }
        scope.declare(self)
    }
}

extension Cookies: CustomStringConvertible, CustomReflectable {
    /// The number of cookies, and the field of the token.
    public var description: String { "Cookies(\(summary))" }

    /// The same text as ``description``.
    public var customMirror: Mirror { Mirror(self, children: ["summary": summary], displayStyle: .struct) }
}
