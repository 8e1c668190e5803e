/// The user and the password before the host of a URL (RFC 3986, section 3.2.1).
///
/// In a link, they are the credential of the link's author. An app declares its own credential, which is sent as a
/// header field, so user info is removed from stored URLs.
package enum UserInfo {
    /// Returns the text of a URL without its user and password.
    package static func removed(from url: String) -> String {
        guard let slashes = url.firstRange(of: "//") else { return url }
        let scheme = url[..<slashes.lowerBound]
        // Slashes in a path, a query or a fragment do not begin an authority.
        guard scheme.isEmpty || scheme.last == ":" && !scheme.contains(where: { "/?#".contains($0) }) else {
            return url
        }
        let authority = url[slashes.upperBound...].prefix { !"/?#\\".contains($0) }
        guard let at = authority.lastIndex(of: "@") else { return url }
        return "\(url[..<slashes.upperBound])\(url[url.index(after: at)...])"
    }
}
