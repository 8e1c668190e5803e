/// A named bundle of clauses for use in several scopes, such as a house style or the conventions of a framework.
///
/// ```swift
/// extension Style {
///     static let house = Style("house style") {
///         Header("X-Client", "ios")
///         Envelope("data")
///         Problem(HouseProblem.self)
///     }
/// }
/// ```
///
/// ```swift
/// Client(url) { Style.house }
/// ```
///
/// A style acts as a separate scope around the one that declares it. Clauses in the declaring scope take precedence
/// over the style's clauses, and later styles take precedence over earlier ones.
public struct Style: Scope.RepeatableClause {
    private let scope: Scope

    /// Creates a style.
    ///
    /// - Parameters:
    ///   - name: the style's name in explanations.
    ///   - clauses: the clauses of the style.
    public init(_ name: String, @Scope.Builder _ clauses: () -> Scope) {
        var scope = clauses()
        scope.name = name
        scope.rejectRouteAndBody()
        self.scope = scope
    }

    /// Declares the style.
    ///
    /// - Parameter scope: the enclosing scope.
    public func declare(in scope: inout Scope) { scope.declare(self.scope) }
}
