/// A clause that adds middleware to calls.
///
/// The first middleware declared in the outermost scope is the outermost one.
///
/// ```swift
/// Client(url) {
///     Use(UserAgent("shop/1.0"))
///     Use(TraceContext(), around: .eachAttempt)
/// }
/// ```
public struct Use: RepeatableClause {
    /// The part of a call that middleware wraps.
    public enum Extent: Sendable, Hashable {
        /// The whole call, including all attempts and the waits between them.
        case wholeCall
        /// Each attempt separately; the credential is added after the middleware has forwarded the request.
        case eachAttempt
    }

    private let middleware: any Middleware
    private let extent: Extent
    private let identity: MiddlewareIdentity

    /// Creates the clause with middleware.
    ///
    /// With `Coalesced`, calls can share a transfer if the middleware around their attempts comes from the same
    /// declaration, and either has no stored properties or is `Hashable` with an equal value.
    ///
    /// - Parameters:
    ///   - middleware: the middleware.
    ///   - extent: whether the middleware wraps each call or each attempt.
    ///   - file: the source file of the declaration; use the default value.
    ///   - line: the line of the declaration; use the default value.
    ///   - column: the column of the declaration; use the default value.
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
    ///
    /// - Parameter scope: the scope to declare it in.
    public func declare(in scope: inout Scope) {
        switch extent {
        case .wholeCall: scope.declare(MiddlewareChain([middleware]))
        case .eachAttempt: scope.declare(AttemptMiddlewareChain([.init(middleware: middleware, identity: identity)]))
        }
    }
}

extension Use: CustomStringConvertible, CustomReflectable {
    /// The type of the middleware; its properties may be secret.
    public var description: String { "Use(\(type(of: middleware)))" }

    /// The type of the middleware and its extent.
    public var customMirror: Mirror {
        Mirror(self, children: ["middleware": "\(type(of: middleware))", "extent": extent], displayStyle: .struct)
    }
}

/// The middleware around a call, outermost first.
package struct MiddlewareChain: AccumulatingSetting {
    package static let clauseName = "Use"

    package let elements: [any Middleware]

    package init(_ elements: [any Middleware]) { self.elements = elements }

    package static func summary(of middleware: any Middleware) -> String { "\(type(of: middleware))" }
}

extension MiddlewareChain: CallOption {
    package var _option: (any AnyObject & Sendable)? { CallPart(self) }

    package func addSteps(to steps: inout CallSteps, of call: Call) {
        for middleware in elements { steps.add(MiddlewareStep(middleware: middleware), at: .call) }
    }
}

/// The middleware around each attempt of a call, outermost first.
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

extension AttemptMiddlewareChain: CallOption {
    package var _option: (any AnyObject & Sendable)? { CallPart(self) }

    package func addSteps(to steps: inout CallSteps, of call: Call) {
        for element in elements { steps.add(MiddlewareStep(middleware: element.middleware), at: .request) }
    }
}
