import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillCaching
import WaybillTesting

@Suite("Users of a shared cache")
struct CacheOwnerTests {
    static let fields = HTTPFields(lines: ["Cache-Control: max-age=10"])

    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let one: any Scope.RepeatableClause
        let other: any Scope.RepeatableClause
    }

    @Test(
        "A cached response is not served to another user",
        arguments: [
            Row(testDescription: "tokens", one: Authorization(.bearer("a")), other: Authorization(.bearer("b"))),
            Row(
                testDescription: "sources of tokens",
                one: Authorization(.bearer { "a" }),
                other: Authorization(.bearer { "b" })
            ),
            Row(
                testDescription: "schemes",
                one: Authorization(.bearer("a")),
                other: Authorization(.scheme("Token", "a"))
            ),
            Row(
                testDescription: "passwords",
                one: Authorization(.basic(user: "u", password: "a")),
                other: Authorization(.basic(user: "u", password: "b"))
            ),
            Row(testDescription: "a user and no user", one: Authorization(.bearer("a")), other: Authorization.none),
            Row(testDescription: "keys", one: Header("X-API-Key", "a"), other: Header("X-API-Key", "b")),
            Row(
                testDescription: "declared secrets",
                one: Header("X-Shop", "a", secret: true),
                other: Header("X-Shop", "b", secret: true)
            ),
            Row(testDescription: "cookies", one: Header(.cookie, "a=1"), other: Header(.cookie, "a=2")),
            Row(testDescription: "keys in the query", one: Query("api_key", "a"), other: Query("api_key", "b")),
            Row(testDescription: "users", one: Authorization(.bearer("a")), other: Authorization(.bearer("a, b"))),
        ]
    )
    func apart(row: Row) async throws {
        let cache = HTTPCache()
        for onDisk in [false, true] {
            let directory = TemporaryDirectory()
            let cache = onDisk ? try HTTPCache.onDisk(at: directory.url) : cache
            let bench = CacheBench(Self.fields, cache: cache)
            let (one, other) = (Scope.of(row.one), Scope.of(row.other))
            #expect(try await bench.number { one } == 1)
            #expect(try await bench.number { other } == 2)
            #expect(try await bench.number { one } == 1)
            #expect(try await bench.number { other } == 2)
        }
    }

    @Test("After a credential source switches users, it misses the first user's responses")
    func changingSource() async throws {
        let token = Lines()
        token.add("ann")
        let bench = CacheBench(Self.fields) { Authorization(.bearer { token.all.last ?? "" }) }
        #expect(try await bench.number() == 1)
        #expect(try await bench.number() == 1)
        token.add("bob")
        #expect(try await bench.number() == 2)
        token.add("ann")
        #expect(try await bench.number() == 1)
    }

    @Test("A response is not cached if the credential switched users after the lookup")
    func changingMeanwhile() async throws {
        let asked = Lines()
        // The lookup is for ann, and the request for bob.
        let bench = CacheBench(Self.fields) {
            Authorization(
                .bearer {
                    let number = asked.add("")
                    return number == 1 ? "ann" : "bob"
                }
            )
        }
        #expect(try await bench.number() == 1)
        #expect(await bench.cache.byteCount == 0)
        #expect(try await bench.number() == 2)
        #expect(try await bench.number() == 2)
    }

    @Test("A 304 does not validate a cached response if the credential switched users")
    func confirmedToAnother() async throws {
        let fetches = Lines()
        let bench = CacheBench(HTTPFields(lines: ["ETag: \"a\""])) {
            Authorization(
                .bearer {
                    let number = fetches.add("")
                    // Both lookups are for ann, and the requests for ann and bob.
                    return number <= 3 ? "ann" : "bob"
                }
            )
        }
        #expect(try await bench.number() == 1)
        #expect(try await bench.number() == 3)
        let credentials = bench.stub.requests.map { $0.headerFields[.authorization] }
        #expect(credentials == ["Bearer ann", "Bearer bob", "Bearer bob"])
    }

    @Test("A user ID's cached responses outlive its tokens, and are not served to another ID")
    func users() async throws {
        let cache = HTTPCache()
        let bench = CacheBench(Self.fields, cache: cache)
        func number(_ user: String, _ token: String) async throws -> Int {
            try await bench.number {
                Cached(in: cache, for: user)
                Authorization(.bearer(token))
            }
        }
        #expect(try await number("ann", "1") == 1)
        #expect(try await number("ann", "2") == 1)
        #expect(try await number("bob", "2") == 2)
        #expect(try await bench.number { Authorization(.bearer("1")) } == 3)
    }

    @Test("Clients that share a cache share its responses")
    func sharing() async throws {
        let cache = HTTPCache()
        let date = MovableDate()
        let (one, other) = (
            CacheBench(Self.fields, cache: cache, date: date), CacheBench(Self.fields, cache: cache, date: date)
        )
        #expect(try await one.number() == 1)
        #expect(try await other.number() == 1)
        #expect(other.requestCount == 0)
    }

    @Test("Without a credential, a cached call fails like an uncached one")
    func noCredential() async throws {
        struct SignedOut: Error {}
        let bench = CacheBench(Self.fields) { Authorization(.bearer { throw SignedOut() }) }
        let error = await failure { try await bench.client.get("a", as: Int.self) }
        guard case .authorization = error else {
            Issue.record("expected an authorization failure")
            return
        }
        #expect(bench.requestCount == 0)
    }

    @Test("An on-disk cache contains no secrets from credentials, URLs, or cookies")
    func secretsOnDisk() async throws {
        let directory = TemporaryDirectory()
        let fields = HTTPFields(lines: ["Cache-Control: max-age=10", "Vary: Cookie", "Set-Cookie: session=S3CRET-set"])
        let bench = CacheBench(fields, cache: try HTTPCache.onDisk(at: directory.url)) {
            Authorization(.bearer("S3CRET-token"))
            Header(.cookie, "S3CRET-cookie")
            Query("api_key", "S3CRET-key")
        }
        #expect(try await bench.number() == 1)
        #expect(try await bench.number() == 1)
        let files = try FileManager.default.contentsOfDirectory(at: directory.url, includingPropertiesForKeys: nil)
        #expect(files.count == 2)
        for file in files {
            #expect(!file.lastPathComponent.contains("S3CRET"))
            #expect(try Data(contentsOf: file).range(of: Data("S3CRET".utf8)) == nil)
            let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }
}
