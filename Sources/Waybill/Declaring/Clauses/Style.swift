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
/// ```
///
/// ```swift
/// Client(url) { Style.house }
/// ```
///
/// A style is a scope of its own, around the one that declares it: the clauses of that one win, and of two styles the
/// later.
public struct Style: RepeatableClause {
    private let scope: Scope

    /// Creates a bundle with a name, which explanations show.
    ///
    /// - Parameters:
    ///   - name: the name in explanations.
    ///   - clauses: the clauses of the style.
    public init(_ name: String, @Scope.Builder _ clauses: () -> Scope) {
        var scope = clauses()
        scope.name = name
        scope.rejectRouteAndBody()
        self.scope = scope
    }

    /// Declares the bundle.
    public func declare(in scope: inout Scope) { scope.declare(self.scope) }
}
