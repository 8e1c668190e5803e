/// Adds middleware to calls.
///
/// Middleware runs in declaration order, with outer scopes first: the first middleware of the outermost scope is
/// outermost.
///
/// ```swift
/// Client(url) {
///     Use(UserAgent("shop/1.0"))
///     Use(TraceContext(), around: .eachAttempt)
/// }
/// Use.none                    // without the middleware of outer scopes
/// ```
public struct Use: Scope.RepeatableClause {
    /// The layer of a call around which middleware runs.
    public enum Layer: Sendable, Hashable {
        /// The whole call, including all attempts and the waits between them.
        case wholeCall
        /// Each attempt separately. The credential is added after the middleware has forwarded the request.
        case eachAttempt
    }

    private enum Form: Sendable {
        case none
        case added(any Middleware, Layer, MiddlewareIdentity)
    }

    private let form: Form

    /// Removes the middleware of outer scopes, both around calls and around attempts.
    ///
    /// Middleware declared in the same scope or an inner one remains, regardless of its position. Test recorders are
    /// also middleware, so `none` removes a recorder declared in an outer scope.
    public static let none = Use(form: .none)

    private init(form: Form) { self.form = form }

    /// Creates the clause with middleware.
    ///
    /// With `Coalesced`, calls can share a transfer if the middleware around their attempts comes from the same
    /// declaration and either has no stored properties or is `Hashable` with an equal value.
    ///
    /// - Parameters:
    ///   - middleware: the middleware.
    ///   - layer: whether to run the middleware around each call or each attempt.
    ///   - file: the source file of the declaration; use the default value.
    ///   - line: the line of the declaration; use the default value.
    ///   - column: the column of the declaration; use the default value.
    public init(
        _ middleware: some Middleware,
        around layer: Layer = .wholeCall,
        file: String = #fileID,
        line: Int = #line,
        column: Int = #column
    ) {
        let identity = MiddlewareIdentity(of: middleware, at: DeclarationSite(file: file, line: line, column: column))
        form = .added(middleware, layer, identity)
    }

    /// Adds the middleware to a scope.
    ///
    /// - Parameter scope: the scope that declares the middleware.
    public func declare(in scope: inout Scope) {
        switch form {
        case .none:
            scope.declare(MiddlewareChain.none)
            scope.declare(AttemptMiddlewareChain.none)
        case .added(let middleware, .wholeCall, _): scope.declare(MiddlewareChain([middleware]))
        case .added(let middleware, .eachAttempt, let identity):
            scope.declare(AttemptMiddlewareChain([.init(middleware: middleware, identity: identity)]))
        }
    }
}

extension Use: CustomStringConvertible, CustomReflectable {
    /// The type of the middleware.
    ///
    /// Its properties are omitted, because they may be secret.
    public var description: String {
        switch form {
        case .none: "Use.none"
        case .added(let middleware, _, _): "Use(\(type(of: middleware)))"
        }
    }

    /// The type of the middleware and its layer.
    public var customMirror: Mirror {
        switch form {
        case .none: Mirror(self, children: [:], displayStyle: .struct)
        case .added(let middleware, let layer, _):
            Mirror(self, children: ["middleware": "\(type(of: middleware))", "layer": layer], displayStyle: .struct)
        }
    }
}

/// The middleware around a call, outermost first.
package struct MiddlewareChain: ReplacingSetting {
    package static let clauseName = "Use"

    package let elements: [any Middleware]
    package let replacesOuter: Bool

    package init(_ elements: [any Middleware], replacesOuter: Bool) {
        self.elements = elements
        self.replacesOuter = replacesOuter
    }

    package static func summary(of middleware: any Middleware) -> String { "\(type(of: middleware))" }
}

extension MiddlewareChain: CallOption {
    package var _option: (any AnyObject & Sendable)? { CallPart(self) }

    package func addSteps(to steps: inout CallSteps, of call: Call) {
        for middleware in elements { steps.add(MiddlewareStep(middleware: middleware), at: .call) }
    }
}

/// The middleware around each attempt of a call, outermost first.
package struct AttemptMiddlewareChain: ReplacingSetting {
    /// A middleware and its identity.
    package struct Element: Sendable {
        package let middleware: any Middleware
        package let identity: MiddlewareIdentity
    }

    package static let clauseName = "Use around each attempt"

    package let elements: [Element]
    package let replacesOuter: Bool

    package init(_ elements: [Element], replacesOuter: Bool) {
        self.elements = elements
        self.replacesOuter = replacesOuter
    }

    package static func summary(of element: Element) -> String { "\(type(of: element.middleware))" }
}

extension AttemptMiddlewareChain: CallOption {
    package var _option: (any AnyObject & Sendable)? { CallPart(self) }

    package func addSteps(to steps: inout CallSteps, of call: Call) {
        for element in elements { steps.add(MiddlewareStep(middleware: element.middleware), at: .request) }
    }
}
