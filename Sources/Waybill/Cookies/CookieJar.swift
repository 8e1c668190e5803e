import WaybillSystem

/// The cookies of servers, for the calls of one user (RFC 6265bis).
///
/// ```swift
/// let jar = CookieJar()
/// let client = Client(url) { Cookies(jar) }       // several clients can share a jar
///
/// jar.value(of: "theme", for: url)
/// jar.removeAll()                                 // the user signs out
/// ```
///
/// It keeps the cookies in memory. ``onDisk(at:keepsSessionCookies:publicSuffixes:)`` keeps them in a file, too. For
/// each user an app has a jar: a jar has no users.
///
/// A domain of one label, such as `org`, and the given public suffixes get no cookies that are meant for all below
/// them. The list of all public suffixes is not part of the package.
///
/// It keeps 180 cookies for each domain and 3,000 in all. Beyond that it drops those that have ended, then those that
/// are not `Secure`, and the least recently used first. A cookie lives for 400 days at most.
public final class CookieJar: Sendable {
    struct Entry: Sendable {
        var cookie: Cookie
        /// The place in the order in which the cookies were made.
        var place: Int
        /// The moment of the last use, counted in uses.
        var lastUse: Int
    }

    struct State: Sendable {
        /// The cookies by their domains.
        var entries: [BytewiseString: [Entry]] = [:]
        var count = 0
        var nextPlace = 0
        var uses = 0
        /// The number of changes, and that of those which the file has.
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
    ///   - cookies: the first cookies, in the order in which they were made, such as those of an earlier jar. Invalid
    ///     ones are left out, as by ``insert(_:)``.
    ///   - publicSuffixes: the domains below which others have domains of their own, such as `co.uk` or `.co.uk`. Those
    ///     of one label need not be given.
    public convenience init(_ cookies: [Cookie] = [], publicSuffixes: Set<String> = []) {
        self.init(cookies, publicSuffixes: publicSuffixes, file: nil)
    }

    /// All cookies that have not ended, in the order in which they were made.
    public var cookies: [Cookie] {
        let now = Date()
        return state.withLock { $0.ordered }.filter { !$0.isExpired(at: now) }
    }

    /// Returns the cookies that a request for a URL is sent with, in the order in which they are sent: those of longer
    /// paths first, and older ones before newer ones (RFC 6265bis, section 5.8.3).
    ///
    /// - Parameters:
    ///   - url: the URL of the request.
    ///   - date: the date of the request.
    /// - Returns: the cookies.
    public func cookies(for url: URL, at date: Date = Date()) -> [Cookie] {
        cookies(for: CookieTarget(url), at: date)
    }

    /// Returns the value of the first cookie of a name that a request for a URL is sent with; nil without one.
    ///
    /// - Parameters:
    ///   - name: the name, whose case matters.
    ///   - url: the URL of the request.
    ///   - date: the date of the request.
    /// - Returns: the value.
    public func value(of name: String, for url: URL, at date: Date = Date()) -> String? {
        cookies(for: url, at: date).first { $0.name.hasSameBytes(as: name) }?.value
    }

    /// Keeps the cookies that a response sets, and removes those that it deletes.
    ///
    /// Calls with ``Cookies`` do it by themselves. It is for responses of others, such as those of a web view.
    ///
    /// - Parameters:
    ///   - fields: the header fields of the response.
    ///   - url: the URL of the response.
    ///   - date: the date of the response.
    /// - Returns: the cookies that are not kept, with the reasons.
    @discardableResult
    public func store(_ fields: HTTPFields, from url: URL, at date: Date = Date()) -> [Rejection] {
        store(fields, from: CookieTarget(url), at: date)
    }

    /// Adds a cookie, in the place of one with the same name, domain and path; one that has ended is removed.
    ///
    /// A cookie that would be sent as another one, or as several, is not kept: one with a control character or a `;`,
    /// or with a `=` or a space in its name. Nor is one that is longer than 4096 bytes, one without a name and a value,
    /// and one for all hosts below a public suffix.
    ///
    /// - Parameter cookie: the cookie.
    /// - Returns: the rejection, with the reason; nil if the cookie is kept.
    @discardableResult
    public func insert(_ cookie: Cookie) -> Rejection? {
        if let reason = rejection(of: cookie) { return Rejection(name: cookie.name, reason: reason) }
        let now = Date()
        state.withLock { $0.insert(cookie, at: now) }
        return nil
    }

    /// Removes the cookies for which a closure returns true.
    ///
    /// - Parameter isRemoved: whether a cookie is removed. It runs under the jar's lock, and must not use the jar.
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

    /// Returns the cookie that a field means (RFC 6265bis, section 5.7).
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

    /// Returns the reason against a cookie that the app has made or kept; nil if the jar may have it.
    ///
    /// - Parameters:
    ///   - cookie: the cookie.
    ///   - isServers: whether a server may have set it, as the names of servers may have a space in them.
    /// - Returns: the reason.
    private func rejection(of cookie: Cookie, isServers: Bool = false) -> Rejection.Reason? {
        if let reason = cookie.rejection(isServers: isServers) { return reason }
        return cookie.isHostOnly || !isPublicSuffix(Self.domain(cookie.domain)) ? nil : .publicSuffix
    }

    /// Returns a domain in lower case, without the dot that may stand before or after it.
    private static func domain(_ text: String) -> String {
        var domain = text.asciiLowercased[...]
        if domain.utf8.first == UInt8(ascii: ".") { domain = domain.dropFirst() }
        if domain.utf8.last == UInt8(ascii: ".") { domain = domain.dropLast() }
        return String(domain)
    }

    private func isPublicSuffix(_ domain: String) -> Bool {
        // A name with a dot at its end is the same one.
        let domain = domain.utf8.last == UInt8(ascii: ".") ? String(domain.dropLast()) : domain
        return !domain.utf8.contains(UInt8(ascii: ".")) && !domain.utf8.contains(UInt8(ascii: ":"))
            || publicSuffixes.contains(domain)
    }

    private func check(prefixOf parsed: SetCookie, _ cookie: Cookie) throws(Rejection.Reason) {
        // A server may take a value for a name if there is no name.
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

    /// The number of cookies; neither names nor values.
    public var customMirror: Mirror {
        Mirror(self, children: ["count": state.withLock { $0.count }], displayStyle: .class)
    }
}
