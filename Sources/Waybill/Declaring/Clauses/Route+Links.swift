extension Route {
    /// The origin used to request links from the server; by default, the link's origin.
    ///
    /// ```swift
    /// Route.Links(to: .baseOrigin)        // the API is https, and its links are http://internal:8080/…
    /// ```
    ///
    /// A server behind a TLS-terminating proxy writes absolute links with its internal origin, such as
    /// `http://internal:8080`, unless it is configured to trust `X-Forwarded-Proto` and `X-Forwarded-Host`. Such links
    /// are rejected if they downgrade https to http, or lead to an origin that must not receive the client's
    /// credentials. With ``Target/baseOrigin``, only the path, query and fragment of a link are used: the request is
    /// sent to the scheme, host and port of the client's base URL, with its credentials.
    ///
    /// The clause applies to page links, the `Location` of a redirect, created entity or resumable upload, the URLs of
    /// a long-running operation, and routes with a URL, such as `GET(at:)`. Page links to one of the
    /// ``Paginated/otherOrigins`` keep that origin. Redirects to another server, such as a storage service, require
    /// ``Target/linkedOrigin``.
    public struct Links: Setting {
        /// The name in declarations: `Route.Links`.
        public static var clauseName: String { "Route.Links" }

        /// The origin used to request links.
        public let target: Target

        /// Declares the origin used to request links.
        ///
        /// - Parameter target: the origin.
        public init(to target: Target) { self.target = target }

        /// The target as written in the declaration.
        public var summary: String { target.rawValue }

        /// The advice in an error text about a link to a rejected origin.
        package static let advice = """
            behind a proxy, configure the server to trust X-Forwarded-Proto and X-Forwarded-Host, or declare \
            Route.Links(to: .baseOrigin)
            """
    }
}

extension Route.Links {
    /// An origin used to request links.
    public enum Target: String, Sendable, Hashable {
        /// The scheme, host and port in the link.
        case linkedOrigin
        /// The scheme, host and port of the client's base URL.
        case baseOrigin
    }
}
