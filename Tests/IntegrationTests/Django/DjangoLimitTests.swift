import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Django REST framework's throttling, and a limit that heeds it", .running(.drf))
struct DjangoLimitTests {
    @Test("After a 429 the next call waits for as long as the server says", arguments: TransportUnderTest.all)
    func retryAfter(over transport: TransportUnderTest) async throws {
        let clock = ManualClock()
        let client = Client(Server.drf.url, transport: transport.transport, clock: clock) { Limit.byServer() }
        // The server lets three requests a minute through, and other tests may have used some of them.
        var throttled: StatusFailure?
        for _ in 1...4 where throttled == nil {
            do throws(APIError) {
                _ = try await client.get("throttled/", as: JSONValue.self)
            } catch {
                if case .status(let failure) = error { throttled = failure }
            }
        }
        #expect(throttled?.status == 429)
        let seconds = try #require(throttled?.headerFields[.retryAfter].flatMap { Int($0) })

        let next = Task { try await client.get("throttled/", as: JSONValue.self) }
        #expect(await clock.advanceToNextDeadline() == .seconds(seconds))
        // By the server's clock no time has passed.
        #expect(try await statusFailure { try await next.value }.status == 429)
    }

    @Test("A call that would have to wait for too long is not sent", arguments: TransportUnderTest.all)
    func refusal(over transport: TransportUnderTest) async throws {
        let client = Client(Server.drf.url, transport: transport.transport, clock: ManualClock()) {
            Limit.byServer(longestWait: .zero)
        }
        var error: APIError?
        for _ in 1...5 {
            error = try? await failure { try await client.get("throttled/", as: JSONValue.self) }
        }
        guard case .refused(let refused) = error,
            case .rateLimited(let date, let wait, .longestWait(.zero)) = refused.reason
        else {
            Issue.record("expected a refused call, got \(String(describing: error))")
            return
        }
        #expect(wait > .zero && wait <= .seconds(60))
        #expect(date.timeIntervalSinceNow <= 60)
    }
}
