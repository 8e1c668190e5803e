import WaybillSystem

// One type a method, all alike: a declaration reads as the request line does.

/// A GET route: fetches a representation (RFC 9110, section 9.3.1).
public struct GET: _RouteClause {
    /// The route.
    public let route: Route

    /// A path below the client's base URL.
    public init(_ path: Route.Path) { route = Route(.get, .path(path)) }

    /// Does not compile: a path is a literal, so that nothing can be injected into it.
    @available(
        *,
        unavailable,
        message: "a path is a literal: write GET(\"\\(path)\") for one segment, \\(segments: names) for several"
    )
    public init(_ path: String) { route = Route(.get, .path("\(path)")) }

    /// A URL that a server gave, such as a `Location`; on another origin it is rejected.
    public init(at url: String) { route = Route(.get, .url(url)) }

    /// A URL that a server gave, such as a `Location`; on another origin it is rejected.
    public init(at url: URL) { self.init(at: url.absoluteString) }

    /// Declares the method alone, and leaves the path as it is without the clause.
    ///
    /// For ``On``.
    public init() { route = Route(.get, .unchanged) }
}

/// A HEAD route: fetches what GET would, without the body (RFC 9110, section 9.3.2).
public struct HEAD: _RouteClause {
    /// The route.
    public let route: Route

    /// A path below the client's base URL.
    public init(_ path: Route.Path) { route = Route(.head, .path(path)) }

    /// Does not compile: a path is a literal, so that nothing can be injected into it.
    @available(
        *,
        unavailable,
        message: "a path is a literal: write HEAD(\"\\(path)\") for one segment, \\(segments: names) for several"
    )
    public init(_ path: String) { route = Route(.head, .path("\(path)")) }

    /// A URL that a server gave, such as a `Location`; on another origin it is rejected.
    public init(at url: String) { route = Route(.head, .url(url)) }

    /// A URL that a server gave, such as a `Location`; on another origin it is rejected.
    public init(at url: URL) { self.init(at: url.absoluteString) }

    /// Declares the method alone, and leaves the path as it is without the clause.
    ///
    /// For ``On``.
    public init() { route = Route(.head, .unchanged) }
}

/// A POST route: has the target process the body (RFC 9110, section 9.3.3).
public struct POST: _RouteClause {
    /// The route.
    public let route: Route

    /// A path below the client's base URL.
    public init(_ path: Route.Path) { route = Route(.post, .path(path)) }

    /// Does not compile: a path is a literal, so that nothing can be injected into it.
    @available(
        *,
        unavailable,
        message: "a path is a literal: write POST(\"\\(path)\") for one segment, \\(segments: names) for several"
    )
    public init(_ path: String) { route = Route(.post, .path("\(path)")) }

    /// A URL that a server gave, such as a `Location`; on another origin it is rejected.
    public init(at url: String) { route = Route(.post, .url(url)) }

    /// A URL that a server gave, such as a `Location`; on another origin it is rejected.
    public init(at url: URL) { self.init(at: url.absoluteString) }

    /// Declares the method alone, and leaves the path as it is without the clause.
    ///
    /// For ``On``.
    public init() { route = Route(.post, .unchanged) }
}

/// A PUT route: replaces the target by the body (RFC 9110, section 9.3.4).
public struct PUT: _RouteClause {
    /// The route.
    public let route: Route

    /// A path below the client's base URL.
    public init(_ path: Route.Path) { route = Route(.put, .path(path)) }

    /// Does not compile: a path is a literal, so that nothing can be injected into it.
    @available(
        *,
        unavailable,
        message: "a path is a literal: write PUT(\"\\(path)\") for one segment, \\(segments: names) for several"
    )
    public init(_ path: String) { route = Route(.put, .path("\(path)")) }

    /// A URL that a server gave, such as a `Location`; on another origin it is rejected.
    public init(at url: String) { route = Route(.put, .url(url)) }

    /// A URL that a server gave, such as a `Location`; on another origin it is rejected.
    public init(at url: URL) { self.init(at: url.absoluteString) }

