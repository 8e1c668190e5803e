#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    @testable import Waybill
    @testable import WaybillTesting
    @testable import WaybillCurl

    @Suite("CurlTransport: phases of a call", .largeInTurn, .safetyNet)
    struct CurlPhaseTests {
        /// A timeout that expires only because the peer never responds.
        private static let limit = Duration.milliseconds(500)

        private func expectCancelled(_ task: Task<HTTPResponse, any Error>) async {
            let error = await #expect(throws: TransportError.self) { try await task.value }
            #expect(error?.kind == .cancelled)
        }

        @Test("A call cancelled during the TLS handshake ends at once, and its connection is closed")
        func cancelledInTLS() async throws {
            let silent = try SilentPort()
            let transport = try CurlTransport(.with { _ in })
            let url = try silent.url("https")
            let task = Task { try await transport.send(HTTPRequest(method: .get, url: url)) }
            let connection = try await silent.connection()
            task.cancel()
            await expectCancelled(task)
            await waitUntil { connection.hasEnded() }
        }

        @Test("A call cancelled while connecting ends at once and stops connecting")
        func cancelledWhileConnecting() async throws {
            try await LoopbackServer.run([:]) { server async throws in
                let place = try FaultPlace(.full, server)
                let before = try attempts(place.url)
                let transport = try CurlTransport(.with { _ in })
                let task = Task { try await transport.send(HTTPRequest(method: .get, url: place.url)) }
                await waitUntil { (try? attempts(place.url)) == before + 1 }
                task.cancel()
                await expectCancelled(task)
                await waitUntil { (try? attempts(place.url)) == before }
                withExtendedLifetime(place) {}
            }
        }

        /// Returns the number of pending connection attempts to a port.
        private func attempts(_ url: URL) throws -> Int {
            let remote = String(format: "0100007F:%04X", try #require(url.port))
            // Foundation's path-based reading returns only the first piece of such a file.
            let file = try #require(FileHandle(forReadingAtPath: "/proc/net/tcp"))
            let lines = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self).split(separator: "\n")
            // Each line has a number, both addresses and the state; state 02 is SYN_SENT.
            return lines.map { $0.split(separator: " ").dropFirst(2).prefix(2).joined(separator: " ") }
                .count { $0 == remote + " 02" }
        }

        /// A timeout, the phase in which it expires, and the expected error.
        struct Row: CustomTestStringConvertible {
            let timeout: TransportError.Timeout
            let scheme: String
            /// The phases that libcurl can report.
            ///
            /// Before TLS is established, it might not report the connection.
            let phases: Set<TransportError.Phase>
            let cause: String
            let path: WritableKeyPath<CurlTransport.Timeouts, Duration?> & Sendable

            var testDescription: String { "\(timeout), \(scheme)" }
        }

        @Test(
            "A timeout ends a call if the server accepts the connection but reads nothing",
            arguments: [
                Row(
                    timeout: .connect,
                    scheme: "https",
                    phases: [.connecting, .securing],
                    cause: "127.0.0.1",
                    path: \.connect
                ),
                Row(
                    timeout: .total,
                    scheme: "https",
                    phases: [.connecting, .securing],
                    cause: "took longer than",
                    path: \.total
                ),
                Row(timeout: .idle, scheme: "http", phases: [.sending], cause: "accepted no data for", path: \.idle),
                Row(timeout: .total, scheme: "http", phases: [.sending], cause: "took longer than", path: \.total),
            ]
        )
        func passes(_ row: Row) async throws {
            let silent = try SilentPort()
            var configuration = CurlTransport.Configuration.with { _ in }
            (configuration.timeouts.connect, configuration.timeouts.idle) = (nil, nil)
            configuration.timeouts[keyPath: row.path] = Self.limit
            let transport = try CurlTransport(configuration)
            // More than the system buffers for a peer that does not read.
            let body = HTTPBody(Data.sample(count: Thoroughness.repetitions(28_000_000, otherwise: 20_000_000)))
            let request = HTTPRequest(method: .put, url: try silent.url(row.scheme), body: body)
            let error = await #expect(throws: TransportError.self) { try await transport.send(request) }
            #expect(error?.kind == .timedOut, "\(String(describing: error))")
            #expect(error?.timeout == row.timeout)
            #expect(error?.phase.map(row.phases.contains) == true, "\(String(describing: error))")
            #expect(error?.message.contains(row.cause) == true, "\(error?.message ?? "")")
            withExtendedLifetime(silent) {}
        }
    }

    extension Socket {
        /// Returns whether the peer has closed the connection, after reading its pending bytes.
        fileprivate func hasEnded() -> Bool {
            var buffer = [UInt8](repeating: 0, count: 64 * 1024)
            while true {
                switch receive(into: &buffer) {
                case .bytes: continue
                case .wouldBlock: return false
                case .end, .failed: return true
                }
            }
        }
    }
#endif
