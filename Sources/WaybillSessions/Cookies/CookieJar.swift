import Waybill
import WaybillSystem

/// A cookie store for one user's calls (RFC 6265bis).
///
/// ```swift
/// let jar = CookieJar()
/// let client = Client(url) { Cookies(jar) }       // several clients can share a jar
///
/// jar.value(of: "theme", for: url)
/// jar.removeAll()                                 // the user signs out
/// ```
///
/// The jar keeps its cookies in memory; ``onDisk(at:keepsSessionCookies:publicSuffixes:)`` also stores them in a file.
/// A jar does not distinguish users, so use a separate jar for each user.
///
/// Cookies for all hosts of a single-label domain, such as `org`, or of a public suffix passed to the initializer are
/// rejected. The package does not include the Public Suffix List.
///
/// A jar keeps at most 180 cookies for each domain and 3,000 in total. Beyond that, expired cookies are dropped first,
/// then the least recently used ones; in a domain that exceeds its limit, cookies without `Secure` are dropped before
/// those with it. A cookie from a server expires after 400 days at most.
public final class CookieJar: Sendable {
    struct Entry: Sendable {
        var cookie: Cookie
        /// The position in creation order.
        var place: Int
        /// The value of the use counter at the last use.
        var lastUse: Int
    }

    struct State: Sendable {
        /// The cookies, by domain.
        var entries: [BytewiseString: [Entry]] = [:]
        var count = 0
        var nextPlace = 0
        var uses = 0
        /// The number of changes so far, and the number included in the last write.
        var (changes, writtenChanges) = (0, 0)
    }

    static let (mostOfDomain, mostOfAll) = (180, 3_000)
    static let longestLife = 400.0 * 86_400

    let state: Locked<State>
    let file: CookieFile?
    private let publicSuffixes: Set<String>

    init(_ cookies: [Cookie], publicSuffixes: Set<String>, file: CookieFile?) {
        self.publicSuffixes = Set(publicSuffixes.map(Self.domain))
        self.file = file
        state = Locked(State())
        let now = Date()
        for cookie in cookies where rejection(of: cookie, isServers: true) == nil {
            state.withLock { $0.insert(cookie, at: now) }
        }
        state.withLock { $0.writtenChanges = $0.changes }
    }

    /// Creates a jar in memory.
    ///
    /// - Parameters:
    ///   - cookies: the initial cookies in creation order, for example from an earlier jar. Invalid ones are omitted.
    ///   - publicSuffixes: domains whose subdomains belong to different owners, such as `co.uk` or `.co.uk`.
    ///     Single-label domains are always treated as public suffixes.
    public convenience init(_ cookies: [Cookie] = [], publicSuffixes: Set<String> = []) {
        self.init(cookies, publicSuffixes: publicSuffixes, file: nil)
    }

    /// The unexpired cookies, in creation order.
    public var cookies: [Cookie] {
        let now = Date()
        return state.withLock { $0.ordered }.filter { !$0.isExpired(at: now) }
    }

    /// Returns the cookies to send with a request, in sending order.
    ///
    /// Cookies with longer paths come first, and older ones before newer ones (RFC 6265bis, section 5.8.3).
    ///
    /// - Parameters:
    ///   - url: the URL of the request.
    ///   - date: the date of the request.
    /// - Returns: the cookies.
    public func cookies(for url: URL, at date: Date = Date()) -> [Cookie] {
        cookies(for: CookieTarget(url), at: date)
    }

    /// Returns the value of the first cookie with a given name to send with a request.
    ///
    /// - Parameters:
    ///   - name: the case-sensitive name.
    ///   - url: the URL of the request.
    ///   - date: the date of the request.
    /// - Returns: the value; nil if no such cookie is sent.
    public func value(of name: String, for url: URL, at date: Date = Date()) -> String? {
        cookies(for: url, at: date).first { $0.name.hasSameBytes(as: name) }?.value
    }

    /// Stores the cookies set by a response, and removes those it deletes.
    ///
    /// Calls with ``Cookies`` do this automatically. Use this method for other responses, such as those from a web
    /// view.
    ///
    /// - Parameters:
    ///   - fields: the header fields of the response.
    ///   - url: the URL of the response.
    ///   - date: the date of the response.
    /// - Returns: the rejected cookies, with the reasons.
    @discardableResult
    public func store(_ fields: HTTPFields, from url: URL, at date: Date = Date()) -> [Rejection] {
        store(fields, from: CookieTarget(url), at: date)
    }

    /// Adds a cookie, replacing one with the same name, domain and path; an expired cookie only removes that one.
    ///
    /// A cookie is rejected if a server could parse it as a different cookie or as several: if it contains a control
    /// character or a `;`, or if its name contains a `=` or a space. It is also rejected if it exceeds 4096 bytes, has
    /// neither a name nor a value, or is for all subdomains of a public suffix.
    ///
    /// - Parameter cookie: the cookie.
    /// - Returns: the rejection, with the reason; nil if the cookie is stored.
    @discardableResult
    public func insert(_ cookie: Cookie) -> Rejection? {
        if let reason = rejection(of: cookie) { return Rejection(name: cookie.name, reason: reason) }
        let now = Date()
        state.withLock { $0.insert(cookie, at: now) }
        return nil
    }

    /// Removes the cookies that satisfy a predicate.
    ///
    /// - Parameter isRemoved: a closure that returns whether to remove a cookie. It is called with the jar's lock held
    ///   and must not use the jar.
    public func remove(where isRemoved: (Cookie) -> Bool) {
        state.withLock { $0.removeAll(where: isRemoved) }
    }

