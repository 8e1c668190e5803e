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
    /// Takes an event; it is called on a task of the call, which goes on when it returns.
    ///
    /// Nothing is told of a call after its last event, which waits until observers have returned from the others: one that
    /// waits here for the call to end waits for ever.
    func observe(_ event: CallEvent)
}
