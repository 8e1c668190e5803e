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
    ///
    /// - Parameters:
    ///   - first: the operation.
    ///   - others: further operations.
    ///   - clauses: the clauses that hold for them.
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

extension On {
    /// The operations of a resource, for clauses that hold for some of them; see ``On``.
    public enum Operation: String, Sendable, Hashable, CaseIterable {
        /// `GET /users`, whole, by pages or item by item.
        case list
        /// `GET /users/x`, and `GET /profile`.
        case read
        /// `POST /users`, and `POST /profile`.
        case create
        /// `POST /users` with an array.
        case createBatch
        /// `PUT /users/x`, and `PUT /profile`.
        case update
        /// `PUT /users/x` that may create.
        case upsert
        /// `PATCH /users` with an array.
        case updateBatch
        /// `PATCH /users/x`, and `PATCH /profile`.
        case patch
        /// `DELETE /users/x`, and `DELETE /profile`.
        case delete
    }
}
