import Waybill

/// A clause that sends the cookies of a jar and stores those set by responses (RFC 6265bis).
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
/// The cookies for each request of a call, including redirected ones, are added before the request is signed. A cookie
/// declared with `Header("Cookie", …)` is sent before them, and replaces a cookie with the same name from the jar.
/// Requests to a site other than that of the client's base URL never include `SameSite=Strict` cookies, and include
/// `Lax` cookies and those without `SameSite` only if the method is safe.
///
/// Without this clause, no cookies are sent or stored. An invalid field name or an empty cookie name is a declaration
/// error: nothing is sent.
public struct Cookies: Setting {
    /// A cookie whose value is repeated in a header field.
    struct Token: Sendable {
        let cookie: String
        let field: String
        let fieldName: HTTPField.Name?
    }

    let jar: CookieJar?
    let token: Token?

    /// Creates the clause with a jar.
    ///
    /// - Parameter jar: the jar, which several clients can share.
    public init(_ jar: CookieJar) {
        self.jar = jar
        token = nil
    }

    /// Creates the clause with a jar and a CSRF token repeated in a header field, as many web frameworks expect.
    ///
    /// Once the server has set the cookie, the field is sent with unsafe methods to the client's origin, unless a field
    /// with that name is declared. A percent-encoded value is decoded, as Laravel expects and as Angular and axios
    /// do.
    ///
    /// - Parameters:
    ///   - jar: the jar, which several clients can share.
    ///   - cookie: the name of the cookie, such as `csrftoken` (Django) or `XSRF-TOKEN` (Angular, Laravel).
    ///   - field: the name of the field, such as `X-CSRFToken` (Django) or `X-XSRF-TOKEN`.
    public init(_ jar: CookieJar, csrfToken cookie: String, in field: String) {
        self.jar = jar
        token = Token(cookie: cookie, field: field, fieldName: HTTPField.Name(field))
    }

    private init() { (jar, token) = (nil, nil) }

    /// No cookies, even if an outer scope declares a jar.
    public static let none = Cookies()

    /// The number of cookies, and the names of the CSRF token's cookie and field; `none` if no jar is declared.
    public var summary: String {
        guard let jar else { return "none" }
        return "\(jar)" + (token.map { ", \($0.cookie) in \($0.field)" } ?? "")
    }

    /// Declares the jar, and an error if the name of the token's cookie or field is invalid.
    ///
    /// - Parameter scope: the scope to declare it in.
    public func declare(in scope: inout Scope) {
        if let token, token.fieldName == nil || token.cookie.isEmpty {
            scope.declare(
                Scope.DeclarationError(
                    clause: "Cookies",
                    value: "csrfToken: \(token.cookie.debugDescription), in: \(token.field.debugDescription)",
                    reason: "pass the name of a cookie and the name of a header field: letters, digits and hyphens"
                )
            )
        }
        scope.declare(self)
    }
}

extension Cookies: CustomStringConvertible, PartlyShown {
    /// The number of cookies, and the names of the CSRF token's cookie and field; `none` if no jar is declared.
    public var description: String { "Cookies(\(summary))" }

    /// The summary alone.
    package var shownParts: KeyValuePairs<String, Any> { ["summary": summary] }
}
