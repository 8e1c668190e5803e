import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("A token that expires", .timeLimit(.minutes(5)))
struct TokenLifeTests {
    /// The date of the calls: seconds since 1970.
    private final class Calendar: Sendable {
        private let dates = Notes([0.0])

        var source: DateSource { DateSource { [dates] in Date(timeIntervalSince1970: dates.all.last ?? 0) } }

        func go(to seconds: Double) { dates.add(seconds) }
    }

    private static func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

    private func client(_ tokens: RefreshingToken, _ stub: StubTransport, _ calendar: Calendar) -> Client {
        Client(Shop.url, transport: stub, dates: calendar.source) { Authorization(.bearer(refreshing: tokens)) }
    }

    private func tokens(of stub: StubTransport) -> [String] {
        stub.requests.map { $0.headerFields[.authorization]?.replacingOccurrences(of: "Bearer ", with: "") ?? "none" }
    }

    @Test("It is refreshed ahead of its expiry, and nobody waits; from then on they do")
    func ahead() async throws {
        let (calendar, gate, occasions) = (Calendar(), Gate(), Notes<String?>())
        let stub = StubTransport { _ in .json("1") }
        let renewing = RefreshingToken(.init("t1", expires: Self.date(100)), refreshBefore: .seconds(60)) { occasion in
            occasions.add(occasion.token?.value)
            await gate.waitUntilOpen()
            return .init("t\(occasions.all.count + 1)", expiresIn: .seconds(1000))
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
        #expect(occasions.all == ["t1"])
        #expect(tokens(of: stub).last == "t2")
    }

    @Test("A lifetime counts from the start of the refresh that returned the token")
    func lifetime() async throws {
        let (calendar, count) = (Calendar(), Notes<Int>())
        let stub = StubTransport { _ in .json("1") }
        let renewing = RefreshingToken(refreshBefore: .zero) { _ in
            let number = count.add(1)
            // The server takes its time.
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

    @Test("A token that lives shorter than the time ahead is not refreshed by each call")
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

    @Test("One refresh ahead that fails fails nobody, and the next call tries anew")
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

    @Test("Where expired tokens come back, each call waits for one, and sends it", arguments: [-50, 0] as [Double])
    func expired(expiry: Double) async throws {
        let (calendar, count) = (Calendar(), Notes<Int>())
        let stub = StubTransport { _ in .json("1") }
        let renewing = RefreshingToken { _ in
            let number = count.add(1)
            return .init("t\(number)", expires: Self.date(expiry))
        }
        let client = client(renewing, stub, calendar)
        for _ in 0..<3 { _ = try await client.get("a", as: Int.self) }
        #expect(tokens(of: stub) == ["t1", "t2", "t3"])
    }

    @Test(
        "Lifetimes out of all bounds are what they say",
        arguments: [
            (Duration.seconds(Int64.max), 1), (.seconds(Int64.min), 3), (.zero, 3),
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

    @Test("Without a token, the first request waits for one, or goes out for its challenge")
    func missing() async throws {
        let issuer = Issuer()
        let calendar = Calendar()
        let stub = StubTransport { await issuer.answer($0) }
        _ = try await client(RefreshingToken(nil, of: issuer), stub, calendar).get("a", as: Int.self)
        #expect(tokens(of: stub) == ["t1"])
        #expect(await issuer.occasions.map { $0.token == nil && $0.challenges.isEmpty } == [true])

        let asking = RefreshingToken(nil, of: issuer, waitsForChallenge: true)
        _ = try await client(asking, stub, calendar).get("a", as: Int.self)
        #expect(tokens(of: stub) == ["t1", "none", "t1"])
        #expect(await issuer.occasions.last?.challenges.map(\.scheme) == ["Bearer"])
    }

    @Test(
        "A time ahead below zero is a mistake, and so is none who may wait",
        arguments: [
            (RefreshingToken(refreshBefore: .seconds(-1)) { _ in .init("t") }, "give zero or more"),
            (RefreshingToken(waiting: 0) { _ in .init("t") }, "RefreshingToken(waiting: 0)"),
        ]
    )
    func mistake(tokens: RefreshingToken, reason: String) async {
        let client = client(tokens, StubTransport([:]), Calendar())
        let error = await failure { () async throws(APIError) in try await client.get("a", as: Int.self) }
        guard case .request(let failure)? = error else {
            Issue.record("expected a mistake")
            return
        }
        #expect("\(failure)".contains(reason))
    }

    @Test("No text has the token")
    func texts() {
        let token = RefreshingToken.AccessToken("s3cret", expiresIn: .seconds(60))
        let tokens = RefreshingToken(token) { _ in token }
        for text in [
            "\(token)", String(reflecting: token), "\([token])", "\(tokens)",
            "\(Credential.bearer(refreshing: tokens))",
        ] {
            #expect(!text.contains("s3cret"))
        }
    }
}
