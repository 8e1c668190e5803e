/// An observer of calls; several are called one after the other.
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
    private let observers: CallObservers

    /// Creates the clause with an observer.
    public init(_ observer: some CallObserver) {
        observers = CallObservers([observer], inspectors: (observer as? any ResponseInspector).map { [$0] } ?? [])
    }

    /// Creates the clause with a function that takes events on the tasks of the calls.
    public init(_ observe: @escaping @Sendable (CallEvent) -> Void) {
        observers = CallObservers([FunctionObserver(observe: observe)], inspectors: [])
    }

    /// Declares the observer.
    public func declare(in scope: inout Scope) { scope.declare(observers) }
}

/// The observers of a call.
package struct CallObservers: AccumulatingSetting {
    package static let clauseName = "Observe"

    package let elements: [any CallObserver]

    /// Those that inspect responses and receive no events.
    package let inspectors: [any ResponseInspector]

    package init(_ elements: [any CallObserver]) {
        self.init(elements, inspectors: elements.compactMap { $0 as? any ResponseInspector })
    }

    // Which observers inspect is decided once for a declaration: a cast to a protocol is slow.
    fileprivate init(_ elements: [any CallObserver], inspectors: [any ResponseInspector]) {
        self.elements = elements
        self.inspectors = inspectors
    }

    package func merged(over outer: Self) -> Self {
        Self(outer.elements + elements, inspectors: outer.inspectors + inspectors)
    }

    /// The observers; nil if no observer is declared.
    var listeners: [any CallObserver]? {
        if inspectors.isEmpty { return elements }
        let listeners = elements.filter { !($0 is any ResponseInspector) }
        return listeners.isEmpty ? nil : listeners
    }

    package static func summary(of observer: any CallObserver) -> String { "\(type(of: observer))" }
}

private struct FunctionObserver: CallObserver {
    let observe: @Sendable (CallEvent) -> Void

    func observe(_ event: CallEvent) { observe(event) }
}