    /// Removes all cookies, for example when the user signs out.
    public func removeAll() { remove { _ in true } }
}

extension CookieJar {
    func cookies(for target: CookieTarget, at date: Date) -> [Cookie] {
        state.withLock { $0.matching(target, at: date) }
    }

    func store(_ fields: HTTPFields, from target: CookieTarget, at date: Date) -> [Rejection] {
        var rejections: [Rejection] = []
        for value in fields[values: .setCookie] {
            do throws(Rejection) {
                try store(value, from: target, at: date)
            } catch {
                rejections.append(error)
            }
        }
        return rejections
    }

    private func store(_ value: String, from target: CookieTarget, at date: Date) throws(Rejection) {
        var name = ""
        do throws(Rejection.Reason) {
            let parsed = try SetCookie(value)
            name = parsed.name
            let cookie = try cookie(parsed, from: target, at: date)
            let isKept = state.withLock { state in
                if !target.isTrusted, state.hasSecureCookie(like: cookie, at: date) { return false }
                state.insert(cookie, at: date)
                return true
            }
            if !isKept { throw .hidesSecureCookie }
        } catch {
            throw Rejection(name: name, reason: error)
        }
    }

    /// Returns the cookie set by a field (RFC 6265bis, section 5.7).
    private func cookie(
        _ parsed: SetCookie,
        from target: CookieTarget,
        at date: Date
    ) throws(Rejection.Reason) -> Cookie {
        var cookie = Cookie(parsed.name, parsed.value, domain: target.host, path: parsed.path ?? target.defaultPath)
        cookie.isSecure = parsed.isSecure
        cookie.isHTTPOnly = parsed.isHTTPOnly
        cookie.sameSite = parsed.sameSite
        let latest = date.addingTimeInterval(Self.longestLife)
        if let seconds = parsed.maxAge {
            cookie.expires = seconds <= 0 ? .distantPast : min(latest, date.addingTimeInterval(Double(seconds)))
        } else {
            cookie.expires = parsed.expires.map { min(latest, $0) }
        }
        if !parsed.domain.isEmpty, !isPublicSuffix(parsed.domain) || !parsed.domain.hasSameBytes(as: target.host) {
            guard !isPublicSuffix(parsed.domain) else { throw .publicSuffix }
            guard target.belongs(to: parsed.domain) else { throw .foreignDomain }
            (cookie.domain, cookie.isHostOnly) = (parsed.domain, false)
        }
        if cookie.isSecure, !target.isTrusted { throw .insecureConnection }
        if cookie.sameSite != CookieJar.Cookie.SameSite.none, target.isOtherSite, !target.isSafe { throw .otherSite }
        if cookie.sameSite == CookieJar.Cookie.SameSite.none, !cookie.isSecure { throw .sameSiteNoneWithoutSecure }
        try check(prefixOf: parsed, cookie)
        return cookie
    }

    /// Returns the reason to reject a cookie from the app or from storage; nil if it is valid.
    ///
    /// - Parameters:
    ///   - cookie: the cookie.
    ///   - isServers: whether a server may have set the cookie, in which case its name may contain a space.
    /// - Returns: the reason; nil if the cookie is valid.
    private func rejection(of cookie: Cookie, isServers: Bool = false) -> Rejection.Reason? {
        if let reason = cookie.rejection(isServers: isServers) { return reason }
        return cookie.isHostOnly || !isPublicSuffix(Self.domain(cookie.domain)) ? nil : .publicSuffix
    }

    /// Returns a domain in lowercase, without a leading or trailing dot.
    private static func domain(_ text: String) -> String {
        var domain = text.asciiLowercased[...]
        if domain.utf8.first == UInt8(ascii: ".") { domain = domain.dropFirst() }
        if domain.utf8.last == UInt8(ascii: ".") { domain = domain.dropLast() }
        return String(domain)
    }

    private func isPublicSuffix(_ domain: String) -> Bool {
        // A trailing dot does not change the domain.
        let domain = domain.utf8.last == UInt8(ascii: ".") ? String(domain.dropLast()) : domain
        return !domain.utf8.contains(UInt8(ascii: ".")) && !domain.utf8.contains(UInt8(ascii: ":"))
            || publicSuffixes.contains(domain)
    }

    private func check(prefixOf parsed: SetCookie, _ cookie: Cookie) throws(Rejection.Reason) {
        // A server may parse the value of a nameless cookie as a name.
        let start = (cookie.name.isEmpty ? cookie.value : cookie.name).prefix(9).asciiLowercased
        let (isOfHost, isSecure) = (start.hasPrefix("__host-"), start.hasPrefix("__secure-"))
        guard isOfHost || isSecure else { return }
        guard !cookie.name.isEmpty, cookie.isSecure else { throw .prefix }
        guard !isOfHost || (cookie.isHostOnly && parsed.domain.isEmpty && parsed.path == "/") else { throw .prefix }
    }
}

extension CookieJar: CustomStringConvertible, CustomReflectable {
    /// The number of cookies.
    public var description: String { "CookieJar(\(state.withLock { $0.count }) cookies)" }

    /// The number of cookies, without their names and values.
    public var customMirror: Mirror {
        Mirror(self, children: ["count": state.withLock { $0.count }], displayStyle: .class)
    }
}
