import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@testable import WaybillStore

@Suite("Simulated days of clients with a server, a network, time, and a disk")
struct SimulationTests {
    /// The seeds to run: a few, random ones for `WAYBILL_SIMULATION_SECONDS`, or only `WAYBILL_SIMULATION_SEED`.
    private static let environment = ProcessInfo.processInfo.environment

    @Test("No write is lost or applied twice, and all sides end up equal")
    func everythingAtOnce() async throws {
        if let seed = Self.environment["WAYBILL_SIMULATION_SEED"].flatMap({ UInt64($0) }) {
            try await Self.run(seed)
            return
        }
        guard let seconds = Self.environment["WAYBILL_SIMULATION_SECONDS"].flatMap({ Double($0) }) else {
            for seed in 1...Thoroughness.repetitions(6, otherwise: 1) { try await Self.run(UInt64(seed)) }
            return
        }
        let end = Date() + seconds
        var seed = UInt64.random(in: 1_000...UInt64.max / 2)
        var (count, steps) = (0, 0)
        while Date() < end {
            steps += try await Self.run(seed)
            (seed, count) = (seed + 1, count + 1)
        }
        print("\(count) seeds from \(seed - UInt64(count)), \(steps) steps")
    }

    @discardableResult
    private static func run(_ seed: UInt64) async throws -> Int {
        do {
            var simulation = try await Simulation(seed: seed)
            for problem in try await simulation.problems() {
                Issue.record("WAYBILL_SIMULATION_SEED=\(seed): \(problem)")
            }
            return simulation.steps
        } catch {
            Issue.record("WAYBILL_SIMULATION_SEED=\(seed): \(error)")
            return 0
        }
    }
}
