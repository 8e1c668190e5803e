import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillCaching
import WaybillSessions
import WaybillTesting

@Suite("Responses are kept apart by every kind of credential")
struct CacheCredentialTests {
    /// Returns a bench that challenges requests without a credential, and numbers its other responses.
    static func bench() -> CacheBench {
        let count = Lines()
        return CacheBench.serving { request in
            let isKnown = request.headerFields.contains(.authorization) || request.headerFields["X-Shop-Key"] != nil
            guard isKnown || request.query("shop_key") != nil else {
                return .status(
                    401,
                    headers: HTTPFields(lines: [#"WWW-Authenticate: Digest realm="r", nonce="n", qop="auth""#])
                )
            }
            let number = count.add("")
            return .json("\(number)", headers: CacheOwnerTests.fields)
        }
    }

    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let one: Authorization.Credential
        let other: Authorization.Credential
    }

    @Test(
        "A response to any kind of credential is cached for that credential only",
        arguments: [
            Row(
                testDescription: "keys in a field",
                one: .apiKey("a", header: "X-Shop-Key"),
                other: .apiKey("b", header: "X-Shop-Key")
            ),
            Row(
                testDescription: "keys in the query",
                one: .apiKey("a", query: "shop_key"),
                other: .apiKey("b", query: "shop_key")
            ),
            Row(
                testDescription: "users of digest",
                one: .digest(user: "ann", password: "p"),
                other: .digest(user: "bob", password: "p")
            ),
            Row(
                testDescription: "passwords of digest",
                one: .digest(user: "ann", password: "p"),
                other: .digest(user: "ann", password: "q")
            ),
        ]
    )
    func apart(row: Row) async throws {
        let bench = Self.bench()
        #expect(try await bench.number { Authorization(row.one) } == 1)
        #expect(try await bench.number { Authorization(row.one) } == 1)
        #expect(try await bench.number { Authorization(row.other) } == 2)
        #expect(try await bench.number { Authorization(row.other) } == 2)
        #expect(try await bench.number { Authorization(row.one) } == 1)
    }

    @Test("Responses to signed requests are cached only if the app names the user")
    func signed() async throws {
        struct Signer: Signed.Signer {
            let count = Lines()

            func sign(_ request: inout HTTPRequest, body: Data?) async throws {
                let number = count.add("")
                request.headerFields[.authorization] = "Signature \(number)"
            }
        }
        let bench = Self.bench()
        for number in 1...2 { #expect(try await bench.number { Signed(by: Signer()) } == number) }
        for _ in 1...2 {
            let number = try await bench.number {
                Signed(by: Signer())
                Cached(in: bench.cache, for: "ann")
            }
            #expect(number == 3)
        }
    }

    @Test("A stored response belongs to the combination of all credentials of its request")
    func severalCredentials() async throws {
        let bench = CacheBench(HTTPFields(lines: ["Cache-Control: max-age=10"]))
        for (number, keys) in [("a", "b"), ("a", "c"), ("d", "b")].enumerated() {
            for _ in 1...2 {
                let found = try await bench.number {
                    Authorization(.apiKey(keys.0, query: "key"), .apiKey(keys.1, header: "X-Key"))
                }
                #expect(found == number + 1)
            }
        }
    }
}
