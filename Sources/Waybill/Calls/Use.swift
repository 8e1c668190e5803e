/// A middleware through which calls go.
///
/// The first one declared in the farthest scope is the outermost.
///
/// ```swift
/// Client(url) {
///     Use(RequestLog { print($0) })
/// }
/// ```
public struct Use: RepeatableClause {
    private let middleware: any Middleware

    /// A middleware.
    public init(_ middleware: some Middleware) { self.middleware = middleware }

    /// Declares the middleware.
    public func declare(in scope: inout Scope) { scope.declare(MiddlewareChain(middlewares: [middleware])) }
}

/// The middlewares of a call, the outermost first.
package struct MiddlewareChain: Setting {
    package let middlewares: [any Middleware]

    package static var accumulates: Bool { true }

    package func merged(over farther: MiddlewareChain) -> MiddlewareChain {
        MiddlewareChain(middlewares: farther.middlewares + middlewares)
    }

    package var summary: String { middlewares.map { "\(type(of: $0))" }.joined(separator: ", ") }
}
