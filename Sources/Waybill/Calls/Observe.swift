/// An observer that is told what happens to calls; several are told one after the other.
///
/// ```swift
/// Client(url) {
///     Observe { event in
///         if case .retried(let wait, _) = event.kind { print("\(event.template) again in \(wait)") }
///     }
/// }
/// ```
///
/// Without the clause no event is made.
public struct Observe: RepeatableClause {
    private let observer: any CallObserver

    /// An observer.
    public init(_ observer: some CallObserver) { self.observer = observer }

    /// A function that takes events, on the tasks of the calls.
    public init(_ observe: @escaping @Sendable (CallEvent) -> Void) {
        observer = FunctionObserver(observe: observe)
    }

    /// Declares the observer.
    public func declare(in scope: inout Scope) { scope.declare(CallObservers(observers: [observer])) }
}

/// The observers of a call, the farthest first.
package struct CallObservers: Setting {
    package let observers: [any CallObserver]

    package static var accumulates: Bool { true }

    package func merged(over farther: CallObservers) -> CallObservers {
        CallObservers(observers: farther.observers + observers)
    }

    package var summary: String { observers.map { "\(type(of: $0))" }.joined(separator: ", ") }
}

private struct FunctionObserver: CallObserver {
    let observe: @Sendable (CallEvent) -> Void

    func observe(_ event: CallEvent) { observe(event) }
}
