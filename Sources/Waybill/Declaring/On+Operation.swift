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
