import CallSupport
import Foundation
import Testing
@testable import WaybillCaching
@testable import WaybillSessions
import WaybillTesting

@testable import Waybill

/// Two texts that are canonically equivalent, and therefore equal as `String`, but have different bytes.
struct Lookalikes: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let one: String
    let other: String

    static let all = [
        Self(testDescription: "e with an acute accent, composed and decomposed", one: "\u{E9}", other: "e\u{301}"),
        Self(testDescription: "K and the Kelvin sign", one: "K", other: "\u{212A}"),
        Self(testDescription: "A with a ring and the Angstrom sign", one: "\u{C5}", other: "\u{212B}"),
    ]
}

@Suite("Bytewise comparison of texts that identify requests and responses")
struct BytewiseComparisonTests {
    @Test("Texts that Swift considers equal differ in their bytes", arguments: Lookalikes.all)
    func texts(_ pair: Lookalikes) {
        #expect(pair.one == pair.other)
        #expect(!pair.one.hasSameBytes(as: pair.other))
        #expect(Set([pair.one, pair.other].map(BytewiseString.init)).count == 2)
        #expect(BytewiseString(pair.one) == BytewiseString(String(decoding: Array(pair.one.utf8), as: UTF8.self)))
    }

    @Test("Values with different bytes are not equal, and a set keeps both", arguments: Lookalikes.all)
    func values(_ pair: Lookalikes) throws {
        func expectApart<Value: Hashable>(_ make: (String) throws -> Value) rethrows {
            let (one, other) = (try make(pair.one), try make(pair.other))
            #expect(one != other, "\(Value.self)")
            #expect(try one == make(pair.one), "\(Value.self)")
            #expect(Set([one, other]).count == 2, "\(Value.self)")
        }
        expectApart { HTTPField(name: .accept, value: $0) }
        expectApart { HTTPFields([HTTPField(name: .accept, value: $0)]) }
        try expectApart { try #require(HTTPField.EntityTag(opaqueTag: $0)) }
        expectApart { CallerIdentity(user: $0) }
        expectApart { Paginated.Scheme.Fields(dictionaryLiteral: ("after", $0)) }
        expectApart { Paginated.Scheme.Request(url: "a?after=\($0)") }
        try expectApart { text in
            let challenge = HTTPField.Challenge(scheme: "Digest", parameters: ["realm": "a", "nonce": text])
            return try #require(DigestChallenge(challenge))
        }
        try expectApart { text in
            let url = try #require(URL(string: "http://\(PercentEncoding.encode(text)).example"))
            return try #require(HTTPRequest.Origin(url))
        }
    }

    @Test("Entity tags with different bytes match neither strongly nor weakly", arguments: Lookalikes.all)
    func entityTags(_ pair: Lookalikes) throws {
        let one = try #require(HTTPField.EntityTag(opaqueTag: pair.one))
        let other = try #require(HTTPField.EntityTag(opaqueTag: pair.other))
        #expect(!one.matchesStrongly(other))
        #expect(!one.matchesWeakly(other))
        #expect(one.matchesStrongly(one))
    }

    @Test(
        "Protocol names are case-folded in ASCII only",
        arguments: [
            ("Keep-Alive", "keep-alive"), ("\u{212A}eep", "\u{212A}eep"), ("ÄB", "Äb"), ("@[`{", "@[`{"), ("", ""),
        ]
    )
    func folding(text: String, folded: String) {
        #expect(text.asciiLowercased.hasSameBytes(as: folded))
    }

    @Test("A name with a Kelvin sign differs from one with K in field names, media types, and origins")
    func kelvinSign() throws {
        #expect(HTTPField.Name("X-\u{212A}ey") == nil)
        #expect(MediaType("text/\u{212A}").essence.hasSameBytes(as: "text/\u{212A}"))
        #expect(HTTPRequest.Origin("http://%E2%84%AAelvin.example/") != HTTPRequest.Origin("http://kelvin.example/"))
        #expect(!HTTPField.Challenge(scheme: "To\u{212A}en").isScheme("Token"))
    }

    @Test("A Vary field name with a Kelvin sign matches no request")
    func vary() throws {
        let request = HTTPRequest(method: .get, url: Shop.url, headerFields: HTTPFields(lines: ["X-Key: 1"]))
        let fields = HTTPFields(lines: ["Vary: X-\u{212A}ey"])
        #expect(Variant(of: fields, to: request, digest: { $0.joined() }) == nil)
        #expect(Variant(of: HTTPFields(lines: ["Vary: X-KEY"]), to: request, digest: { $0.joined() }) != nil)
    }

    @Test("Query items whose names have different bytes are both kept", arguments: Lookalikes.all)
    func query(_ pair: Lookalikes) throws {
        let client = Client(Shop.url, transport: StubTransport([:])) { Query(pair.one, 1) }
        let endpoint: Endpoint<Int> = client.endpoint {
            GET("a")
            Query(pair.other, 2)
        }
        let names = [pair.one, pair.other].map { PercentEncoding.encode($0) }
        #expect(try endpoint.plan().url.query == "\(names[0])=1&\(names[1])=2")
        let url = try #require(URL(string: "http://h/?\(names[0])=1"))
        #expect(url.settingQuery(pair.other, "2")?.query == "\(names[0])=1&\(names[1])=2")
        #expect(url.settingQuery(pair.one, "2")?.query == "\(names[0])=2")
    }

    @Test("Form keys with different bytes are both kept", arguments: Lookalikes.all)
    func form(_ pair: Lookalikes) throws {
        struct Form: Encodable {
            let pair: Lookalikes

            func encode(to encoder: any Encoder) throws {
                var container = encoder.container(keyedBy: EncodedValue.Key.self)
                try container.encode(1, forKey: EncodedValue.Key(stringValue: pair.one))
                try container.encode(2, forKey: EncodedValue.Key(stringValue: pair.other))
            }
        }
        let items = try FormItems.items(of: Form(pair: pair), as: FormStyle())
        let names = [pair.one, pair.other].map { PercentEncoding.encode($0) }
        #expect(items.map(\.encoded) == ["\(names[0])=1", "\(names[1])=2"])
    }

    @Test("Requests with different bytes in a field or key do not share a transfer", arguments: Lookalikes.all)
    func coalescing(_ pair: Lookalikes) async throws {
        for clause in [{ Header("X-A", $0) }, { Header("X-API-Key", $0) }] as [(String) -> Header] {
            let bench = CoalescingBench()
            let calls = [pair.one, pair.other].map { text in bench.call { clause(text) } }
            await bench.waitForTransfers(2)
            bench.gate.open()
            var numbers: [Int] = []
            for call in calls { numbers.append(try await call.value.get()) }
            #expect(numbers.sorted() == [1, 2])
        }
    }

    @Test("A cached response is not served if its varying field has different bytes", arguments: Lookalikes.all)
    func caching(_ pair: Lookalikes) async throws {
        let bench = CacheBench(HTTPFields(lines: ["Cache-Control: max-age=10", "Vary: X-A"]))
        #expect(try await bench.number { Header("X-A", pair.one) } == 1)
        #expect(try await bench.number { Header("X-A", pair.other) } == 2)
        #expect(try await bench.number { Header("X-A", pair.one) } == 1)
    }

    @Test("A redirect with two Location fields that differ in their bytes is rejected", arguments: Lookalikes.all)
    func locations(_ pair: Lookalikes) async {
        var response = StubResponse.status(302)
        response.headerFields = HTTPFields(lines: ["Location: /v1/\(pair.one)", "Location: /v1/\(pair.other)"])
        let client = Client(Shop.url, transport: StubTransport(StubResponses().otherwise(.response(response))))
        let error = await failure { try await client.get("a", as: Int.self) }
        guard case .transport(let failure) = error else {
            Issue.record("expected a redirect that is rejected")
            return
        }
        #expect(failure.error.kind == .redirectRejected)
        #expect(failure.error.message.contains("several different Location fields"))
    }
}
