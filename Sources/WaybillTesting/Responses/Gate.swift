import Waybill

/// A gate that holds responses back until a test opens it, to control the order of events without sleeping.
///
/// ```swift
/// let gate = Gate()
/// let stub = StubTransport(["GET products": .json("[]").held(by: gate)])
/// async let products = shop.products.list()
/// await stub.waitForRequests(count: 1)      // the request is in flight, and its response is held
/// gate.open()
/// ```
///
/// Once open, a gate stays open.
public final class Gate: Sendable {
    private struct State: Sendable {
        var isOpen = false
        var callbacks: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Monitor(State())

    /// Creates a closed gate.
    public init() {}

    /// Whether the gate has been opened.
    public var isOpen: Bool { state.current.isOpen }

    /// Opens the gate for all current and future waiters.
    ///
    /// If the gate is already open, this does nothing.
    public func open() {
        let callbacks = state.update { state in
            state.isOpen = true
            defer { state.callbacks = [:] }
            return state.callbacks.values
        }
        for callback in callbacks { callback() }
    }

    /// Waits until the gate is open, or until the task is cancelled.
    public func waitUntilOpen() async {
        await state.wait(until: \.isOpen)
    }

    /// Registers a closure to call once, when the gate opens.
    ///
    /// If the gate is already open, the closure is never called. This function is for threads, which cannot await
    /// ``waitUntilOpen()``.
    ///
    /// - Parameter callback: the closure.
    /// - Returns: the callback's id for ``forget(_:)``.
    func whenOpen(_ callback: @escaping @Sendable () -> Void) -> Int {
        let id = state.nextID()
        state.update { state in
            if !state.isOpen { state.callbacks[id] = callback }
        }
        return id
    }

    /// Unregisters the callback with the given id.
    func forget(_ id: Int) {
        state.update { $0.callbacks[id] = nil }
    }
}

/// A lock-protected value that tasks can wait on.
///
/// Continuations resume after the lock is released, so a resumed task never runs while it is held.
final class Monitor<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        var waiting: [Int: (condition: @Sendable (Value) -> Bool, waiter: Waiter<Void>)] = [:]
        var lastID = 0
    }

    private let state: Locked<State>

    init(_ value: Value) { state = Locked(State(value: value)) }

    /// The current value.
    var current: Value { state.withLock { $0.value } }

    /// Returns an id that is unique within the monitor.
    func nextID() -> Int {
        state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
    }

    /// Changes the value and resumes the tasks whose conditions now hold.
    func update<Result>(_ change: (inout Value) -> Result) -> Result {
        let (result, satisfied) = state.withLock { state in
            let result = change(&state.value)
            let ready = state.waiting.values.filter { $0.condition(state.value) }.map(\.waiter)
            for waiter in ready { state.waiting[waiter.id] = nil }
            return (result, ready)
        }
        for waiter in satisfied { waiter.resume(returning: ()) }
        return result
    }

    /// Waits until the condition holds, or until the task is cancelled.
    ///
    /// The condition is evaluated under the lock, so it must be fast and must not use the monitor.
    func wait(until condition: @escaping @Sendable (Value) -> Bool) async {
        await state.wait(cancelled: ()) { state, waiter in
            if condition(state.value) { return () }
            state.waiting[waiter.id] = (condition, waiter)
            return nil
        } removing: { state, id in
            state.waiting.removeValue(forKey: id)?.waiter
        }
    }
}
