/// What the request for one page has that the plain request has not.
///
/// A scheme fills it in; the planner applies it as the nearest scope of the call.
///
/// ```swift
/// var next = PageRequest()
/// next.query["shelf"] = "B"
/// ```
public struct PageRequest: Sendable, Hashable, Codable {
    /// Query items by name; each replaces the declared ones of its name.
    public var query: PageFields

    /// Header fields by name; each replaces the declared ones of its name.
    public var headerFields: PageFields

    /// A URL that takes the place of the declared one, query included: absolute, or relative to the URL of the page
    /// before (RFC 3986, section 5).
    ///
    /// Another origin is refused unless ``Paginated`` allows it.
    public var url: String?

    /// What is merged into the JSON body (RFC 7396).
    public var body: JSONValue?

    /// Creates a request, by default for nothing beyond the plain one.
    public init(
        query: PageFields = [:],
        headerFields: PageFields = [:],
        url: String? = nil,
        body: JSONValue? = nil
    ) {
        self.query = query
        self.headerFields = headerFields
        self.url = url
        self.body = body
    }

    /// Compares names, values and the URL by their bytes.
    public static func == (left: PageRequest, right: PageRequest) -> Bool {
        left.query == right.query && left.headerFields == right.headerFields
            && left.url.map(BytewiseString.init) == right.url.map(BytewiseString.init) && left.body == right.body
    }

    /// Hashes what is compared.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(query)
        hasher.combine(headerFields)
        hasher.combine(url.map(BytewiseString.init))
        hasher.combine(body)
    }
}

extension PageRequest: CustomStringConvertible, CustomReflectable {
    /// What the request has, in one line; the values of secret names are redacted.
    public var description: String { parts.map { "\($0): \($1)" }.joined(separator: ", ") }

    /// What the request has; the values of secret names are redacted.
    public var customMirror: Mirror {
        Mirror(self, children: parts.map { (label: $0, value: $1 as Any) }, displayStyle: .struct)
    }

    private var parts: [(String, String)] {
        var parts: [(String, String)] = []
        if let url { parts.append(("url", Redaction.url(text: url, secretNames: .usual))) }
        if !query.isEmpty { parts.append(("query", "\(query)")) }
        if !headerFields.isEmpty { parts.append(("headerFields", "\(headerFields)")) }
        if let body { parts.append(("body", "\(Redaction.json(body, secretNames: .usual))")) }
        return parts
    }
}
