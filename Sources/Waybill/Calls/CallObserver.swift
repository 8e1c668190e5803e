/// Is told what happens to calls.
///
/// ```swift
/// struct Counts: CallObserver {
///     func observe(_ event: CallEvent) {
///         if case .failed(let error) = event.kind { failures.add(event.template, error) }
///     }
/// }
///
/// Client(url) { Observe(Counts()) }
/// ```
public protocol CallObserver: Sendable {
    /// Takes an event; it is called on the call's own task, which goes on when it returns.
    func observe(_ event: CallEvent)
}
