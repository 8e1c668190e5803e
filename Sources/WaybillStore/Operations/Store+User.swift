import Waybill

// The user whose rows and writes a store has.
extension Store {
    /// The id of the user whose rows are served and whose writes are sent; nil for a store without users.
    public var user: String? { core.registry.user.isEmpty ? nil : core.registry.user }

    /// Makes the store another user's, in an app whose users share a folder.
    ///
    /// ```swift
    /// try await store.switchUser(to: session.userID)
    /// tokens.replace(with: session.tokens)
    /// await store.resume()
    /// ```
    ///
    /// Rows and pending writes of the user before stay in the file. They are not served, counted, observed or sent
    /// until the store is that user's again; a request that is under way is not interrupted, and its response becomes
    /// part of that user's rows. Collections that were returned before fail with ``StoreError/otherUser(_:)``, their
    /// sequences end, and ``Store/collection(_:named:movedFrom:_:)`` returns those of the new user. Nothing is sent
    /// until ``resume()`` or ``synchronize(whole:)``: replace the credential in between. Without a change of the user,
    /// nothing happens.
    ///
    /// - Parameter user: the id of the user, not a secret; nil for none, as in a store without users.
    /// - Throws: ``StoreError/clause(_:)`` if the id is empty.
    public func switchUser(to user: String?) async throws(StoreError) {
        guard let former = core.registry.setUser(try Self.key(of: user)) else { return }
        for collection in former { collection.endObservation() }
        await synchronizer.abandon()
        await sender.waitForSignIn()
    }

    /// Returns the text by which the file knows a user.
    static func key(of user: String?) throws(StoreError) -> String {
        guard let user else { return "" }
        guard !user.isEmpty else {
            throw .clause(
                DeclarationError(
                    clause: "Store",
                    value: "user: \"\"",
                    reason: "an empty id names no user; pass nil for a store without users"
                )
            )
        }
        return user
    }
}
