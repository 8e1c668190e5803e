import WaybillSystem

/// The base of a client's paths.
package struct BaseURL: Sendable {
    /// The URL as it was given.
    package let url: URL

    /// The errors in it.
    package let declarationErrors: [DeclarationError]

    /// Its origin; nil only for a declaration error.
    package let origin: HTTPRequest.Origin?

    // Everything up to the path, and the path without its last slash.
    private let prefix: String

    package init(_ url: URL) {
        self.url = url
        origin = HTTPRequest.Origin(url)
        var problems: [String] = []
        if origin == nil { problems.append("a base URL has a scheme and a host: https://shop.example") }
        if let scheme = url.scheme?.asciiLowercased, !["http", "https", "http+unix"].contains(scheme) {
            problems.append("the scheme \(scheme) is not HTTP's; give an http or https URL")
        }
        if url.user != nil || url.password != nil {
            problems.append("a user or password does not belong here; declare Authorization(.basic(user:password:))")
        }
        if url.query != nil { problems.append("a query does not belong here; declare it with Query(…)") }
        if url.fragment != nil { problems.append("a fragment is never sent; leave it out") }
        let shown = Redaction.url(url, secretNames: .usual)
        declarationErrors = problems.map { DeclarationError(clause: "Client", value: "\"\(shown)\"", reason: $0) }
        let text = url.absoluteString
        prefix = text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    /// Returns the URL of a path below this one; the base URL itself for an empty path.
    func url(path: String, query: [QueryItem]) -> URL? {
        var location = ""
        if path.isEmpty {
            location = url.absoluteString
        } else {
            location.reserveCapacity(prefix.utf8.count + 1 + path.utf8.count)
            location += prefix
            location += "/"
            location += path
        }
        guard !query.isEmpty else { return URL(string: location) }
        return URL(string: location + "?" + query.map(\.encoded).joined(separator: "&"))
    }

    /// Resolves a reference from a server against the base URL (RFC 3986, section 5).
    func resolve(_ reference: String) -> URL? { URL.resolved(reference, against: url) }
}

extension URL {
    /// Returns the URL with more query items after its own.
    func appending(_ items: [QueryItem]) -> URL? {
        guard !items.isEmpty else { return self }
        let separator = query == nil ? "?" : "&"
        return URL(string: absoluteString + separator + items.map(\.encoded).joined(separator: "&"))
    }
}
