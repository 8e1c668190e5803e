import WaybillSystem

/// The facts about a request by which cookies are chosen for it.
struct CookieTarget {
    /// The host in lower case.
    let host: String

    /// The path, percent-encoded; `/` for a URL without one.
    let path: String

    /// Whether others cannot read the connection: it is encrypted, or does not leave the machine.
    let isTrusted: Bool

    /// Whether the request goes to another site than the client's.
    let isOtherSite: Bool

    /// Whether the method changes nothing.
    let isSafe: Bool

    private let isAddress: Bool

    /// - Parameters:
    ///   - url: the URL of the request.
    ///   - method: the method of the request.
    ///   - site: the base URL of the client; nil if the URL is at the client's own site.
    init(_ url: URL, _ method: HTTPRequest.Method = .get, from site: URL? = nil) {
        host = url.host?.asciiLowercased ?? ""
        let path = url.path(percentEncoded: true)
        self.path = path.utf8.first == UInt8(ascii: "/") ? path : "/"
        isAddress = HTTPRequest.Origin.isAddress(host)
        isTrusted = url.scheme?.asciiLowercased == "https" || HTTPRequest.Origin(url)?.isLoopback ?? false
        isSafe = method.isSafe
        isOtherSite = if let site { Self.isOtherSite(url, host, than: site) } else { false }
    }

    /// The path for a cookie that names none: the directory of the URL's (RFC 6265bis, section 5.1.4).
    var defaultPath: String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// Whether the host is the domain or lies below it (RFC 6265bis, section 5.1.3).
    func belongs(to domain: String) -> Bool {
        host.hasSameBytes(as: domain) || parents.contains { $0.hasSameBytes(as: domain) }
    }

    /// The domains above the host, the nearest first; an address has none.
    var parents: [Substring] {
        guard !isAddress else { return [] }
        var (parents, rest): ([Substring], Substring) = ([], host[...])
        while let dot = rest.utf8.firstIndex(of: UInt8(ascii: ".")) {
            rest = rest[rest.utf8.index(after: dot)...]
            if !rest.isEmpty { parents.append(rest) }
        }
        return parents
    }

    /// Whether a cookie is sent to this site and path, at all or with this method.
    func accepts(_ cookie: CookieJar.Cookie) -> Bool {
        guard !cookie.isSecure || isTrusted, cookie.matches(path: path) else { return false }
        guard isOtherSite else { return true }
        return switch cookie.sameSite {
        case .strict: false
        case .lax, nil: isSafe
        case .some(.none): true
        }
    }

    /// Whether two URLs are at different sites: their schemes differ, or neither host lies below the other.
    ///
    /// Without the list of public suffixes two hosts below one domain are not known to be of one site.
    private static func isOtherSite(_ url: URL, _ host: String, than site: URL) -> Bool {
        let siteHost = site.host?.asciiLowercased ?? ""
        guard url.scheme?.asciiLowercased == site.scheme?.asciiLowercased else { return true }
        guard !host.hasSameBytes(as: siteHost) else { return false }
        if HTTPRequest.Origin.isAddress(host) || HTTPRequest.Origin.isAddress(siteHost) { return true }
        return !host.hasSuffix(".\(siteHost)") && !siteHost.hasSuffix(".\(host)")
    }
}
