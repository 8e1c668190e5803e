extension Paginated.Scheme {
    /// The additions to a list's request that select a page.
    ///
    /// Schemes return page requests, and the request builder applies them as the innermost scope of the call.
    ///
    /// ```swift
    /// var next = Paginated.Scheme.Request()
    /// next.query["shelf"] = "B"
    /// ```
    public struct Request: Sendable, Hashable, Codable {
        /// Query items by name; each replaces the declared items of that name.
        public var query: Paginated.Scheme.Fields

        /// Header fields by name; each replaces the declared fields of that name.
        public var headerFields: Paginated.Scheme.Fields

        /// A URL that replaces the declared one, including its query.
        ///
        /// It is absolute, or relative to the URL of the previous page (RFC 3986, section 5). A different origin is
        /// rejected unless ``Paginated`` allows it or ``Route/Links`` replaces it.
        public var url: String?

        /// JSON that is merged into the body (RFC 7396).
        public var body: JSONValue?

        /// The values for array elements in the body, which a merge patch cannot set, sorted by path.
        ///
        /// Nil for schemes without such values, so that their stored cursors omit the member.
        private(set) var elements: [Element]?

        /// Creates a request; without arguments, it leaves the list's request unchanged.
        ///
        /// - Parameters:
        ///   - query: the query items.
        ///   - headerFields: the header fields.
        ///   - url: the URL of a link, which replaces the declared one; nil to keep the declared one.
        ///   - body: JSON that is merged into the body; nil to leave the body unchanged.
        public init(
            query: Paginated.Scheme.Fields = [:],
            headerFields: Paginated.Scheme.Fields = [:],
            url: String? = nil,
            body: JSONValue? = nil
        ) {
            self.query = query
            self.headerFields = headerFields
            self.url = url
            self.body = body
        }

        /// Creates a request with a page size.
        init(size: Size?) {
            self.init()
            if let size { self = size.target.request(with: .integer(size.count), beside: self) }
        }

        /// Creates a request for the page at a page number or an offset.
        init(_ target: Target, at position: Int, size: Size?) {
            self = target.request(with: .integer(position), beside: Request())
            if let size { self = size.target.request(with: .integer(size.count), beside: self) }
        }

        /// Compares names, values and the URL byte by byte.
        ///
        /// - Parameters:
        ///   - left: a page request.
        ///   - right: the page request to compare it with.
        /// - Returns: whether they are equal.
        public static func == (left: Request, right: Request) -> Bool {
            left.query == right.query && left.headerFields == right.headerFields
                && left.url.map(BytewiseString.init) == right.url.map(BytewiseString.init) && left.body == right.body
                && left.elements == right.elements
        }

        /// Hashes the parts compared by `==`.
        ///
        /// - Parameter hasher: the hasher that receives the parts.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(query)
            hasher.combine(headerFields)
            hasher.combine(url.map(BytewiseString.init))
            hasher.combine(body)
            hasher.combine(elements)
        }
    }
}

extension Paginated.Scheme.Request {
    /// A value for an array element in the body, or for a member inside one.
    struct Element: Sendable, Hashable, Codable {
        /// The keys as strings, and the indices as numbers.
        private let steps: [JSONValue]

        let value: JSONValue

        init(_ value: JSONValue, at path: [EnvelopeKey]) {
            steps = path.map { step in
                switch step {
                case .key(let key): .string(key)
                case .index(let index): .integer(index)
                }
            }
            self.value = value
        }

        /// The path from the top of the body; an out-of-range number, which no scheme writes, becomes an index past the
        /// end.
        var path: [EnvelopeKey] { steps.map { $0.stringValue.map { .key($0) } ?? .index($0.intValue ?? .max) } }
    }

    /// The values for array elements in the body, with their paths.
    package var elementValues: [(path: [EnvelopeKey], value: JSONValue)] {
        (elements ?? []).map { ($0.path, $0.value) }
    }

    /// Whether the request has values for the body.
    var changesBody: Bool { body != nil || elements != nil }

    /// Returns the value for a path in the body; nil if the request has none.
    func value(at path: [EnvelopeKey]) -> JSONValue? {
        elements?.first { $0.path == path }?.value ?? body?.value(at: path)
    }

    /// Sets the value for a path in the body.
    mutating func set(_ value: JSONValue, at path: [EnvelopeKey]) {
        let keys = path.compactMap { step in if case .key(let key) = step { key } else { nil } }
        guard keys.count == path.count else {
            let others = (elements ?? []).filter { $0.path != path }
            return elements = (others + [Element(value, at: path)]).sorted { $0.path.precedes($1.path) }
        }
        body = (body ?? .object([:])).setting(value, at: keys[...])
    }
}

