/// Clauses that apply only to some operations of a resource.
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
/// In a path, `\(.id)` represents the id passed to the operation and `\(.resource)` for the resource's path. A method
/// without a path, such as `PATCH()`, keeps the path.
public struct On: Clause {
    private let operations: [Operation]
    private let scope: Scope

    /// Declares clauses for one or more operations.
    ///
    /// - Parameters:
    ///   - first: the first operation.
    ///   - others: any further operations.
    ///   - clauses: the clauses that apply to them.
    public init(_ first: Operation, _ others: Operation..., @Scope.OperationBuilder clauses: () -> Scope) {
        operations = [first] + others
        scope = clauses()
    }

    /// Declares the clauses for each operation.
    ///
    /// - Parameter scope: the enclosing scope.
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
    /// An operation of a resource.
    public enum Operation: String, Sendable, Hashable, CaseIterable {
        /// `GET /users`, read as a whole, page by page or item by item.
        case list
        /// `GET /users/x`, or `GET /profile` for a singleton.
        case read
        /// `POST /users`, or `POST /profile` for a singleton.
        case create
        /// `POST /users` with an array.
        case createBatch
        /// `PUT /users/x`, or `PUT /profile` for a singleton.
        case update
        /// `PUT /users/x`, which may create the item.
        case upsert
        /// `PATCH /users` with an array.
        case updateBatch
        /// `PATCH /users/x`, or `PATCH /profile` for a singleton.
        case patch
        /// `DELETE /users/x`, or `DELETE /profile` for a singleton.
        case delete
    }
}
