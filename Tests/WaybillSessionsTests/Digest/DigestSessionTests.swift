import CallSupport
import Foundation
import TestSupport
import Testing
@testable import WaybillFiles
@testable import WaybillSessions
import WaybillTesting

@testable import Waybill

@Suite("Digest sessions", .inTurn, .safetyNet)
struct DigestSessionTests {
    struct Row: CustomTestStringConvertible {
        var testDescription: String { algorithm }
        let algorithm: String
        let clientNonces: [String]
        /// The digests, computed without this package.
        let responses: [String]
    }

    @Test(
        "With -sess, the secret uses the client nonce of the first response to a challenge (RFC 7616, section 3.4.2)",
        arguments: [
            Row(
                algorithm: "MD5-sess",
                clientNonces: ["12", "12", "34"],
                responses: [
                    "369a01aec7f452e7c6e9ac97994242bb", "ce078f2c2a85af212bde9360ddbe97bb",
                    "758877007c3f3d3c5c5f6b1340f8d685",
                ]
            ),
            Row(
                algorithm: "SHA-256-sess",
                clientNonces: ["12", "12", "34"],
                responses: [
                    "50f00cc54e07b3524985bbf98881d74240cf05d427b21cc0a21d261527d2b72c",
                    "2dc382b1e28d4afe91df05036d90feb6d1392a1de2d0cfff2e426aedce03190f",
                    "443f1078b2cec5d11c3ef022d546e83bb4a27ebca50c45eec8adabe7e7bae1b4",
                ]
            ),
            Row(
                algorithm: "MD5",
                clientNonces: ["12", "34"],
                responses: ["6b4e7f3a31a0c288591474de41c84194", "6d6350922b417d62309a7eeb88ab7bbc"]
            ),
            Row(
                algorithm: "SHA-256",
                clientNonces: ["12", "34"],
                responses: [
                    "a384faffa0506347bbf0dc23e4b59379f80b48ec1ada7fade402997cfd2ae687",
                    "4f662b5a16b5473db8dea9eb7ac4feeccb907532e92c34e55bb54fa61ce36b24",
                ]
            ),
        ]
    )
    func secret(_ row: Row) async throws {
        // The third request gets a new challenge, whether or not it responds to the previous one.
        let stub = StubTransport { request in
            let given = Self.credentials(in: request)
            let nonce = request.path == "/v1/c" ? "n2" : "n1"
            guard given?["nonce"] == nonce else {
                let challenge = #"Digest realm="shop", nonce="\#(nonce)", qop="auth", algorithm=\#(row.algorithm)"#
                return .status(401).header("WWW-Authenticate", challenge)
            }
            return .json("1")
        }
        let numbers = Locked(UInt64(0))
        let generator = StubGenerator {
            numbers.withLock { number in
                number += 1
                return number
            }
        }
        let client = Client(Shop.url, transport: stub, randomNumberGenerator: generator) {
            Authorization(.digest(user: "bo", password: "s3cret"))
        }
        for path in ["a", "b", "c"].prefix(row.responses.count) {
            _ = try await client.get(Route.Path(segments: [path]), as: Int.self)
        }
        // Excludes the response to the old challenge that the third request sends first.
        let sent = stub.requests.compactMap { request in
            Self.credentials(in: request).flatMap { request.path == "/v1/c" && $0["nonce"] == "n1" ? nil : $0 }
        }
        #expect(sent.map { $0["cnonce"] } == row.clientNonces)
        #expect(sent.map { $0["response"] } == row.responses)
    }

    @Test("Concurrently challenged requests respond with one client nonce")
    func together() async throws {
        let gate = Gate()
        let stub = StubTransport { request in
            guard Self.credentials(in: request) == nil else { return .json("1") }
            let challenge = #"Digest realm="shop", nonce="n", qop="auth", algorithm=SHA-256-sess"#
            return StubResponse.status(401).header("WWW-Authenticate", challenge).held(by: gate)
        }
        let client = Client(Shop.url, transport: stub) { Authorization(.digest(user: "bo", password: "s3cret")) }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 { group.addTask { try await client.get("a", as: Int.self) } }
            await stub.waitForRequests(count: 4)
            gate.open()
            try await group.waitForAll()
        }
        let sent = stub.requests.compactMap(Self.credentials)
        #expect(sent.count == 4)
        #expect(Set(sent.map { $0["cnonce"] }).count == 1)
        #expect(Set(sent.map { $0["nc"] }).count == 4)
    }

    private static func credentials(in request: ReceivedRequest) -> HTTPField.Challenge? {
        request.headerFields[.authorization].flatMap {
            HTTPField.Challenge.all(in: [HTTPField(name: .wwwAuthenticate, value: $0)]).first
        }
    }
}
