import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Token expiration", .inTurn, .safetyNet)
struct TokenLifeTests {
    /// The current date as seconds since 1970.
    private final class Calendar: Sendable {
        private let dates = Notes([0.0])

        var source: Client.DateProvider {
            Client.DateProvider { [dates] in Date(timeIntervalSince1970: dates.all.last ?? 0) }
        }

        func go(to seconds: Double) { dates.add(seconds) }
    }

    private static func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

    private func client(_ tokens: RefreshingToken, _ stub: StubTransport, _ calendar: Calendar) -> Client {
        Client(Shop.url, transport: stub, dates: calendar.source) { Authorization(.bearer(refreshing: tokens)) }
    }

    private func tokens(of stub: StubTransport) -> [String] {
        stub.requests.map { $0.headerFields[.authorization]?.replacingOccurrences(of: "Bearer ", with: "") ?? "none" }
    }

    @Test("A token is refreshed in the background before it expires, and calls wait only after it has expired")
    func ahead() async throws {
        let (calendar, gate, contexts) = (Calendar(), Gate(), Notes<String?>())
        let stub = StubTransport { _ in .json("1") }
        let renewing = RefreshingToken(.init("t1", expires: Self.date(100)), refreshBefore: .seconds(60)) { context in
            contexts.add(context.token?.value)
            await gate.waitUntilOpen()
            return .init("t\(contexts.all.count + 1)", expiresIn: .seconds(1000))
        }
        let client = client(renewing, stub, calendar)
        for seconds in [0, 39, 40, 50, 99] as [Double] {
            calendar.go(to: seconds)
            _ = try await client.get("a", as: Int.self)
        }
        #expect(tokens(of: stub) == ["t1", "t1", "t1", "t1", "t1"])
        calendar.go(to: 100)
        async let late = client.get("a", as: Int.self)
        await renewing.waitForWaiters(1)
        #expect(stub.requests.count == 5)
        gate.open()
        _ = try await late
        #expect(contexts.all == ["t1"])
        #expect(tokens(of: stub).last == "t2")
    }

    @Test("A token's lifetime starts when its refresh starts")
    func lifetime() async throws {
        let (calendar, count) = (Calendar(), Notes<Int>())
        let stub = StubTransport { _ in .json("1") }
        let renewing = RefreshingToken(refreshBefore: .zero) { _ in
            let number = count.add(1)
            // The refresh takes 30 seconds.
            calendar.go(to: 30)
            return .init("t\(number)", expiresIn: .seconds(100))
        }
        let client = client(renewing, stub, calendar)
        for seconds in [0, 99, 100] as [Double] {
            calendar.go(to: seconds)
            _ = try await client.get("a", as: Int.self)
        }
        #expect(tokens(of: stub) == ["t1", "t1", "t2"])
    }

    @Test(
        "A new token that has already expired by the device's clock is used until the server rejects it",
        arguments: [
            .init("new", expires: date(900)), .init("new", expires: date(1000)), .init("new", expiresIn: .zero),
            .init("new", expiresIn: .seconds(-1)), .init("new", expiresIn: .seconds(5)),
        ] as [RefreshingToken.AccessToken],
        [nil, .init("old", expires: date(800))] as [RefreshingToken.AccessToken?]
    )
    func endedAtArrival(_ new: RefreshingToken.AccessToken, first: RefreshingToken.AccessToken?) async throws {
        let (calendar, count, rejected) = (Calendar(), Notes<Int>(), Notes<String>())
        let stub = StubTransport { request in
            rejected.all.contains(request.headerFields[.authorization] ?? "") ? .status(401) : .json("1")
        }
        let renewing = RefreshingToken(first) { _ in
            if count.add(1) > 1 { return .init("next") }
            // The refresh takes 10 seconds.
            calendar.go(to: 1010)
            return new
        }
        let client = client(renewing, stub, calendar)
        calendar.go(to: 1000)
        for _ in 0..<50 { _ = try await client.get("a", as: Int.self) }
        #expect(count.all.count == 1)
        #expect(Set(tokens(of: stub)) == ["new"])
        rejected.add("Bearer new")
        _ = try await client.get("a", as: Int.self)
        #expect(count.all.count == 2)
        #expect(tokens(of: stub).suffix(2) == ["new", "next"])
    }