    /// Declares the method alone, and leaves the path as it is without the clause.
    ///
    /// For ``On``.
    public init() { route = Route(.put, .unchanged) }
}

/// A PATCH route: changes the target by the body (RFC 5789).
public struct PATCH: _RouteClause {
    /// The route.
    public let route: Route

    /// A path below the client's base URL.
    public init(_ path: Route.Path) { route = Route(.patch, .path(path)) }

    /// Does not compile: a path is a literal, so that nothing can be injected into it.
    @available(
        *,
        unavailable,
        message: "a path is a literal: write PATCH(\"\\(path)\") for one segment, \\(segments: names) for several"
    )
    public init(_ path: String) { route = Route(.patch, .path("\(path)")) }

    /// A URL that a server gave, such as a `Location`; on another origin it is rejected.
    public init(at url: String) { route = Route(.patch, .url(url)) }

    /// A URL that a server gave, such as a `Location`; on another origin it is rejected.
    public init(at url: URL) { self.init(at: url.absoluteString) }

    /// Declares the method alone, and leaves the path as it is without the clause.
    ///
    /// For ``On``.
    public init() { route = Route(.patch, .unchanged) }
}

/// A DELETE route: removes the target (RFC 9110, section 9.3.5).
public struct DELETE: _RouteClause {
    /// The route.
    public let route: Route

    /// A path below the client's base URL.
    public init(_ path: Route.Path) { route = Route(.delete, .path(path)) }

    /// Does not compile: a path is a literal, so that nothing can be injected into it.
    @available(
        *,
        unavailable,
        message: "a path is a literal: write DELETE(\"\\(path)\") for one segment, \\(segments: names) for several"
    )
    public init(_ path: String) { route = Route(.delete, .path("\(path)")) }

    /// A URL that a server gave, such as a `Location`; on another origin it is rejected.
    public init(at url: String) { route = Route(.delete, .url(url)) }

    /// A URL that a server gave, such as a `Location`; on another origin it is rejected.
    public init(at url: URL) { self.init(at: url.absoluteString) }

    /// Declares the method alone, and leaves the path as it is without the clause.
    ///
    /// For ``On``.
    public init() { route = Route(.delete, .unchanged) }
}

/// An OPTIONS route: asks for the options of the target (RFC 9110, section 9.3.7).
public struct OPTIONS: _RouteClause {
    /// The route.
    public let route: Route

    /// A path below the client's base URL.
    public init(_ path: Route.Path) { route = Route(.options, .path(path)) }

    /// Does not compile: a path is a literal, so that nothing can be injected into it.
    @available(
        *,
        unavailable,
        message: "a path is a literal: write OPTIONS(\"\\(path)\") for one segment, \\(segments: names) for several"
    )
    public init(_ path: String) { route = Route(.options, .path("\(path)")) }

    /// A URL that a server gave, such as a `Location`; on another origin it is rejected.
    public init(at url: String) { route = Route(.options, .url(url)) }

    /// A URL that a server gave, such as a `Location`; on another origin it is rejected.
    public init(at url: URL) { self.init(at: url.absoluteString) }

    /// Declares the method alone, and leaves the path as it is without the clause.
    ///
    /// For ``On``.
    public init() { route = Route(.options, .unchanged) }
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
public struct QUERY: _RouteClause {
    /// The route.
    public let route: Route

    /// A path below the client's base URL.
    public init(_ path: Route.Path) { route = Route(.query, .path(path)) }

    /// Does not compile: a path is a literal, so that nothing can be injected into it.
    @available(
        *,
        unavailable,
        message: "a path is a literal: write QUERY(\"\\(path)\") for one segment, \\(segments: names) for several"
    )
    public init(_ path: String) { route = Route(.query, .path("\(path)")) }

    /// A URL that a server gave, such as a `Location`; on another origin it is rejected.
    public init(at url: String) { route = Route(.query, .url(url)) }

    /// A URL that a server gave, such as a `Location`; on another origin it is rejected.
    public init(at url: URL) { self.init(at: url.absoluteString) }

    /// Declares the method alone, and leaves the path as it is without the clause.
    ///
    /// For ``On``.
    public init() { route = Route(.query, .unchanged) }
}
