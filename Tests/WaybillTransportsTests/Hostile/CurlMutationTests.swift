#if os(Linux)
    import Foundation
    import TestSupport
    import Testing
    import Waybill
    import WaybillTesting
    import WaybillCurl

    /// Responses with changed, added and removed bytes, the same in every run.
    ///
    /// Under the address sanitizer, which checks libcurl's memory, they show whether a server can corrupt it.
    @Suite("CurlTransport: mutated responses", .inTurn, .safetyNet)
    struct CurlMutationTests {
        private static let count = Thoroughness.repetitions(4000, otherwise: 240)

        @Test("A mutated response yields a response or an error, and calls in between get their own responses")
        func mutations() async throws {
            let server = try LoopbackServer(keepsRequests: false) { request in
                guard let seed = request.path.split(separator: "/").last.flatMap({ UInt64($0) }) else {
                    return .text("fine")
                }
                var mutation = ResponseMutation(seed: seed)
                return .raw(mutation.response(), closing: !seed.isMultiple(of: 8))
            }
            defer { server.stop() }
            let transport = try CurlTransport(
                .with { configuration in
                    configuration.timeouts.total = .milliseconds(250)
                    configuration.limits.bodyBytes = 1_000_000
                }
            )
            let ends = try await withThrowingTaskGroup(of: (responses: Int, failures: Int).self) { group in
                for worker in 0..<4 {
                    group.addTask { try await Self.exchange(worker, server.url, over: transport) }
                }
                return try await group.reduce(into: (responses: 0, failures: 0)) {
                    $0 = ($0.responses + $1.responses, $0.failures + $1.failures)
                }
            }
            #expect(ends.responses + ends.failures == Self.count)
            // Some mutations are accepted, and some are rejected.
            #expect(ends.responses > Self.count / 12)
            #expect(ends.failures > Self.count / 12)
        }

        private static func exchange(
            _ worker: Int,
            _ url: URL,
            over transport: CurlTransport
        ) async throws -> (responses: Int, failures: Int) {
            var ends = (responses: 0, failures: 0)
            for number in 0..<count / 4 {
                let seed = worker * count / 4 + number
                do {
                    _ = try await transport.get(url.appending(path: "mutated/\(seed)"))
                    ends.responses += 1
                } catch is TransportError {
                    ends.failures += 1
                }
                guard number.isMultiple(of: 10) else { continue }
                while true {
                    do {
                        let text = try await transport.get(url.appending(path: "good")).text
                        #expect(text == "fine", "behind \(seed)")
                        break
                    } catch let error as TransportError {
                        // The timeout is short for a machine under load.
                        guard error.kind == .timedOut else { throw error }
                    }
                }
            }
            return ends
        }
    }
#endif
