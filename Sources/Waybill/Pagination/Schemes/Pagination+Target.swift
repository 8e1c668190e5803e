extension Pagination {
    /// The place of a token in the request for the next page.
    ///
    /// Written as text it is a query item; the others are named:
    ///
    /// ```swift
    /// Paginated(.cursor(at: "next", as: "after"))
    /// Paginated(.cursor(at: "next", as: .field("X-Continuation")))
    /// Paginated(.cursor(at: "next", as: .body("paging", "token")))
    /// ```
    public struct Target: Sendable, Hashable, ExpressibleByStringLiteral {
        package enum Place: Sendable, Hashable {
            case query(String)
            case field(String)
            case body([String])
        }

        package let place: Place

        private init(_ place: Place) { self.place = place }

        /// Creates a query item of that name.
        public init(stringLiteral name: String) { self.init(.query(name)) }

        /// Returns a query item of that name.
        public static func query(_ name: String) -> Self { Self(.query(name)) }

        /// Returns a header field of that name.
        public static func field(_ name: String) -> Self { Self(.field(name)) }

        /// Returns a key of the JSON body, below the keys before it.
        ///
        /// - Parameters:
        ///   - key: the outermost key.
        ///   - keys: the keys below it.
        /// - Returns: the target.
        public static func body(_ key: String, _ keys: String...) -> Self { Self(.body([key] + keys)) }

        /// The target as an argument of a scheme: `as: .body("paging", "token")`.
        var argument: String {
            switch place {
            case .query(let name): "as: \"\(name)\""
            case .field(let name): "as: .field(\"\(name)\")"
            case .body(let keys): "as: .body(\(keys.map { "\"\($0)\"" }.joined(separator: ", ")))"
            }
        }

        /// The text of the target, for the name of a scheme.
        var name: String {
            switch place {
            case .query(let name): name
            case .field(let name): "field \(name)"
            case .body(let keys): "body \(keys.joined(separator: "."))"
            }
        }

        /// Returns the request for the first page, which has no token: if tokens go into the body, it still has a body.
        func firstRequest(size: Size?) -> Request {
            let body: JSONValue? = if case .body = place { .object([:]) } else { nil }
            return Request(query: size?.fields ?? [:], body: body)
        }

        /// Returns the request that carries a token there.
        func request(with token: JSONValue, beside other: Request) -> Request {
            var request = other
            let text = token.stringValue ?? token.description
            switch place {
            case .query(let name): request.query[name] = text
            case .field(let name): request.headerFields[name] = text
            case .body(let keys): request.body = keys.reversed().reduce(token) { value, key in .object([key: value]) }
            }
            return request
        }
    }
}
