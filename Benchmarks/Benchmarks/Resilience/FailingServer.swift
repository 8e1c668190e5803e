import Foundation
import Waybill

/// A server that responds with a 503 during an outage, and afterwards to requests beyond its capacity.
///
/// `@unchecked Sendable`: the counts are accessed only under the lock.
final class FailingServer: Transport, @unchecked Sendable {
    /// The duration of the outage.
    static let outage: Duration = .seconds(30)

    /// The delay before each response.
    static let latency: Duration = .milliseconds(100)

    /// The capacity after the outage, in requests per tenth of a second; further requests get a 503.
    static let servedPerTenth = 200

    private let clock: VirtualClock
    private let lock = NSLock()
    private var tenths: [Int] = []

    init(_ clock: VirtualClock) { self.clock = clock }

    /// The number of requests received in each second.
    var requestsPerSecond: [Int] {
        lock.withLock {
            stride(from: 0, to: tenths.count, by: 10).map { tenths[$0..<min($0 + 10, tenths.count)].reduce(0, +) }
        }
    }

    func send(_ request: HTTPRequest, options: TransferOptions) async throws(TransportError) -> HTTPResponse {
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
        return HTTPResponse(status: arrival >= Self.outage && place <= Self.servedPerTenth ? 204 : 503)
    }
}
