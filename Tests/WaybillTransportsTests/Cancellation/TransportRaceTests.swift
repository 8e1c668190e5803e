import CallSupport
import TestSupport
import Testing

@Suite("Transports: races with cancellation", .inTurn, .safetyNet)
struct TransportRaceTests {
    @Test(
        "A call ends exactly once if its cancellation races with another event",
        arguments: Thoroughness.some(Race.allCases, oneIn: 3),
        Carrier.allCases
    )
    func races(_ race: Race, _ carrier: Carrier) async throws {
        let all = carrier.cancellations(in: race)
        let count = Thoroughness.repetitions(all, otherwise: all / 5)
        try await RaceTrack(race, count: count).run(over: carrier)
    }
}
