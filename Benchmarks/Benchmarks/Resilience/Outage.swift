import Foundation
import Waybill

/// What many clients do to a server that fails for a while, and how long it takes until all of their calls succeed.
struct Outage: Sendable {
    /// What came of it.
    struct Course: Sendable {
        /// The requests that reached the server, by the second.
        let requestsPerSecond: [Int]

        /// When the last call had succeeded.
        let end: Duration

        /// The requests that came while the server failed.
        var requestsInVain: Int { requestsPerSecond.prefix(30).reduce(0, +) }
    }

    /// How many clients there are, each with its own budget.
    static let clients = 1000

    /// How many calls each of them makes at once, as for a screen that shows several things.
    static let callsAtOnce = 5

    /// After which time a call that failed for good is made again, as by somebody who taps "again".
    static let pause: Duration = .seconds(1)

    /// What the clients do about failures.
    let name: String

    /// What came of it; it is played once.
    let course: Once<Course>

    init(_ name: String, @ScopeBuilder _ clauses: @escaping @Sendable () -> Scope) {
        self.name = name
        course = Once { try await Self.play(clauses) }
    }

    /// Plays it on virtual time.
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
                    dates: DateSource { Date(timeIntervalSince1970: 0) },
                    randomness: Randomness { chance.next() },
                    clauses
                )
                for call in 0..<callsAtOnce {
                    // All waits are whole microseconds: what is added keeps any two calls apart for good.
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

    /// Makes a call until it succeeds.
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

/// Random numbers that are the same in every run.
///
/// `@unchecked Sendable`: the generator is touched under the lock alone.
private final class Chance: @unchecked Sendable {
    private let lock = NSLock()
    private var generator: SplitMix64

    init(seed: UInt64) { generator = SplitMix64(seed: seed) }

    func next() -> UInt64 { lock.withLock { generator.next() } }
}
