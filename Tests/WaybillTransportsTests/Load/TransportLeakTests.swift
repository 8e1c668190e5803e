import CallSupport

#if os(Linux)
    import Foundation
    import TestSupport
    import Testing
    import Waybill
    import WaybillTesting

    /// Each test runs in a separate process where nothing else opens a file or starts a thread.
    @Suite("Transports: leaks", .inTurn, .safetyNet)
    struct TransportLeakTests {
        @Test("CurlTransport leaks no descriptor or thread when cancellations race with other events")
        func racesOverCurl() async {
            await #expect(processExitsWith: .success) { try await Leaks.ofRaces(.libcurl, count: 1000) }
        }

        @Test("CurlTransport leaks no descriptor or thread if it is dropped with calls in flight")
        func dropsOfCurl() async {
            await #expect(processExitsWith: .success) { try await Leaks.ofDrops(.libcurl) }
        }

        @Test("URLSessionTransport leaks no descriptor when cancellations race with other events")
        func racesOverURLSession() async {
            await #expect(processExitsWith: .success) { try await Leaks.ofRaces(.urlSession, count: 200) }
        }

        @Test("URLSessionTransport leaks no descriptor if it is dropped with calls in flight")
        func dropsOfURLSession() async {
            await #expect(processExitsWith: .success) { try await Leaks.ofDrops(.urlSession) }
        }
    }

    /// Uses of transports, each checked for leaked resources of the process.
    private enum Leaks {
        static func ofRaces(_ carrier: Carrier, count: Int) async throws {
            try await compare {
                let count = ThreadSanitizer.isOn ? count / 10 : count
                for race in Race.allCases { try await RaceTrack(race, count: count).run(over: carrier) }
            }
        }

        static func ofDrops(_ carrier: Carrier) async throws {
            try await compare {
                for _ in 0..<20 { try await drop(carrier) }
            }
        }

        /// Drops a transport with calls waiting for a connection, a head and a body.
        private static func drop(_ carrier: Carrier) async throws {
            try await LoopbackServer.run(["GET head": .never, "GET body": .bytes([1]).bodyNever()]) {
                server async throws in
                let transport = try carrier.transport(Carrier.Settings(callsPerOrigin: 8))
                let url = server.url
                var responses = [try await transport.send(HTTPRequest(method: .get, url: url.appending(path: "body")))]
                let calls = (0..<16).map { number in
                    Task { try await transport.text(.get, url.appending(path: number < 4 ? "body" : "head")) }
                }
                await server.waitForRequests(count: 8)
                responses = []
                for call in calls { call.cancel() }
                for call in calls { await #expect(throws: TransportError.self) { try await call.value } }
                withExtendedLifetime(responses) {}
            }
        }

        private static func compare(_ use: () async throws -> Void) async throws {
            let before = ProcessResources.now
            try await use()
            var after = ProcessResources.now
            // Threads end and their sockets are closed a little later.
            let deadline = ContinuousClock.now + .seconds(30)
            while after.exceeds(before), ContinuousClock.now < deadline {
                await Task.yield()
                after = .now
            }
            #expect(!after.exceeds(before), "before \(before), after \(after)")
        }
    }
#endif
