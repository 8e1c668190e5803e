import CallSupport
import Foundation
import Testing
@testable import WaybillSessions
import WaybillTesting

@testable import Waybill

@Suite("Users of digest authentication")
struct DigestUsersTests {
    @Test("The number of digest sessions is limited, and a used one is kept")
    func bound() async throws {
        let shared = ClientStorage()
        let challenge = try #require(
            HTTPField.Challenge.all(in: [
                HTTPField(name: .wwwAuthenticate, value: #"Digest realm="a", nonce="n", qop="auth""#)
            ])
            .first.flatMap(DigestChallenge.init)
        )
        let session = { (user: String) in DigestSession.of(user, at: Shop.url, in: shared) }
        let sessions: DigestSessions = shared.state(for: "digest") { DigestSessions() }
        _ = session("kept").begin(challenge, clientNonce: nil)
        for number in 0..<3000 {
            #expect(session("other \(number)").next() == nil)
            _ = session("user \(number)").begin(challenge, clientNonce: nil)
            if number % 500 == 0 { #expect(session("kept").next() != nil) }
            #expect(sessions.count <= 1000)
        }
        #expect(sessions.count > 800)
        #expect(session("kept").next()?.count == 8)
        #expect(session("user 2999").next()?.count == 2)
        #expect(session("user 0").next() == nil)
    }

    @Test("Digest sessions are per user and origin")
    func apart() async throws {
        let stub = StubTransport { request in
            let user = request.headerFields[.authorization].flatMap {
                HTTPField.Challenge.all(in: [HTTPField(name: .wwwAuthenticate, value: $0)]).first?["username"]
            }
            guard let user else {
                return .status(401).header("WWW-Authenticate", #"Digest realm="a", nonce="n", qop="auth""#)
            }
            return .json(#""\#(user)""#)
        }
        let client = Client(Shop.url, transport: stub)
        for user in ["ann", "bo", "ann", "bo"] {
            let name = try await client.get("a", as: String.self) {
                Authorization(.digest(user: user, password: "p"))
            }
            #expect(name == user)
        }
        #expect(
            stub.requests.map { $0.headerFields.contains(.authorization) } == [false, true, false, true, true, true]
        )
    }

    @Test("A digest user with a colon is a declaration error that shows the user without the password")
    func colon() async throws {
        let stub = StubTransport { _ in .json("1") }
        let client = Client(Shop.url, transport: stub) { Authorization(.digest(user: "ann:s3cret", password: "p")) }
        let error = await failure { try await client.get("a", as: Int.self) }
        guard case .request(let failure)? = error else {
            Issue.record("expected a declaration error, not \(error as Any)")
            return
        }
        #expect("\(failure)".contains(#".digest(user: "ann:…")"#), "\(failure)")
        #expect(!"\(failure)".contains("s3cret"))
        #expect(stub.requests.isEmpty)
    }
}
