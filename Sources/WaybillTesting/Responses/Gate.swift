import Foundation

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
final class Monitor<Value: Sendable>: @unchecked Sendable {  // every access to its variables holds `lock`
    private struct Waiter {
        let condition: @Sendable (Value) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    private let lock = NSLock()
    private var value: Value
    private var waiters: [Int: Waiter] = [:]
    private var lastID = 0

    init(_ value: Value) { self.value = value }

    /// The current value.
    var current: Value { lock.withLock { value } }

    /// Returns an id that is unique within the monitor.
    func nextID() -> Int {
        lock.withLock {
            lastID += 1
            return lastID
        }
    }

    /// Changes the value and resumes the tasks whose conditions now hold.
    func update<Result>(_ change: (inout Value) -> Result) -> Result {
        let (result, satisfied) = lock.withLock {
            let result = change(&value)
            guard !waiters.isEmpty else { return (result, [CheckedContinuation<Void, Never>]()) }
            let ready = waiters.filter { $0.value.condition(value) }
            for id in ready.keys { waiters[id] = nil }
            return (result, ready.values.map(\.continuation))
        }
        for continuation in satisfied { continuation.resume() }
        return result
    }

    /// Waits until the condition holds, or until the task is cancelled.
    ///
    /// The condition is evaluated under the lock, so it must be fast and must not use the monitor.
    func wait(until condition: @escaping @Sendable (Value) -> Bool) async {
        let id = nextID()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDone = lock.withLock {
                    // A cancellation after this check finds the waiter in the dictionary.
                    if Task.isCancelled || condition(value) { return true }
                    waiters[id] = Waiter(condition: condition, continuation: continuation)
                    return false
                }
                if isDone { continuation.resume() }
            }
        } onCancel: {
            let waiter = lock.withLock { waiters.removeValue(forKey: id) }
            waiter?.continuation.resume()
        }
    }
}
