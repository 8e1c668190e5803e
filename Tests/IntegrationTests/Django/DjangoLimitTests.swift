import Foundation
import Testing
import Waybill
import WaybillLimits
import WaybillTesting

@Suite("Django REST framework throttling and a limit that respects it", .running(.drf))
struct DjangoLimitTests {
    @Test("A call after a Django 429 response waits for the time in Retry-After", arguments: TransportUnderTest.all)
    func retryAfter(over transport: TransportUnderTest) async throws {
        let clock = ManualClock()
        let client = Client(Server.drf.url, transport: transport.transport, clock: clock) { Limit.byServer() }
        // The server allows three requests a minute, and other tests may have used some of them.
        var throttled: APIError.StatusFailure?
        for _ in 1...10 where throttled == nil {
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
        // No time has passed on the server's clock, unless another test's request is a minute old by now.
        if let error = try? await failure({ try await next.value }) { #expect(error.status == 429) }
    }

    @Test("A call that would wait too long after a Django 429 response is not sent", arguments: TransportUnderTest.all)
    func rejection(over transport: TransportUnderTest) async throws {
        let client = Client(Server.drf.url, transport: transport.transport, clock: ManualClock()) {
            Limit.byServer(maximumWait: .zero)
        }
        var error: APIError?
        for _ in 1...5 {
            error = try? await failure { try await client.get("throttled/", as: JSONValue.self) }
        }
        guard case .rejected(let rejected) = error,
            case .rateLimited(let date, let wait, .maximumWait(.zero)) = rejected.reason
        else {
            Issue.record("expected a rejected call, got \(String(describing: error))")
            return
        }
        #expect(wait > .zero && wait <= .seconds(60))
        #expect(date.timeIntervalSinceNow <= 60)
    }
}