    @Test("A token whose lifetime is shorter than the refresh lead time is not refreshed by every call")
    func short() async throws {
        let (calendar, count) = (Calendar(), Notes<Int>())
        let stub = StubTransport { _ in .json("1") }
        let renewing = RefreshingToken { _ in
            let number = count.add(1)
            return .init("t\(number)", expiresIn: .seconds(30))
        }
        let client = client(renewing, stub, calendar)
        for seconds in [0, 0, 14] as [Double] {
            calendar.go(to: seconds)
            _ = try await client.get("a", as: Int.self)
            #expect(!renewing.isRefreshing)
            #expect(count.all.count == 1)
        }
        calendar.go(to: 15)
        _ = try await client.get("a", as: Int.self)
        #expect(renewing.isRefreshing || count.all.count == 2)
    }

    @Test("A failed background refresh does not fail any call, and the next call tries again")
    func failureAhead() async throws {
        struct Offline: Error {}
        let (calendar, count, done) = (Calendar(), Notes<Int>(), Gate())
        let stub = StubTransport { _ in .json("1") }
        let renewing = RefreshingToken(.init("t1", expires: Self.date(100))) { _ in
            let number = count.add(1)
            if number == 1 { throw Offline() }
            done.open()
            return .init("t2", expires: Self.date(1000))
        }
        let client = client(renewing, stub, calendar)
        calendar.go(to: 50)
        while !done.isOpen {
            #expect(try await client.get("a", as: Int.self) == 1)
            await Task.yield()
        }
        #expect(count.all.count == 2)
        #expect(tokens(of: stub).first == "t1")
    }

    @Test(
        "Extreme token lifetimes are handled",
        arguments: [
            (Duration.seconds(Int64.max), 1), (.seconds(Int64.min), 1), (.zero, 1),
        ]
    )
    func bounds(lifetime: Duration, refreshes: Int) async throws {
        let (calendar, count) = (Calendar(), Notes<Int>())
        let renewing = RefreshingToken { _ in
            let number = count.add(1)
            return .init("t\(number)", expiresIn: lifetime)
        }
        let client = client(renewing, StubTransport { _ in .json("1") }, calendar)
        for _ in 0..<3 { _ = try await client.get("a", as: Int.self) }
        #expect(count.all.count == refreshes)
    }

    @Test("Without a token, the first request waits for a refresh, or is sent without a token to get a challenge")
    func missing() async throws {
        let issuer = Issuer()
        let calendar = Calendar()
        let stub = StubTransport { await issuer.response(to: $0) }
        _ = try await client(RefreshingToken(nil, of: issuer), stub, calendar).get("a", as: Int.self)
        #expect(tokens(of: stub) == ["t1"])
        #expect(await issuer.contexts.map { $0.token == nil && $0.challenges.isEmpty } == [true])

        let asking = RefreshingToken(nil, of: issuer, waitsForChallenge: true)
        _ = try await client(asking, stub, calendar).get("a", as: Int.self)
        #expect(tokens(of: stub) == ["t1", "none", "t1"])
        #expect(await issuer.contexts.last?.challenges.map(\.scheme) == ["Bearer"])
    }

    @Test(
        "A negative lead time and a maximum of zero waiting calls are declaration errors",
        arguments: [
            (RefreshingToken(refreshBefore: .seconds(-1)) { _ in .init("t") }, "give zero or more"),
            (RefreshingToken(waiting: 0) { _ in .init("t") }, "RefreshingToken(waiting: 0)"),
        ]
    )
    func declarationError(tokens: RefreshingToken, reason: String) async {
        let client = client(tokens, StubTransport([:]), Calendar())
        let error = await failure { try await client.get("a", as: Int.self) }
        guard case .request(let failure)? = error else {
            Issue.record("expected a declaration error")
            return
        }
        #expect("\(failure)".contains(reason))
    }

    @Test("A refreshing token is redacted from descriptions")
    func texts() {
        let token = RefreshingToken.AccessToken("s3cret", expiresIn: .seconds(60))
        let tokens = RefreshingToken(token) { _ in token }
        for text in [
            "\(token)", String(reflecting: token), "\([token])", "\(tokens)",
            "\(Authorization.Credential.bearer(refreshing: tokens))",
        ] {
            #expect(!text.contains("s3cret"))
        }
    }
}
