import Waybill

extension OutboxSender {
    /// Checks that an entry belongs to a user whose writes the store sends: no user decides for another one.
    ///
    /// - Throws: ``StoreError/otherUser(_:)``; an entry that does not exist is left to the caller.
    nonisolated func checkUser(of id: OutboxEntry.ID) async throws(StoreError) {
        let user = try await core.read { (connection) throws(StoreError) -> String? in
            guard let write = try connection.outboxWrite(id) else { return nil }
            return try connection.place(ofCollection: write.collection)?.key.user
        }
        if let user, !core.registry.servedUsers.contains(user) { throw .otherUser(user) }
    }
}
