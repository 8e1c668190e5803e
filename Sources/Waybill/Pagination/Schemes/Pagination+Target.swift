extension Paginated.Scheme {
    /// The part of a request that contains a token, a page number or an offset.
    ///
    /// A string literal names a query item; the other targets have methods:
    ///
    /// ```swift
    /// Paginated(.cursor(at: "next", as: "after"))
    /// Paginated(.cursor(at: "next", as: .field("X-Continuation")))
    /// Paginated(.cursor(at: "next", as: .body("paging", "token")))
    /// Paginated(.offset(.body("offset"), size: .body("limit", count: 50)))
    /// ```
    ///
    /// Tokens that are objects or arrays can only be sent in the body.
    public struct Target: Sendable, Hashable, ExpressibleByStringLiteral {
        package enum Place: Sendable, Hashable {
            case query(String)
            case field(String)
            case body([String])
        }

        package let place: Place

        private init(_ place: Place) { self.place = place }

        /// Creates a target in the JSON body from an array of keys.
        init(keys: [String]) { self.init(.body(keys)) }

        /// Creates a target that is a query item.
        ///
        /// - Parameter name: the name of the item.
        public init(stringLiteral name: String) { self.init(.query(name)) }

        /// Returns a target that is a query item.
        ///
        /// - Parameter name: the name of the item.
        /// - Returns: the target.
        public static func query(_ name: String) -> Self { Self(.query(name)) }

        /// Returns a target that is a header field.
        ///
        /// - Parameter name: the name of the field.
        /// - Returns: the target.
        public static func field(_ name: String) -> Self { Self(.field(name)) }

        /// Returns a target that is a member of the JSON body.
        ///
        /// - Parameters:
        ///   - key: the outermost key.
        ///   - keys: the keys below it.
        /// - Returns: the target.
        public static func body(_ key: String, _ keys: String...) -> Self { Self(keys: [key] + keys) }

        /// The target as written in a declaration: `.body("paging", "token")`.
        var argument: String {
            switch place {
            case .query(let name): "\"\(name)\""
            case .field(let name): ".field(\"\(name)\")"
            case .body(let keys): ".body(\(keys.map { "\"\($0)\"" }.joined(separator: ", ")))"
            }
        }

        /// The target in words, for the name of a scheme.
        var name: String {
            switch place {
            case .query(let name): name
            case .field(let name): "field \(name)"
            case .body(let keys): "body \(keys.joined(separator: "."))"
            }
        }

        /// The keys in the JSON body; nil for a query item or a header field.
        package var keys: [String]? { if case .body(let keys) = place { keys } else { nil } }

        /// Returns the request for the first page, which has no token but has a body if tokens are sent in the body.
        func firstRequest(size: Size?) -> Request {
            var request = Request(size: size)
            if keys != nil { request.body = request.body ?? .object([:]) }
            return request
        }

        /// Returns a copy of a request with a token at the target.
        func request(with token: JSONValue, beside other: Request) -> Request {
            var request = other
            let text = token.stringValue ?? token.description
            switch place {
            case .query(let name): request.query[name] = text
            case .field(let name): request.headerFields[name] = text
            case .body(let keys): request.body = (request.body ?? .object([:])).setting(token, at: keys[...])
            }
            return request
        }

        /// Whether the target accepts a value: objects and arrays can only be sent in the body.
        func takes(_ value: JSONValue) -> Bool {
            keys != nil || (value.objectValue == nil && value.arrayValue == nil)
        }

        /// Returns the number at the target of a request; nil if the request contains no number there.
        func number(in request: Request) -> Int? {
            switch place {
            case .query(let name): request.query[name].flatMap { Int($0) }
            case .field(let name): request.headerFields[name].flatMap { Int($0) }
            case .body(let keys): request.body?.value(at: keys[...])?.intValue
            }
        }
    }
}

extension JSONValue {
    /// Returns the document with a value set at nested keys, replacing any value there.
    package func setting(_ value: JSONValue, at keys: ArraySlice<String>) -> JSONValue {
        guard let first = keys.first else { return value }
        var members = objectValue ?? [:]
        members[first] = (members[first] ?? .null).setting(value, at: keys.dropFirst())
        return .object(members)
    }

    /// Returns the document without the value at nested keys; objects that become empty are removed too.
    package func removing(at keys: ArraySlice<String>) -> JSONValue {
        guard let first = keys.first, var members = objectValue, let inner = members[first] else { return self }
        let rest = keys.dropFirst()
        let remaining = rest.isEmpty ? JSONValue.object([:]) : inner.removing(at: rest)
        if remaining == .object([:]) { members.removeValue(forKey: first) } else { members[first] = remaining }
        return .object(members)
    }

    /// Returns the value at nested keys; nil if it is missing.
    package func value(at keys: ArraySlice<String>) -> JSONValue? {
        keys.reduce(self as JSONValue?) { value, key in value?[key] }
    }
}

extension Paginated.Scheme {
    /// The requested number of items on a page, and where the request sends it.
    ///
    /// ```swift
    /// Paginated(.pageNumber(size: .query("per_page", 50)))
    /// Paginated(.offset(.body("offset"), size: .body("limit", count: 50)))
    /// ```
    ///
    /// A query item of the same name, or a member of the body at the same path, overrides the size if it is declared in
    /// the scope of ``Paginated`` or in an inner one.
    public struct Size: Sendable, Hashable {
        package let target: Target

        /// The number of items to request; the server may send fewer.
        public let count: Int

        private init(_ target: Target, _ count: Int) {
            self.target = target
            self.count = max(1, count)
        }

        /// Returns the page size with a different number of items.
        func with(count: Int) -> Size { Size(target, count) }

        /// The name of the query item, or the path in the body: `body paging.limit`.
        public var name: String { target.name }

        /// Returns a page size sent as a query item.
        ///
        /// - Parameters:
        ///   - name: the name of the query item.
        ///   - count: the number of items; a value below 1 counts as 1.
        /// - Returns: the page size.
        public static func query(_ name: String, _ count: Int) -> Self { Self(.query(name), count) }

        /// Returns a page size sent in the JSON body.
        ///
        /// - Parameters:
        ///   - key: the outermost key.
        ///   - keys: the keys below it.
        ///   - count: the number of items; a value below 1 counts as 1.
        /// - Returns: the page size.
        public static func body(_ key: String, _ keys: String..., count: Int) -> Self {
            Self(Target(keys: [key] + keys), count)
        }
    }
}
