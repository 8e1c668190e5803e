import Foundation

// One type a method, all alike: a declaration reads as the request line does.

/// A GET route: fetches a representation (RFC 9110, section 9.3.1).
public struct GET: RouteClause {
    /// The route.
    public let route: Route

    /// A path below the client's base URL.
    public init(_ path: RequestPath) { route = Route(.get, .path(path)) }

    /// A URL that a server gave, such as a `Location`; on another origin it is refused.
    public init(at url: String) { route = Route(.get, .url(url)) }

    /// A URL that a server gave, such as a `Location`; on another origin it is refused.
    public init(at url: URL) { self.init(at: url.absoluteString) }

    /// A URL of a response, such as a `Location`; on another origin it is refused.
    public init(at url: HTTPURL) { self.init(at: url.value) }

    /// The method alone: the path stays what it would be without the clause.
    ///
    /// For ``On``.
    public init() { route = Route(.get, .unchanged) }
}

/// A HEAD route: fetches what GET would, without the body (RFC 9110, section 9.3.2).
public struct HEAD: RouteClause {
    /// The route.
    public let route: Route

    /// A path below the client's base URL.
    public init(_ path: RequestPath) { route = Route(.head, .path(path)) }

    /// A URL that a server gave, such as a `Location`; on another origin it is refused.
    public init(at url: String) { route = Route(.head, .url(url)) }

    /// A URL that a server gave, such as a `Location`; on another origin it is refused.
    public init(at url: URL) { self.init(at: url.absoluteString) }

    /// A URL of a response, such as a `Location`; on another origin it is refused.
    public init(at url: HTTPURL) { self.init(at: url.value) }

    /// The method alone: the path stays what it would be without the clause.
    ///
    /// For ``On``.
    public init() { route = Route(.head, .unchanged) }
}

/// A POST route: has the target process the body (RFC 9110, section 9.3.3).
public struct POST: RouteClause {
    /// The route.
    public let route: Route

    /// A path below the client's base URL.
    public init(_ path: RequestPath) { route = Route(.post, .path(path)) }

    /// A URL that a server gave, such as a `Location`; on another origin it is refused.
    public init(at url: String) { route = Route(.post, .url(url)) }

    /// A URL that a server gave, such as a `Location`; on another origin it is refused.
    public init(at url: URL) { self.init(at: url.absoluteString) }

    /// A URL of a response, such as a `Location`; on another origin it is refused.
    public init(at url: HTTPURL) { self.init(at: url.value) }

    /// The method alone: the path stays what it would be without the clause.
    ///
    /// For ``On``.
    public init() { route = Route(.post, .unchanged) }
}

/// A PUT route: replaces the target by the body (RFC 9110, section 9.3.4).
public struct PUT: RouteClause {
    /// The route.
    public let route: Route

    /// A path below the client's base URL.
    public init(_ path: RequestPath) { route = Route(.put, .path(path)) }

    /// A URL that a server gave, such as a `Location`; on another origin it is refused.
    public init(at url: String) { route = Route(.put, .url(url)) }

    /// A URL that a server gave, such as a `Location`; on another origin it is refused.
    public init(at url: URL) { self.init(at: url.absoluteString) }

    /// A URL of a response, such as a `Location`; on another origin it is refused.
    public init(at url: HTTPURL) { self.init(at: url.value) }

    /// The method alone: the path stays what it would be without the clause.
    ///
    /// For ``On``.
    public init() { route = Route(.put, .unchanged) }
}

/// A PATCH route: changes the target as the body says (RFC 5789).
public struct PATCH: RouteClause {
    /// The route.
    public let route: Route

    /// A path below the client's base URL.
    public init(_ path: RequestPath) { route = Route(.patch, .path(path)) }

    /// A URL that a server gave, such as a `Location`; on another origin it is refused.
    public init(at url: String) { route = Route(.patch, .url(url)) }

    /// A URL that a server gave, such as a `Location`; on another origin it is refused.
    public init(at url: URL) { self.init(at: url.absoluteString) }

    /// A URL of a response, such as a `Location`; on another origin it is refused.
    public init(at url: HTTPURL) { self.init(at: url.value) }

    /// The method alone: the path stays what it would be without the clause.
    ///
    /// For ``On``.
    public init() { route = Route(.patch, .unchanged) }
}

/// A DELETE route: removes the target (RFC 9110, section 9.3.5).
public struct DELETE: RouteClause {
    /// The route.
    public let route: Route

    /// A path below the client's base URL.
    public init(_ path: RequestPath) { route = Route(.delete, .path(path)) }

    /// A URL that a server gave, such as a `Location`; on another origin it is refused.
    public init(at url: String) { route = Route(.delete, .url(url)) }

    /// A URL that a server gave, such as a `Location`; on another origin it is refused.
    public init(at url: URL) { self.init(at: url.absoluteString) }

    /// A URL of a response, such as a `Location`; on another origin it is refused.
    public init(at url: HTTPURL) { self.init(at: url.value) }

    /// The method alone: the path stays what it would be without the clause.
    ///
    /// For ``On``.
    public init() { route = Route(.delete, .unchanged) }
}

/// An OPTIONS route: asks what the target can do (RFC 9110, section 9.3.7).
public struct OPTIONS: RouteClause {
    /// The route.
    public let route: Route

    /// A path below the client's base URL.
    public init(_ path: RequestPath) { route = Route(.options, .path(path)) }

    /// A URL that a server gave, such as a `Location`; on another origin it is refused.
    public init(at url: String) { route = Route(.options, .url(url)) }

    /// A URL that a server gave, such as a `Location`; on another origin it is refused.
    public init(at url: URL) { self.init(at: url.absoluteString) }

    /// A URL of a response, such as a `Location`; on another origin it is refused.
    public init(at url: HTTPURL) { self.init(at: url.value) }

    /// The method alone: the path stays what it would be without the clause.
    ///
    /// For ``On``.
    public init() { route = Route(.options, .unchanged) }
}
