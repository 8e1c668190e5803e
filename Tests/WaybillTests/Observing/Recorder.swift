import Foundation
import Waybill

/// An observer that keeps its events.
///
/// `@unchecked Sendable`: the events are accessed only under the lock.
final class Recorder: CallObserver, @unchecked Sendable {
    private let lock = NSLock()
    private var recorded: [CallEvent] = []

    var events: [CallEvent] { lock.withLock { recorded } }

    /// The events in words.
    var kinds: [String] { events.map { "\($0.kind)" } }

    func observe(_ event: CallEvent) { lock.withLock { recorded.append(event) } }
}
