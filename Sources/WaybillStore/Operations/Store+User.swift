import Waybill

// The user whose rows and writes a store serves.
extension Store {
    /// The id of the current user, whose rows are returned and whose writes are sent; nil for a store without users.
    public var user: String? { core.registry.user.isEmpty ? nil : core.registry.user }

    /// Switches the store to another user, in an app whose users share a folder.
    ///
    /// ```swift
    /// try await store.switchUser(to: session.userID)
    /// tokens.replace(with: session.tokens)
    /// await store.resume()
    /// ```
    ///
    /// The previous user's rows and pending writes stay in the file. They are not returned, counted, observed or sent
    /// until the store is switched back. A request in flight is not interrupted, and its response is stored in the
    /// previous user's rows. Operations on the previous user's collections throw ``StoreError/otherUser(_:)``, and
    /// their sequences end; call ``Store/collection(_:named:movedFrom:_:)`` for the new user's. Nothing is sent until
    /// ``resume()`` or ``synchronize(whole:)`` is called, so replace the credential first. If the user is unchanged,
    /// nothing happens.
    ///
    /// - Parameter user: the id of the new user, not a secret; nil for no user.
    /// - Throws: ``StoreError/clause(_:)`` if the id is empty.
    public func switchUser(to user: String?) async throws(StoreError) {
        guard let former = core.registry.setUser(try Self.key(of: user)) else { return }
        for collection in former { collection.endObservation() }
        await synchronizer.abandon()
        await sender.suspendUntilSignIn()
    }

    /// Returns the text that identifies a user in the file; empty for no user.
    static func key(of user: String?) throws(StoreError) -> String {
        guard let user else { return "" }
        guard !user.isEmpty else {
            throw .clause(
                Scope.DeclarationError(
                    clause: "Store",
                    value: "user: \"\"",
                    reason: "the user id is empty; pass nil for a store without users"
                )
            )
        }
        return user
    }
}
