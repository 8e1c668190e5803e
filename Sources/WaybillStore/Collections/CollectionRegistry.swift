import Waybill

/// The declared collections, and the store's current user.
final class CollectionRegistry: Sendable {
    private struct State {
        var user: String
        /// The declared collections of all users.
        var collections: [CollectionKey: any RegisteredCollection] = [:]
        /// The collections derived from declared ones with the same template, used to send pending writes.
        var derived: [CollectionKey: any RegisteredCollection] = [:]
        /// The collections by number in the file.
        ///
        /// Collections can share a number if their addresses contained different temporary ids.
        var byNumber: [Int64: [any RegisteredCollection]] = [:]
        var hasSynchronized = false
    }

    private let state: Locked<State>

    init(user: String) { state = Locked(State(user: user)) }

    // MARK: Users

    /// The store's user; empty for a store without users.
    var user: String { state.withLock { $0.user } }

    /// Switches the store to another user.
    ///
    /// - Parameter user: the new user; empty for no user.
    /// - Returns: the previous user's collections, except those that declare their user; nil if the user is unchanged.
    func setUser(_ user: String) -> [any RegisteredCollection]? {
        state.withLock { state in
            guard state.user != user else { return nil }
            defer {
                state.user = user
                // The new user's collections have not been declared yet.
                state.hasSynchronized = false
            }
            return state.collections.values.filter { !$0.declaresUser && $0.key.user == state.user }
        }
    }

    /// Whether a collection can be used and its writes are sent: it declares its user or belongs to the store's user.
    func isActive(_ collection: any RegisteredCollection) -> Bool {
        collection.declaresUser || collection.key.user == user
    }

    /// The users whose writes are sent: the store's user, and the users specified by declared collections.
    var activeUsers: Set<String> {
        state.withLock { state in
            Set([state.user] + state.collections.values.filter(\.declaresUser).map(\.key.user))
        }
    }

    // MARK: Collections

    /// The declared collections that are active.
    var active: [any RegisteredCollection] {
        state.withLock { state in
            state.collections.values.filter { $0.declaresUser || $0.key.user == state.user }
        }
    }

    /// The declared collections of all users.
    var all: [any RegisteredCollection] { state.withLock { Array($0.collections.values) } }

    /// Returns the collection with the given key, declaring it if necessary.
    func collection(
        _ key: CollectionKey,
        _ make: () -> any RegisteredCollection
    ) -> any RegisteredCollection {
        if let known = collection(key) { return known }
        let new = make()
        return state.withLock { state in
            let known = state.collections[key, default: new]
            state.collections[key] = known
            return known
        }
    }

    func collection(_ key: CollectionKey) -> (any RegisteredCollection)? { state.withLock { $0.collections[key] } }

    /// Returns the declared collection at an address, regardless of its name.
    func collection(at address: String, of user: String) -> (any RegisteredCollection)? {
        state.withLock { state in
            state.collections.values.first { $0.address == address && $0.key.user == user }
        }
    }

    /// Returns the collection for sending the pending writes of a collection in the file: the declared one, or one
    /// derived from a declared one with the same template.
    ///
    /// Returns nil if there is neither, or if the declaration is invalid.
    func sender(of record: CollectionRecord) -> (any RegisteredCollection)? {
        let known = state.withLock { $0.collections[record.key] ?? $0.derived[record.key] }
        if let known { return known.declarationError == nil ? known : nil }
        let siblings = all.filter { $0.template == record.template && $0.key.user == record.key.user }
        for sibling in siblings {
            guard let derived = sibling.readdressed(to: record) else { continue }
            state.withLock { $0.derived[record.key] = derived }
            return derived
        }
        return nil
    }

    // MARK: Numbers

    func collections(_ number: Int64) -> [any RegisteredCollection] { state.withLock { $0.byNumber[number] ?? [] } }

    func register(_ collection: any RegisteredCollection, number: Int64) {
        state.withLock { state in
            if state.byNumber[number]?.contains(where: { $0 === collection }) ?? false { return }
            state.byNumber[number, default: []].append(collection)
        }
    }

    func unregister(_ collection: any RegisteredCollection, number: Int64) {
        state.withLock { $0.byNumber[number]?.removeAll { $0 === collection } }
    }

    /// Moves collections whose addresses contained a temporary id to their new addresses.
    func moveCollections(_ renamed: [StoreWrite.RenamedCollection]) {
        for change in renamed {
            let found = state.withLock { state -> (any RegisteredCollection)? in
                state.derived[change.old.key] = nil
                let collection = state.collections.removeValue(forKey: change.old.key)
                if let collection, state.collections[change.new.key] == nil {
                    state.collections[change.new.key] = collection
                }
                return collection
            }
            guard let found else { continue }
            found.move(to: change.applied(to: found.resource), change.new)
        }
    }

    // MARK: Synchronization

    /// Whether a synchronization for the current user has tried to send all writes; by then, the app should have
    /// declared its collections.
    var hasSynchronized: Bool { state.withLock { $0.hasSynchronized } }

    /// Records that a synchronization has tried to send all writes, and returns whether it is the first for the user.
    func recordSynchronization() -> Bool {
        state.withLock { state in
            defer { state.hasSynchronized = true }
            return !state.hasSynchronized
        }
    }
}

extension StoreWrite.RenamedCollection {
    /// Returns a resource moved to the new address, by replacing the parts in which the two addresses differ.
    func applied(to resource: DocumentResource) -> DocumentResource {
        let changed = zip(CollectionRecord.parts(of: old.address), CollectionRecord.parts(of: new.address))
            .filter { $0 != $1 }
        return changed.reduce(resource) { resource, pair in
            resource.replacing(pair.0.percentDecoded, by: pair.1.percentDecoded)
        }
    }
}
