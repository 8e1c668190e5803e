import Foundation
import Waybill

/// An observer that records events.
///
/// `@unchecked Sendable`: the events are accessed only under the lock.
package final class Recorder: CallObserver, @unchecked Sendable {
    private let lock = NSLock()
    private var recorded: [CallEvent] = []

    package init() {}

    package var events: [CallEvent] { lock.withLock { recorded } }

    /// The kinds of the events, as text.
    package var kinds: [String] { events.map { "\($0.kind)" } }

    package func observe(_ event: CallEvent) { lock.withLock { recorded.append(event) } }
}
