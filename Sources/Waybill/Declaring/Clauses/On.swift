/// Clauses for some operations of a resource only.
///
/// ```swift
/// var users: Resource<User, ReadWrite> {
///     resource("users") {
///         On(.list) { GET("users/active") }
///         On(.read, .update) { Envelope("user") }
///         On(.update) { PATCH("people/\(.id)/profile") }       // another method and another path
///         On(.patch) { Header(.contentType, "application/json") }
///     }
/// }
/// ```
///
/// In a path, `\(.id)` is the id that the operation is called with, and `\(.resource)` the resource's own path; a
/// method without a path, `PATCH()`, keeps the path.
public struct On: Clause {
    private let operations: [Operation]
    private let scope: Scope

    /// Declares clauses for these operations.
    public init(_ first: Operation, _ others: Operation..., @Scope.OperationBuilder clauses: () -> Scope) {
        operations = [first] + others
        scope = clauses()
    }

    /// Declares the clauses for the operations.
    public func declare(in scope: inout Scope) {
        for operation in operations {
            var named = self.scope
            named.name = "on \(operation.rawValue)"
            named.isForOneCall = true
            scope.declare(named, for: operation)
        }
    }
}
