/// A bundle of clauses with a name, for use in several scopes: a house style, or the conventions of a framework.
///
/// ```swift
/// extension Style {
///     static let house = Style("house style") {
///         Header("X-Client", "ios")
///         Envelope("data")
///         Problem(HouseProblem.self)
///     }
/// }
///
/// Client(url) { Style.house }
/// ```
///
/// A style is a scope of its own, farther away than the one in which it stands: what that one declares itself wins,
/// and of two styles the later.
public struct Style: RepeatableClause {
    private let scope: Scope

    /// The clauses under a name, which explanations show.
    public init(_ name: String, @ScopeBuilder _ clauses: () -> Scope) {
        var scope = clauses()
        scope.name = name
        scope.refuseRouteAndBody()
        self.scope = scope
    }

    /// Declares the bundle.
    public func declare(in scope: inout Scope) { scope.declare(self.scope) }
}
