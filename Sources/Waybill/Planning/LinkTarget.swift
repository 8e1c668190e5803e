import WaybillSystem

extension Scope.Settings {
    /// Whether a link's origin is replaced with the client's.
    var ignoresOriginOfLinks: Bool { self[Route.Links.self]?.target == .baseOrigin }

    /// Returns the URL to request for a link from the server, as declared by ``Route/Links``.
    ///
    /// This applies to every kind of link: to pages, redirects, created entities, uploads and operations.
    ///
    /// - Parameters:
    ///   - link: the absolute URL of the link.
    ///   - base: a URL on the origin of the client.
    /// - Returns: the URL; the link itself if it is already on that origin, if ``Paginated/otherOrigins`` contains its
    ///   origin, or if origins are not replaced.
    package func target(of link: URL, base: URL) -> URL {
        guard ignoresOriginOfLinks, let origin = HTTPRequest.Origin(link), let baseOrigin = HTTPRequest.Origin(base),
            origin != baseOrigin, !(self[Paginated.self]?.allows(origin) ?? false),
            let url = link.moved(toOriginOf: base), HTTPRequest.Origin(url) == baseOrigin
        else { return link }
        return url
    }
}

extension Call.Plan {
    /// Returns the URL to request for a link in a response, as declared by ``Route/Links``.
    ///
    /// - Parameters:
    ///   - link: the absolute URL of the link.
    ///   - source: the URL of the response. Links from another origin are left unchanged.
    /// - Returns: the URL.
    package func target(of link: URL, from source: URL) -> URL {
        guard !isForeign, HTTPRequest.Origin(source) == HTTPRequest.Origin(url) else { return link }
        return settings.target(of: link, base: url)
    }
}

extension URL {
    /// Returns the URL with the scheme, host and port of another URL, dropping any user and password.
    fileprivate func moved(toOriginOf base: URL) -> URL? {
        let (text, origin) = (absoluteString, base.absoluteString)
        guard let start = text.utf8.endOfAuthority, let end = origin.utf8.endOfAuthority else { return nil }
        return URL(string: "\(origin[..<end])\(text[start...])")
    }
}

extension String.UTF8View {
    /// The end of an absolute URL's authority (RFC 3986, section 3.2); nil if it has none.
    fileprivate var endOfAuthority: Index? {
        guard let colon = firstIndex(of: UInt8(ascii: ":")), self[colon...].starts(with: "://".utf8) else { return nil }
        let start = index(colon, offsetBy: 3)
        let ends = [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")]
        return self[start...].firstIndex { ends.contains($0) } ?? endIndex
    }
}
