/// A middleware through which calls go.
///
/// The first one declared in the outermost scope is the outermost.
///
/// ```swift
/// Client(url) {
///     Use(UserAgent("shop/1.0"))
///     Use(TraceContext(), around: .eachAttempt)
/// }
/// ```
public struct Use: RepeatableClause {
    /// The extent of a middleware.
    public enum Extent: Sendable, Hashable {
        /// The whole call, all its attempts and the waits between them.
        case wholeCall
        /// Each attempt by itself; its credential is put into the request below.
        case eachAttempt
    }

    private let middleware: any Middleware
    private let extent: Extent
    private let identity: MiddlewareIdentity

    /// Uses a middleware around each call, or around each of its attempts.
    ///
    /// Calls can share a transfer, as ``Coalesced`` says, if the middlewares around their attempts are the same: those
    /// of one declaration that have no properties, or are `Hashable` and equal.
    ///
    /// - Parameters:
    ///   - middleware: the middleware.
    ///   - extent: whether it is around each call, or around each attempt.
    ///   - file: with `line` and `column` the place of the declaration; leave them out.
    ///   - line: see `file`.
    ///   - column: see `file`.
    public init(
        _ middleware: some Middleware,
        around extent: Extent = .wholeCall,
        file: String = #fileID,
        line: Int = #line,
        column: Int = #column
    ) {
        self.middleware = middleware
        self.extent = extent
        identity = MiddlewareIdentity(of: middleware, at: DeclarationSite(file: file, line: line, column: column))
    }

    /// Declares the middleware.
    public func declare(in scope: inout Scope) {
        switch extent {
        case .wholeCall: scope.declare(MiddlewareChain([middleware]))
        case .eachAttempt: scope.declare(AttemptMiddlewareChain([.init(middleware: middleware, identity: identity)]))
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

/// The middlewares of a call, the outermost first.
package struct MiddlewareChain: AccumulatingSetting {
    package static let clauseName = "Use"

    package let elements: [any Middleware]

    package init(_ elements: [any Middleware]) { self.elements = elements }

    package static func summary(of middleware: any Middleware) -> String { "\(type(of: middleware))" }
}

/// The middlewares of each attempt of a call, the outermost first.
package struct AttemptMiddlewareChain: AccumulatingSetting {
    /// A middleware and its identity.
    package struct Element: Sendable {
        package let middleware: any Middleware
        package let identity: MiddlewareIdentity
    }

    package static let clauseName = "Use around each attempt"

    package let elements: [Element]

    package init(_ elements: [Element]) { self.elements = elements }

    package static func summary(of element: Element) -> String { "\(type(of: element.middleware))" }
}
