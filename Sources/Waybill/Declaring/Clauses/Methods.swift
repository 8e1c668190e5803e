import WaybillSystem

// One type a method, all alike: a declaration reads as the request line does.

/// A GET route: fetches a representation (RFC 9110, section 9.3.1).
public struct GET: _MethodClause {
    /// The method and the target.
    public let route: Route

    /// Creates the clause of a route.
    public init(_route route: Route) { self.route = route }

    /// `GET`.
    public static var _method: HTTPRequest.Method { .get }
}

/// A HEAD route: fetches what GET would, without the body (RFC 9110, section 9.3.2).
public struct HEAD: _MethodClause {
    /// The method and the target.
    public let route: Route

    /// Creates the clause of a route.
    public init(_route route: Route) { self.route = route }

    /// `HEAD`.
    public static var _method: HTTPRequest.Method { .head }
}

/// A POST route: has the target process the body (RFC 9110, section 9.3.3).
public struct POST: _MethodClause {
    /// The method and the target.
    public let route: Route

    /// Creates the clause of a route.
    public init(_route route: Route) { self.route = route }

    /// `POST`.
    public static var _method: HTTPRequest.Method { .post }
}

/// A PUT route: replaces the target by the body (RFC 9110, section 9.3.4).
public struct PUT: _MethodClause {
    /// The method and the target.
    public let route: Route

    /// Creates the clause of a route.
    public init(_route route: Route) { self.route = route }

    /// `PUT`.
    public static var _method: HTTPRequest.Method { .put }
}

/// A PATCH route: changes the target by the body (RFC 5789).
public struct PATCH: _MethodClause {
    /// The method and the target.
    public let route: Route

    /// Creates the clause of a route.
    public init(_route route: Route) { self.route = route }

    /// `PATCH`.
    public static var _method: HTTPRequest.Method { .patch }
}

/// A DELETE route: removes the target (RFC 9110, section 9.3.5).
public struct DELETE: _MethodClause {
    /// The method and the target.
    public let route: Route

    /// Creates the clause of a route.
    public init(_route route: Route) { self.route = route }

    /// `DELETE`.
    public static var _method: HTTPRequest.Method { .delete }
}

/// An OPTIONS route: asks for the options of the target (RFC 9110, section 9.3.7).
public struct OPTIONS: _MethodClause {
    /// The method and the target.
    public let route: Route

    /// Creates the clause of a route.
    public init(_route route: Route) { self.route = route }

    /// `OPTIONS`.
    public static var _method: HTTPRequest.Method { .options }
}

/// A QUERY route: asks the target what the body says, and changes nothing (RFC 10008).
///
/// ```swift
/// client.endpoint {
///     QUERY("contacts")
///     Body(Filter(min: 5))
/// }
/// ```
///
/// Like a GET it is retried without a key, cached and coalesced, with its body as part of the cache's key. Without a
/// body it is a declaration error. It has nothing to do with ``Query``, which adds items to the URL.
public struct QUERY: _MethodClause {
    /// The method and the target.
    public let route: Route

    /// Creates the clause of a route.
    public init(_route route: Route) { self.route = route }

    /// `QUERY`.
    public static var _method: HTTPRequest.Method { .query }
}

/// The common part of the clauses that are named after a method.
public protocol _MethodClause: _RouteClause {
    /// The method that the clause is named after.
    static var _method: HTTPRequest.Method { get }

    /// Creates the clause of a route.
    init(_route: Route)
}

extension _MethodClause {
    /// Declares a path below the client's base URL.
    ///
    /// - Parameter path: the path, whose interpolated values become one segment each.
    public init(_ path: Route.Path) { self.init(_route: Route(Self._method, .path(path))) }

    /// Does not compile: a path is a literal, so that nothing can be injected into it.
    @available(
        *,
        unavailable,
        message: "a path is a literal: write \"\\(path)\" for one segment, \\(segments: names) for several"
    )
    public init(_ path: String) { self.init(_route: Route(Self._method, .path("\(path)"))) }

    /// Declares a URL that a server gave, such as a `Location`; on another origin it is rejected.
    ///
    /// It is requested as it is: query items of the client and of resources, and the items of a first page, are not
    /// added to it, except for secrets that it lacks. A ``Query`` beside this clause is appended.
    ///
    /// - Parameter url: the URL, absolute or relative to the base URL.
    public init(at url: String) { self.init(_route: Route(Self._method, .url(url))) }

    /// Declares a URL that a server gave, such as a `Location`; on another origin it is rejected.
    ///
    /// It is requested as it is; a ``Query`` beside this clause is appended.
    ///
    /// - Parameter url: the URL, absolute or relative to the base URL.
    public init(at url: URL) { self.init(at: url.absoluteString) }

    /// Declares the method alone, and leaves the path as it is without the clause.
    ///
    /// For ``On``.
    public init() { self.init(_route: Route(Self._method, .unchanged)) }
}
