extension Route {
    /// The origin at which links from the server are requested; by default, the origin in the link.
    ///
    /// ```swift
    /// Route.Links(to: .baseOrigin)        // the API is https, and its links are http://internal:8080/…
    /// ```
    ///
    /// A server behind a proxy that terminates TLS writes absolute links with its internal origin, such as
    /// `http://internal:8080`, unless it is configured to trust `X-Forwarded-Proto` and `X-Forwarded-Host`. Such links
    /// are rejected if they lead from https to http, or to an origin that must not receive the client's credentials.
    /// With ``Target/baseOrigin``, only the path, query and fragment of a link are used: the request is sent to the
    /// scheme, host and port of the client's base URL, with its credentials.
    ///
    /// The clause applies to links to pages, to the `Location` of a redirect, of a created entity and of a resumable
    /// upload, to the URLs of a long-running operation, and to routes with a URL, such as `GET(at:)`. Links to pages at
    /// one of the ``Paginated/otherOrigins`` are requested there. Redirects to another server, such as a storage
    /// service, need ``Target/linkedOrigin``.
    public struct Links: Setting {
        /// The name in declarations: `Route.Links`.
        public static var clauseName: String { "Route.Links" }

        /// The origin at which links are requested.
        public let target: Target

        /// Declares the origin at which links are requested.
        ///
        /// - Parameter target: the origin.
        public init(to target: Target) { self.target = target }

        /// The target as in the declaration.
        public var summary: String { target.rawValue }

        /// The advice for a link to an origin that the client does not go to, as part of an error text.
        package static let advice = """
            behind a proxy, configure the server to trust X-Forwarded-Proto and X-Forwarded-Host, or declare \
            Route.Links(to: .baseOrigin)
            """
    }
}

extension Route.Links {
    /// The possible origins at which links are requested.
    public enum Target: String, Sendable, Hashable {
        /// The scheme, host and port in the link.
        case linkedOrigin
        /// The scheme, host and port of the client's base URL.
        case baseOrigin
    }
}
