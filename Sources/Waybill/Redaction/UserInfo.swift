/// The user name and password before a URL's host (RFC 3986, section 3.2.1).
///
/// In a link, they are the link author's credentials. An app declares its credentials separately and sends them in a
/// header field, so user info is removed from stored URLs.
package enum UserInfo {
    /// Returns a URL's text without the user name and password.
    package static func removed(from url: String) -> String {
        guard let slashes = url.firstRange(of: "//") else { return url }
        let scheme = url[..<slashes.lowerBound]
        // Two slashes in a path, a query or a fragment do not begin an authority.
        guard scheme.isEmpty || scheme.last == ":" && !scheme.contains(where: { "/?#".contains($0) }) else {
            return url
        }
        let authority = url[slashes.upperBound...].prefix { !"/?#\\".contains($0) }
        guard let at = authority.lastIndex(of: "@") else { return url }
        return "\(url[..<slashes.upperBound])\(url[url.index(after: at)...])"
    }
}
