import Waybill
import WaybillSystem

/// The properties of a request that determine its cookies.
struct CookieTarget {
    /// The lowercased host.
    let host: String

    /// The percent-encoded path; `/` for a URL without one.
    let path: String

    /// Whether the connection is encrypted or stays on the local machine.
    let isTrusted: Bool

    /// Whether the request is cross-site: sent to a site other than the client's.
    let isOtherSite: Bool

    let isSafe: Bool

    private let isAddress: Bool

    /// Creates the target of a request.
    ///
    /// - Parameters:
    ///   - url: the URL of the request.
    ///   - method: the method of the request.
    ///   - site: the base URL of the client; nil to treat the request as same-site.
    init(_ url: URL, _ method: HTTPRequest.Method = .get, from site: URL? = nil) {
        host = url.host?.asciiLowercased ?? ""
        let path = url.path(percentEncoded: true)
        self.path = path.utf8.first == UInt8(ascii: "/") ? path : "/"
        isAddress = HTTPRequest.Origin.isAddress(host)
        isTrusted = url.scheme?.asciiLowercased == "https" || HTTPRequest.Origin(url)?.isLoopback ?? false
        isSafe = method.isSafe
        isOtherSite = if let site { Self.isOtherSite(url, host, than: site) } else { false }
    }

    /// The default path of a cookie: the directory of the URL (RFC 6265bis, section 5.1.4).
    var defaultPath: String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    /// Whether the host equals a domain or is a subdomain of it (RFC 6265bis, section 5.1.3).
    func belongs(to domain: String) -> Bool {
        host.hasSameBytes(as: domain) || parents.contains { $0.hasSameBytes(as: domain) }
    }

    /// The parent domains of the host, closest first; empty for an IP address.
    var parents: [Substring] {
        guard !isAddress else { return [] }
        var (parents, rest): ([Substring], Substring) = ([], host[...])
        while let dot = rest.utf8.firstIndex(of: UInt8(ascii: ".")) {
            rest = rest[rest.utf8.index(after: dot)...]
            if !rest.isEmpty { parents.append(rest) }
        }
        return parents
    }

    /// Whether to send a cookie with the request, given the request's site, path, method and connection.
    func accepts(_ cookie: CookieJar.Cookie) -> Bool {
        guard !cookie.isSecure || isTrusted, cookie.matches(path: path) else { return false }
        guard isOtherSite else { return true }
        return switch cookie.sameSite {
        case .strict: false
        case .lax, nil: isSafe
        case .some(.none): true
        }
    }

    /// Whether two URLs are cross-site: their schemes differ, or neither host equals or is a subdomain of the other.
    ///
    /// Without the Public Suffix List, two subdomains of one domain cannot be assumed to belong to the same site.
    private static func isOtherSite(_ url: URL, _ host: String, than site: URL) -> Bool {
        let siteHost = site.host?.asciiLowercased ?? ""
        guard url.scheme?.asciiLowercased == site.scheme?.asciiLowercased else { return true }
        guard !host.hasSameBytes(as: siteHost) else { return false }
        if HTTPRequest.Origin.isAddress(host) || HTTPRequest.Origin.isAddress(siteHost) { return true }
        return !host.hasSuffix(".\(siteHost)") && !siteHost.hasSuffix(".\(host)")
    }
}
