import Foundation
import Waybill

/// A server that answers nothing but 503 for a while, and then as many requests as it has room for.
///
/// `@unchecked Sendable`: what is counted is touched under the lock alone.
final class FailingServer: Transport, @unchecked Sendable {
    /// How long it fails.
    static let outage: Duration = .seconds(30)

    /// How long an answer takes.
    static let latency: Duration = .milliseconds(100)

    /// How many requests it can serve in a tenth of a second when it works; further ones get 503.
    static let room = 200

    private let clock: VirtualClock
    private let lock = NSLock()
    private var tenths: [Int] = []

    init(_ clock: VirtualClock) { self.clock = clock }

    /// How many requests came, by the second.
    var requestsPerSecond: [Int] {
        lock.withLock {
            stride(from: 0, to: tenths.count, by: 10).map { tenths[$0..<min($0 + 10, tenths.count)].reduce(0, +) }
        }
    }

    func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
        let arrival = clock.now.offset
        let tenth = Int(arrival / .milliseconds(100))
        let place = lock.withLock {
            while tenths.count <= tenth { tenths.append(0) }
            tenths[tenth] += 1
            return tenths[tenth]
        }
        do {
            try await clock.sleep(for: Self.latency)
        } catch {
            throw TransportError(wrapping: error)
        }
        return HTTPResponse(status: arrival >= Self.outage && place <= Self.room ? 204 : 503)
    }
}
