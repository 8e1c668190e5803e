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
    /// Paginated(.offset(.body("params", 1), size: .body("params", 2, count: 50)))    // {"params":["lamp",0,50]}
    /// ```
    ///
    /// Tokens that are objects or arrays can only be sent in the body.
    public struct Target: Sendable, Hashable, ExpressibleByStringLiteral {
        package enum Place: Sendable, Hashable {
            case query(String)
            case field(String)
            case body([EnvelopeKey])
        }

        package let place: Place

        private init(_ place: Place) { self.place = place }

        /// Creates a target in the JSON body from a path.
        init(path: [EnvelopeKey]) { self.init(.body(path)) }

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

        /// Returns a target that is a member of an object, or an element of an array, in the JSON body.
        ///
        /// Missing members are created. An index selects an existing element of the declared body or, if it equals the
        /// number of elements, appends one:
        ///
        /// ```swift
        /// endpoint {
        ///     POST("rpc")
        ///     Body(["method": "search", "params": ["lamp"]] as JSONValue)
        ///     Paginated(.offset(.body("params", 1), size: .body("params", 2, count: 50)))
        /// }
        /// ```
        ///
        /// A path that does not fit the declared body is a declaration error: a negative index, an index past the end,
        /// an index into a value that is not an array, or a key of a value that is not an object. For a page number or
        /// an offset, so is a value already in the body at the path, unless it is `null` or, in an array, the position
        /// of the first page.
        ///
        /// - Parameters:
        ///   - step: the outermost key or index.
        ///   - steps: the keys and indices below it; indices start at 0.
        /// - Returns: the target.
        public static func body(_ step: EnvelopeKey, _ steps: EnvelopeKey...) -> Self { Self(path: [step] + steps) }

        /// The target as written in a declaration: `.body("paging", "token")`.
        var argument: String {
            switch place {
            case .query(let name): "\"\(name)\""
            case .field(let name): ".field(\"\(name)\")"
            case .body(let path): ".body(\(path.arguments))"
            }
        }

        /// A description of the target, for the scheme's name.
        var name: String {
            switch place {
            case .query(let name): name
            case .field(let name): "field \(name)"
            case .body(let path): "body \(path.pathDescription)"
            }
        }

        /// The path in the JSON body; nil for a query item or a header field.
        package var bodyPath: [EnvelopeKey]? { if case .body(let path) = place { path } else { nil } }

        /// Returns the request for the first page: without a token, but with a body if tokens are sent in the body.
        func firstRequest(size: Size?) -> Request {
            var request = Request(size: size)
            if bodyPath != nil { request.body = request.body ?? .object([:]) }
            return request
        }

        /// Returns a copy of a request with a token at the target.
        func request(with token: JSONValue, beside other: Request) -> Request {
            var request = other
            let text = token.stringValue ?? token.description
            switch place {
            case .query(let name): request.query[name] = text
            case .field(let name): request.headerFields[name] = text
            case .body(let path): request.set(token, at: path)
            }
            return request
        }

        /// Whether the target accepts a value; objects and arrays can only be sent in the body.
        func takes(_ value: JSONValue) -> Bool {
            bodyPath != nil || (value.objectValue == nil && value.arrayValue == nil)
        }

        /// Returns the number at the target of a request; nil if the request contains no number there.
        func number(in request: Request) -> Int? {
            switch place {
            case .query(let name): request.query[name].flatMap { Int($0) }
            case .field(let name): request.headerFields[name].flatMap { Int($0) }
            case .body(let path): request.value(at: path)?.intValue
            }
        }
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
    /// A query item with the same name, or a body member at the same path, overrides the size if it is declared in the
    /// scope of ``Paginated`` or an inner scope.
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
        ///   - step: the outermost key or index.
        ///   - steps: the keys and indices below it, as in ``Target/body(_:_:)``.
        ///   - count: the number of items; a value below 1 counts as 1.
        /// - Returns: the page size.
        public static func body(_ step: EnvelopeKey, _ steps: EnvelopeKey..., count: Int) -> Self {
            Self(Target(path: [step] + steps), count)
        }
    }
}
