import WaybillSystem

/// The base URL that a client's paths are relative to.
package struct BaseURL: Sendable {
    /// The URL as passed to the client.
    package let url: URL

    /// The errors in the declaration of the URL.
    package let declarationErrors: [Scope.DeclarationError]

    /// The origin; nil only if the URL has a declaration error.
    package let origin: HTTPRequest.Origin?

    // The URL without its trailing slash.
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
            problems.append("a user or a password does not belong here; declare Authorization(.basic(user:password:))")
        }
        if url.query != nil { problems.append("a query does not belong here; declare it with Query(…)") }
        if url.fragment != nil { problems.append("a fragment is never sent; remove it") }
        let shown = Redaction.url(url, secretNames: .usual)
        declarationErrors = problems.map { Scope.DeclarationError(clause: "Client", value: "\"\(shown)\"", reason: $0) }
        let text = url.absoluteString
        prefix = text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    /// Returns the URL for a path relative to the base URL, with query items appended; an empty path denotes the base
    /// URL itself.
    func url(path: String, query: [QueryItem]) -> URL? {
        // Builds the URL from bytes, because appending to a string is several times slower.
        var location: [UInt8] = []
        location.reserveCapacity(prefix.utf8.count + path.utf8.count + query.count * 32 + 32)
        location += path.isEmpty ? url.absoluteString.utf8 : prefix.utf8
        if !path.isEmpty {
            location.append(UInt8(ascii: "/"))
            location += path.utf8
        }
        query.write(to: &location, after: UInt8(ascii: "?"))
        return URL(string: String(decoding: location, as: UTF8.self))
    }

    /// Resolves a reference from a server against the base URL (RFC 3986, section 5).
    func resolve(_ reference: String) -> URL? { URL.resolved(reference, against: url) }
}

extension URL {
    /// Returns the URL with items appended to its query.
    func appending(_ items: [QueryItem]) -> URL? {
        guard !items.isEmpty else { return self }
        var bytes = Array(absoluteString.utf8)
        items.write(to: &bytes, after: query == nil ? UInt8(ascii: "?") : UInt8(ascii: "&"))
        return URL(string: String(decoding: bytes, as: UTF8.self))
    }
}

extension URL {
    /// Returns the URL with the given items in its query: each replaces the items with the same name, or is appended.
    func replacing(_ items: [Paginated.Scheme.Fields.Field]) -> URL? {
        guard !items.isEmpty else { return self }
        return changingQuery { parts in
            for item in items {
                let isSame = { (part: EncodedItem) in part.name.hasSameBytes(as: item.name) }
                let written = EncodedItem(name: item.name, value: item.value)
                let index = parts.firstIndex(where: isSame) ?? parts.endIndex
                parts = parts[..<index] + [written] + parts[index...].filter { !isSame($0) }
            }
        }
    }
}

/// The decoded names in the query of a URL.
struct URLQueryNames {
    private let names: Set<BytewiseString>

    init(of url: String) {
        let query = url.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst()
        names = Set(EncodedItem.all(in: query).map { BytewiseString($0.name) })
    }

    func contains(_ name: String) -> Bool { names.contains(BytewiseString(name)) }
}

extension [QueryItem] {
    /// Appends the items as a URL query, starting with the given separator.
    fileprivate func write(to bytes: inout [UInt8], after separator: UInt8) {
        // By index, because iterating over the items would copy each one.
        for index in indices {
            bytes.append(index == 0 ? separator : UInt8(ascii: "&"))
            self[index].write(to: &bytes)
        }
    }
}
