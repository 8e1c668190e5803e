import Foundation

/// Holds answers back until a test opens it, so that the test decides the order of events and needs no sleeping.
///
/// ```swift
/// let gate = Gate()
/// let stub = StubTransport(["GET products": .json("[]").held(by: gate)])
/// async let products = shop.products.list()
/// await stub.waitForRequests(count: 1)      // the request is on its way, its answer is not
/// gate.open()
/// ```
///
/// Once open, a gate stays open.
public final class Gate: Sendable {
    private struct State: Sendable {
        var isOpen = false
        var callbacks: [UUID: @Sendable () -> Void] = [:]
    }

    private let state = Monitor(State())

    /// Creates a closed gate.
    public init() {}

    /// Whether the gate has been opened.
    public var isOpen: Bool { state.current.isOpen }

    /// Lets everything through that waits here, and everything that comes later.
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

    /// Waits until the gate is open; returns early when the task is cancelled.
    public func waitUntilOpen() async {
        await state.wait(until: \.isOpen)
    }

    /// Calls back once when the gate opens, not at all where it is open: for a thread, which cannot wait as a task does.
    ///
    /// - Returns: what ``forget(_:)`` takes back.
    func whenOpen(_ callback: @escaping @Sendable () -> Void) -> UUID {
        let id = UUID()
        state.update { state in
            if !state.isOpen { state.callbacks[id] = callback }
        }
        return id
    }

    /// Takes a callback back.
    func forget(_ id: UUID) {
        state.update { $0.callbacks[id] = nil }
    }
}
