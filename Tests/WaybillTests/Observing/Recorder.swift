import Foundation
import Waybill

/// Keeps what it is told.
///
/// `@unchecked Sendable`: the events are touched under the lock alone.
final class Recorder: CallObserver, @unchecked Sendable {
    private let lock = NSLock()
    private var recorded: [CallEvent] = []

    var events: [CallEvent] { lock.withLock { recorded } }

    /// What happened, in words.
    var kinds: [String] { events.map { "\($0.kind)" } }

    func observe(_ event: CallEvent) { lock.withLock { recorded.append(event) } }
}
