import WaybillSystem

/// The method and the path of an endpoint.
///
/// Common methods have dedicated clauses, such as ``GET`` and ``POST``. Use this one for any other method:
///
/// ```swift
/// Route("PURGE", "cache/\(key)")
/// ```
public struct Route: _RouteClause {
    /// The target of a request.
    package enum Target: Sendable {
        /// A path below the client's base URL.
        case path(Path)
        /// A URL received from the server, absolute or relative to the client's base URL.
        case url(String)
        /// The default target of the operation.
        case unchanged
    }

    package let method: HTTPRequest.Method?
    package let target: Target
    package let declarationError: Scope.DeclarationError?

    /// The clause itself.
    public var route: Route { self }

    /// Declares a method and a path.
    ///
    /// A method that is not a token (RFC 9110, section 9.1) is a declaration error: nothing is sent.
    ///
    /// - Parameters:
    ///   - method: the method, which is case-sensitive and sent unchanged.
    ///   - path: the path below the client's base URL.
    public init(_ method: String, _ path: Path) {
        let token = HTTPRequest.Method(method)
        self.init(
            token,
            .path(path),
            declarationError: token == nil
                ? Scope.DeclarationError(
                    clause: "Route",
                    value: "\"\(method)\"",
                    reason: "a method is a token: letters, digits and marks such as -, without spaces"
                )
                : nil
        )
    }

    package init(_ method: HTTPRequest.Method?, _ target: Target, declarationError: Scope.DeclarationError? = nil) {
        self.method = method
        self.target = target
        self.declarationError = declarationError
    }

    /// Declares the route.
    ///
    /// - Parameter scope: the enclosing scope.
    public func declare(in scope: inout Scope) {
        scope.declareRoute(self)
        if let declarationError { scope.declare(declarationError) }
    }
}

extension Route: CustomStringConvertible, CustomReflectable {
    /// The method and the path or URL, with secrets redacted.
    public var description: String {
        let text =
            switch target {
            case .path(let path): "\(path)"
            case .url(let text): Redaction.url(text: text, secretNames: .usual)
            case .unchanged: ""
            }
        return [method.map { "\($0)" }, text].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// The description only, because the properties may contain secrets.
    public var customMirror: Mirror { Mirror(self, children: ["route": description], displayStyle: .struct) }
}

/// A clause that declares the route of an endpoint.
///
/// An endpoint has exactly one route.
public protocol _RouteClause: Clause {
    /// The declared method and target.
    var route: Route { get }
}

extension _RouteClause {
    /// Declares the route.
    ///
    /// - Parameter scope: the enclosing scope.
    public func declare(in scope: inout Scope) { route.declare(in: &scope) }
}
