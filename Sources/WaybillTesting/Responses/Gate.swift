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
    /// It is for threads, which cannot wait as tasks do.
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

    /// Removes a callback.
    func forget(_ id: Int) {
        state.update { $0.callbacks[id] = nil }
    }
}
