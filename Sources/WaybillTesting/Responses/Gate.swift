import Foundation

/// A gate that holds responses back until a test opens it, so that the test decides the order of events and need not
/// sleep.
///
/// ```swift
/// let gate = Gate()
/// let stub = StubTransport(["GET products": .json("[]").held(by: gate)])
/// async let products = shop.products.list()
/// await stub.waitForRequests(count: 1)      // the request is in flight, its response is held
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

    /// Opens the gate for all current and later waiters.
    ///
    /// Opening it again does nothing.
    public func open() {
        let callbacks = state.update { state in
            state.isOpen = true
            defer { state.callbacks = [:] }
            return state.callbacks.values
        }
        for callback in callbacks { callback() }
    }

    /// Waits until the gate is open; returns early if the task is cancelled.
    public func waitUntilOpen() async {
        await state.wait(until: \.isOpen)
    }

    /// Calls a closure once, at the opening of the gate, and never if the gate is open already.
    ///
    /// It serves threads, which cannot wait as tasks do.
    ///
    /// - Parameter callback: the closure.
    /// - Returns: an id that ``forget(_:)`` takes.
    func whenOpen(_ callback: @escaping @Sendable () -> Void) -> Int {
        let id = state.nextID()
        state.update { state in
            if !state.isOpen { state.callbacks[id] = callback }
        }
        return id
    }

    /// Removes the callback with an id.
    func forget(_ id: Int) {
        state.update { $0.callbacks[id] = nil }
    }
}

/// A value behind a lock, whose changes tasks can wait for.
///
/// Continuations are resumed after the lock is released, so that no code of a caller runs under it.
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

    /// The value as it is now.
    var current: Value { lock.withLock { value } }

    /// Returns an id that the monitor has not returned before.
    func nextID() -> Int {
        lock.withLock {
            lastID += 1
            return lastID
        }
    }

    /// Changes the value and resumes the tasks whose condition now holds.
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

    /// Waits until the condition holds; returns early if the task is cancelled.
    ///
    /// The condition is evaluated under the lock, so it must be quick and must not use the monitor.
    func wait(until condition: @escaping @Sendable (Value) -> Bool) async {
        let id = nextID()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDone = lock.withLock {
                    // A cancellation that comes after this question finds the waiter in the dictionary.
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