extension [EnvelopeKey] {
    /// Whether this path must be set before another one, so that values are appended to arrays in order.
    func precedes(_ other: [EnvelopeKey]) -> Bool {
        for case (.index(let own), .index(let other)) in zip(self, other) where own != other { return own < other }
        return count < other.count
    }
}

extension JSONValue {
    /// Returns the patch with a value set at nested keys, replacing any value there.
    fileprivate func setting(_ value: JSONValue, at keys: ArraySlice<String>) -> JSONValue {
        guard let first = keys.first else { return value }
        var members = objectValue ?? [:]
        members[first] = (members[first] ?? .null).setting(value, at: keys.dropFirst())
        return .object(members)
    }
}

extension Paginated.Scheme.Request: CustomStringConvertible, CustomReflectable {
    /// The parts on one line, with the values of secret names redacted.
    public var description: String { parts.map { "\($0): \($1)" }.joined(separator: ", ") }

    /// The parts, with the values of secret names redacted.
    public var customMirror: Mirror {
        Mirror(self, children: parts.map { (label: $0, value: $1 as Any) }, displayStyle: .struct)
    }

    private var parts: [(String, String)] {
        var parts: [(String, String)] = []
        if let url { parts.append(("url", Redaction.url(text: url, secretNames: .usual))) }
        if !query.isEmpty { parts.append(("query", "\(query)")) }
        if !headerFields.isEmpty { parts.append(("headerFields", "\(headerFields)")) }
        if let body { parts.append(("body", "\(Redaction.json(body, secretNames: .usual))")) }
        for element in elements ?? [] {
            let isSecret = element.path.contains { step in
                if case .key(let key) = step { SecretNameSet.usual.contains(key) } else { false }
            }
            let value = isSecret ? Redaction.mark : "\(Redaction.json(element.value, secretNames: .usual))"
            parts.append(("body \(element.path.pathDescription)", value))
        }
        return parts
    }
}

extension Paginated.Scheme {
    /// The query items or header fields of a page request: names and values, in insertion order.
    ///
    /// ```swift
    /// var fields: Paginated.Scheme.Fields = ["page": "1"]
    /// fields["size"] = "50"
    /// ```
    public struct Fields: Sendable, Hashable, Codable, ExpressibleByDictionaryLiteral {
        package struct Field: Sendable, Hashable, Codable {
            package let name: String
            package let value: String

            package static func == (left: Self, right: Self) -> Bool {
                left.name.hasSameBytes(as: right.name) && left.value.hasSameBytes(as: right.value)
            }

            package func hash(into hasher: inout Hasher) {
                hasher.combine(BytewiseString(name))
                hasher.combine(BytewiseString(value))
            }
        }

        package private(set) var fields: [Field]

        /// Creates fields from a literal.
        ///
        /// - Parameter elements: the names and values, in order; if a name is repeated, its last value wins.
        public init(dictionaryLiteral elements: (String, String)...) {
            fields = []
            for (name, value) in elements { self[name] = value }
        }

        /// Whether there are no fields.
        public var isEmpty: Bool { fields.isEmpty }

        /// Accesses the value for a name.
        ///
        /// A new value for an existing name keeps the field's position, a new name is appended, and nil removes the
        /// field.
        ///
        /// - Parameter name: the name, compared byte by byte.
        /// - Returns: the value; nil if there is no such field.
        public subscript(name: String) -> String? {
            get { fields.first { $0.name.hasSameBytes(as: name) }?.value }
            set {
                let place = fields.firstIndex { $0.name.hasSameBytes(as: name) }
                switch (place, newValue) {
                case (let place?, let value?): fields[place] = Field(name: name, value: value)
                case (let place?, nil): fields.remove(at: place)
                case (nil, let value?): fields.append(Field(name: name, value: value))
                case (nil, nil): break
                }
            }
        }
    }
}

extension Paginated.Scheme.Fields: CustomStringConvertible, CustomReflectable {
    /// The names and values, with the values of secret names redacted.
    public var description: String { shown.joined(separator: ", ") }

    /// The names and values, with the values of secret names redacted.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: shown, displayStyle: .collection) }

    private var shown: [String] {
        fields.map { "\($0.name): \(SecretNameSet.usual.contains($0.name) ? Redaction.mark : $0.value)" }
    }
}
