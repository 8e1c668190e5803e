import Waybill

/// The collections that the program has declared, and the user that the store serves.
final class CollectionRegistry: Sendable {
    private struct State {
        var user: String
        /// The declared collections of all users.
        var collections: [CollectionKey: any RegisteredCollection] = [:]
        /// Collections derived from declared ones with the same template, to send writes.
        var derived: [CollectionKey: any RegisteredCollection] = [:]
        /// The collections by their number in the file.
        ///
        /// Several share a number if their addresses contained different temporary ids.
        var numbers: [Int64: [any RegisteredCollection]] = [:]
        var hasSynchronized = false
    }

    private let state: Locked<State>

    init(user: String) { state = Locked(State(user: user)) }

    // MARK: Users

    /// The user of the store; empty for a store without users.
    var user: String { state.withLock { $0.user } }

    /// Switches the store to another user.
    ///
    /// - Parameter user: the new user; empty for no user.
    /// - Returns: the collections of the previous user; nil if the user is unchanged.
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

    /// Whether a collection is served and its writes are sent: it declares its user or belongs to the store's user.
    func isServed(_ collection: any RegisteredCollection) -> Bool {
        collection.declaresUser || collection.key.user == user
    }

    /// The users whose writes are sent: the store's user, and the users that declared collections specify.
    var servedUsers: Set<String> {
        state.withLock { state in
            Set([state.user] + state.collections.values.filter(\.declaresUser).map(\.key.user))
        }
    }

    // MARK: Collections

    /// The declared collections that are served.
    var served: [any RegisteredCollection] {
        state.withLock { state in
            state.collections.values.filter { $0.declaresUser || $0.key.user == state.user }
        }
    }

    /// All declared collections, of every user.
    var all: [any RegisteredCollection] { state.withLock { Array($0.collections.values) } }

    /// Returns the declared collection with a key, or declares it.
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

    /// Returns the collection that sends the writes of an entry in the file: the declared one, or one derived from a
    /// declared one with the same template.
    ///
    /// A collection with an error in its declaration sends nothing.
    func sender(of place: CollectionPlace) -> (any RegisteredCollection)? {
        let known = state.withLock { $0.collections[place.key] ?? $0.derived[place.key] }
        if let known { return known.declarationError == nil ? known : nil }
        let siblings = all.filter { $0.template == place.template && $0.key.user == place.key.user }
        for sibling in siblings {
            guard let derived = sibling.readdressed(to: place) else { continue }
            state.withLock { $0.derived[place.key] = derived }
            return derived
        }
        return nil
    }

    // MARK: Numbers

    func collections(_ number: Int64) -> [any RegisteredCollection] { state.withLock { $0.numbers[number] ?? [] } }

    func know(_ collection: any RegisteredCollection, as number: Int64) {
        state.withLock { state in
            if state.numbers[number]?.contains(where: { $0 === collection }) ?? false { return }
            state.numbers[number, default: []].append(collection)
        }
    }

    func forget(_ collection: any RegisteredCollection, as number: Int64) {
        state.withLock { $0.numbers[number]?.removeAll { $0 === collection } }
    }

    /// Moves collections whose addresses contained a temporary id to their new addresses.
    func follow(_ renamed: [StoreWrite.RenamedCollection]) {
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

    /// Whether a synchronization has tried to send all writes, so that the program is expected to have declared its
    /// collections.
    var hasSynchronized: Bool { state.withLock { $0.hasSynchronized } }

    /// Records that a synchronization has tried to send all writes; returns whether it is the first one.
    func noteSynchronization() -> Bool {
        state.withLock { state in
            defer { state.hasSynchronized = true }
            return !state.hasSynchronized
        }
    }
}

extension StoreWrite.RenamedCollection {
    /// Returns a resource at the new address, with the parts replaced that differ between the two addresses.
    func applied(to resource: DocumentResource) -> DocumentResource {
        let changed = zip(CollectionPlace.parts(of: old.address), CollectionPlace.parts(of: new.address))
            .filter { $0 != $1 }
        return changed.reduce(resource) { resource, pair in
            resource.replacing(pair.0.percentDecoded, by: pair.1.percentDecoded)
        }
    }
}
