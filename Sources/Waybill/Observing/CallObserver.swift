/// An observer of the events of calls.
///
/// ```swift
/// struct Counts: CallObserver {
///     let failures: FailureCounter
///
///     func observe(_ event: CallEvent) {
///         if case .failed(let error) = event.kind { failures.add(event.template, error) }
///     }
/// }
///
/// Client(url) { Observe(Counts(failures: failures)) }
/// ```
public protocol CallObserver: Sendable {
    /// Receives an event, on a task of the call, which continues when the method returns.
    ///
    /// A call's last event waits until observers have returned from all others, and no event follows it: an observer
    /// that waits here for the call to end never returns.
    func observe(_ event: CallEvent)
}
