import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

/// Runs a race repeatedly, several calls at a time.
struct RaceTrack {
    private static let callsAtATime = 16

    private let race: Race
    private let count: Int

    init(_ race: Race, count: Int) { (self.race, self.count) = (race, count) }

    /// Runs the race, and checks that it leaves no open connection and a working transport.
    func run(over carrier: Carrier) async throws {
        let server = try LoopbackServer(race.responses, keepsRequests: false)
        defer { server.stop() }
        try await run(race.transports(carrier), server)
        // The transports have been released.
        await server.waitForOpenConnections(atMost: 0)
    }

    private func run(_ transports: [any Transport], _ server: LoopbackServer) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<count {
                if number >= Self.callsAtATime { try await group.next() }
                group.addTask { try await cancelMidway(number, transports[number % transports.count], server.url) }
            }
            try await group.waitForAll()
        }
        #expect(server.requestCount <= count * race.requestsPerCall)
        for transport in transports {
            try await transport.expectWorks(server, attempts: race == .timeLimit ? 20 : .max)
        }
    }

    /// Makes a call, and cancels it after other tasks have had a few turns.
    private func cancelMidway(_ number: Int, _ transport: any Transport, _ server: URL) async throws {
        let call = Task { try await race.call(number, transport, server) }
        var random = SplitMix64(seed: UInt64(number))
        let most = Int.random(in: 0..<40, using: &random)
        for _ in 0..<Int.random(in: 0...(most * most / 4), using: &random) { await Task.yield() }
        call.cancel()
        do {
            #expect(try await call.value)
        } catch let error as TransportError {
            #expect(race.errors.contains(error.kind), "\(error)")
        } catch APIError.cancelled {}
    }
}
