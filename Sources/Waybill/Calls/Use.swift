/// A middleware through which calls go.
///
/// The first one declared in the farthest scope is the outermost.
///
/// ```swift
/// Client(url) {
///     Use(UserAgent("shop/1.0"))
///     Use(TraceContext(), around: .eachAttempt)
/// }
/// ```
public struct Use: RepeatableClause {
    /// What a middleware is around.
    public enum Extent: Sendable, Hashable {
        /// The whole call, all its attempts and the waits between them.
        case wholeCall
        /// Each attempt by itself; its credential is put into the request below.
        case eachAttempt
    }

    private let middleware: any Middleware
    private let extent: Extent
    private let number: Int

    private static let numbers = Locked(0)

    /// A middleware around each call, or around each of its attempts.
    public init(_ middleware: some Middleware, around extent: Extent = .wholeCall) {
        self.middleware = middleware
        self.extent = extent
        number = Self.numbers.withLock { number in
            number += 1
            return number
        }
    }

    /// Declares the middleware.
    public func declare(in scope: inout Scope) {
        switch extent {
        case .wholeCall: scope.declare(MiddlewareChain(middlewares: [middleware]))
        case .eachAttempt: scope.declare(AttemptMiddlewareChain(middlewares: [middleware], numbers: [number]))
        }
    }
}

extension Use: CustomStringConvertible, CustomReflectable {
    /// The type of the middleware, which may have secrets.
    public var description: String { "Use(\(type(of: middleware)))" }

    /// The type of the middleware.
    public var customMirror: Mirror {
        Mirror(self, children: ["middleware": "\(type(of: middleware))", "extent": extent], displayStyle: .struct)
    }
}

/// The middlewares of each attempt of a call, the outermost first.
package struct AttemptMiddlewareChain: Setting {
    package let middlewares: [any Middleware]

    /// Which ones they are: two of one type may do different things.
    package let numbers: [Int]

    package static var accumulates: Bool { true }

    package func merged(over farther: AttemptMiddlewareChain) -> AttemptMiddlewareChain {
        AttemptMiddlewareChain(
            middlewares: farther.middlewares + middlewares,
            numbers: farther.numbers + numbers
        )
    }

    package var summary: String { middlewares.map { "\(type(of: $0))" }.joined(separator: ", ") }
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
