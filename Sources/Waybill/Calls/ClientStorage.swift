/// The storage that outlasts a call: budgets, limits, circuit breakers, by their types and purposes.
package final class ClientStorage: Sendable {
    private struct Key: Hashable {
        let type: ObjectIdentifier
        let purpose: AnyHashable
    }

    // The keys are `Sendable`, which `AnyHashable` does not say; see `state(of:for:make:)`.
    private struct States: @unchecked Sendable {
        var byKey: [Key: any Sendable] = [:]
    }

    private let states = Locked(States())

    package init() {}

    /// Returns the state of a type for a purpose, and creates it at the first use.
    package func state<State: AnyObject & Sendable>(
        _ type: State.Type = State.self,
        for purpose: some Hashable & Sendable,
        make: () -> State
    ) -> State {
        let key = Key(type: ObjectIdentifier(type), purpose: AnyHashable(purpose))
        return states.withLock { states in
            if let state = states.byKey[key] as? State { return state }
            let state = make()
            states.byKey[key] = state
            return state
        }
    }
}
