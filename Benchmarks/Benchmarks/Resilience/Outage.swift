import Foundation
import Waybill

/// A simulation of many clients and a temporarily failing server, which yields the requests and the recovery time.
struct Outage: Sendable {
    /// The result of the simulation.
    struct Course: Sendable {
        /// The number of requests that reached the server in each second.
        let requestsPerSecond: [Int]

        /// The time at which the last call succeeded.
        let end: Duration

        /// The number of requests during the outage.
        var requestsDuringOutage: Int { requestsPerSecond.prefix(30).reduce(0, +) }
    }

    /// The number of clients, each with a separate retry budget.
    static let clients = 1000

    /// The number of calls per client, as for a screen with several lists.
    static let callsAtOnce = 5

    /// The delay before a failed call is repeated, as by a user who taps "Retry".
    static let pause: Duration = .seconds(1)

    /// The name of the client behavior.
    let name: String

    /// The result; the simulation runs once, on first use.
    let course: Once<Course>

    init(_ name: String, @Scope.Builder _ clauses: @escaping @Sendable () -> Scope) {
        self.name = name
        course = Once { try await Self.play(clauses) }
    }

    /// Runs the simulation in virtual time.
    private static func play(_ clauses: @Sendable () -> Scope) async throws -> Course {
        guard let url = URL(string: "https://shop.example") else { throw URLError(.badURL) }
        let clock = VirtualClock(tasks: clients * callsAtOnce)
        let server = FailingServer(clock)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<clients {
                let chance = Chance(seed: UInt64(number))
                let client = Client(
                    url,
                    transport: server,
                    clock: clock,
                    dates: Client.DateProvider { Date(timeIntervalSince1970: 0) },
                    randomNumberGenerator: chance,
                    clauses
                )
                for call in 0..<callsAtOnce {
                    // All waits are whole microseconds, so a unique fraction of a microsecond keeps the deadlines of
                    // any two calls distinct.
                    let own = Duration(
                        secondsComponent: 0,
                        attosecondsComponent: Int64(number * callsAtOnce + call) * 1_000_000
                    )
                    let start = Duration.microseconds(Int64(chance.next() % 1_000_000)) + own
                    group.addTask { await succeed(client, clock, start) }
                }
            }
        }
        return Course(requestsPerSecond: server.requestsPerSecond, end: clock.now.offset)
    }

    /// Repeats a call until it succeeds.
    private static func succeed(_ client: Client, _ clock: VirtualClock, _ start: Duration) async {
        let endpoint: Endpoint<Void> = client.endpoint { GET("basket") }
        var wait = start
        while true {
            do {
                try await clock.sleep(for: wait)
                try await endpoint.send()
                return clock.leave()
            } catch {
                wait = pause
            }
        }
    }
}

/// A deterministic random number generator that threads can share.
///
/// `@unchecked Sendable`: the generator is accessed only under the lock.
private final class Chance: RandomNumberGenerator, @unchecked Sendable {
    private let lock = NSLock()
    private var generator: SplitMix64

    init(seed: UInt64) { generator = SplitMix64(seed: seed) }

    func next() -> UInt64 { lock.withLock { generator.next() } }
}
