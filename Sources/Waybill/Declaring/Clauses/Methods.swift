import WaybillSystem

// One type per method, so that a declaration reads like a request line.

/// A GET route: fetches a representation (RFC 9110, section 9.3.1).
public struct GET: _MethodClause {
    /// The method and the target.
    public let route: Route

    /// Creates the clause for a route.
    ///
    /// - Parameter route: the method and the target.
    public init(_route route: Route) { self.route = route }

    /// The GET method.
    public static var _method: HTTPRequest.Method { .get }
}

/// A HEAD route: fetches the header fields that a GET would return, without the body (RFC 9110, section 9.3.2).
public struct HEAD: _MethodClause {
    /// The method and the target.
    public let route: Route

    /// Creates the clause for a route.
    ///
    /// - Parameter route: the method and the target.
    public init(_route route: Route) { self.route = route }

    /// The HEAD method.
    public static var _method: HTTPRequest.Method { .head }
}

/// A POST route: asks the target to process the body (RFC 9110, section 9.3.3).
public struct POST: _MethodClause {
    /// The method and the target.
    public let route: Route

    /// Creates the clause for a route.
    ///
    /// - Parameter route: the method and the target.
    public init(_route route: Route) { self.route = route }

    /// The POST method.
    public static var _method: HTTPRequest.Method { .post }
}

/// A PUT route: replaces the target with the body (RFC 9110, section 9.3.4).
public struct PUT: _MethodClause {
    /// The method and the target.
    public let route: Route

    /// Creates the clause for a route.
    ///
    /// - Parameter route: the method and the target.
    public init(_route route: Route) { self.route = route }

    /// The PUT method.
    public static var _method: HTTPRequest.Method { .put }
}

/// A PATCH route: applies the changes in the body to the target (RFC 5789).
public struct PATCH: _MethodClause {
    /// The method and the target.
    public let route: Route

    /// Creates the clause for a route.
    ///
    /// - Parameter route: the method and the target.
    public init(_route route: Route) { self.route = route }

    /// The PATCH method.
    public static var _method: HTTPRequest.Method { .patch }
}

/// A DELETE route: removes the target (RFC 9110, section 9.3.5).
public struct DELETE: _MethodClause {
    /// The method and the target.
    public let route: Route

    /// Creates the clause for a route.
    ///
    /// - Parameter route: the method and the target.
    public init(_route route: Route) { self.route = route }

    /// The DELETE method.
    public static var _method: HTTPRequest.Method { .delete }
}

/// An OPTIONS route: requests the communication options of the target (RFC 9110, section 9.3.7).
public struct OPTIONS: _MethodClause {
    /// The method and the target.
    public let route: Route

    /// Creates the clause for a route.
    ///
    /// - Parameter route: the method and the target.
    public init(_route route: Route) { self.route = route }

    /// The OPTIONS method.
    public static var _method: HTTPRequest.Method { .options }
}

/// A QUERY route: sends a query in the body and changes nothing on the server (RFC 10008).
///
/// ```swift
/// client.endpoint {
///     QUERY("contacts")
///     Body(Filter(min: 5))
/// }
/// ```
///
/// Like a GET, it is cached, coalesced, and retried without an idempotency key. The body is part of the cache key. A
/// QUERY without a body is a declaration error. It is unrelated to ``Query``, which adds items to the URL.
public struct QUERY: _MethodClause {
    /// The method and the target.
    public let route: Route

    /// Creates the clause for a route.
    ///
    /// - Parameter route: the method and the target.
    public init(_route route: Route) { self.route = route }

    /// The QUERY method.
    public static var _method: HTTPRequest.Method { .query }
}

/// A clause named after its route's method.
public protocol _MethodClause: _RouteClause {
    /// The method that the clause is named after.
    static var _method: HTTPRequest.Method { get }

    /// Creates the clause for a route.
    ///
    /// - Parameter _route: the method and the target.
    init(_route: Route)
}

extension _MethodClause {
    /// Declares a path below the client's base URL.
    ///
    /// - Parameter path: the path, in which each interpolated value is percent-encoded.
    public init(_ path: Route.Path) { self.init(_route: Route(Self._method, .path(path))) }

    /// Does not compile: a path must be a literal, so that nothing can be injected into it.
    ///
    /// - Parameter path: a path that is not a literal.
    @available(
        *,
        unavailable,
        message: "a path is a literal: write \"\\(path)\" for one segment, \\(segments: names) for several"
    )
    public init(_ path: String) { self.init(_route: Route(Self._method, .path("\(path)"))) }

    /// Declares a URL received from the server, such as a `Location`.
    ///
    /// The URL is requested unchanged. Query items of the client, of resources and of a first page are not added,
    /// except for secret ones missing from the URL. The items of a ``Query`` in the same scope are appended. A URL with
    /// a different origin is a declaration error unless ``Route/Links`` replaces the origin.
    ///
    /// - Parameter url: the URL, absolute or relative to the base URL.
    public init(at url: String) { self.init(_route: Route(Self._method, .url(url))) }

    /// Declares a URL received from the server, such as a `Location`.
    ///
    /// It is treated like a URL passed as a string: a different origin is a declaration error.
    ///
    /// - Parameter url: the URL, absolute or relative to the base URL.
    public init(at url: URL) { self.init(at: url.absoluteString) }

    /// Declares the method without a path.
    ///
    /// Use it in ``On`` to change only the method of an operation.
    public init() { self.init(_route: Route(Self._method, .unchanged)) }
}
