import CallSupport
import Foundation
import SampleOption
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Options declared outside the core")
struct OptionTests {
    @Test("A step at the transfer position sees every signed message of each attempt and redirect")
    func transfer() async throws {
        let seen = Notes<String>()
        let stub = StubTransport { request in
            switch request.url.path {
            case "/v1/a": StubResponse.status(302, headers: [HTTPField(name: .location, value: "/v1/b")])
            default: seen.all.count < 4 ? .status(503) : .json("1")
            }
        }
        let client = Client(Shop.url, transport: stub, clock: SkippingClock()) {
            Traced { request in
                let signature = request.headerFields.first { $0.name.canonicalName == "x-signature" }
                seen.add("\(request.url.path) \(signature?.value ?? "unsigned")")
            }
            Retry()
            Signed(by: SigningTests.Witness())
        }
        #expect(try await client.get("a", as: Int.self) == 1)
        #expect(seen.all == ["/v1/a s1", "/v1/b s2", "/v1/a s3", "/v1/b s4"])
    }

    @Test("An option in an inner scope replaces the one in an outer scope")
    func scopes() async throws {
        let (outer, inner) = (Notes<String>(), Notes<String>())
        let client = Client(Shop.url, transport: StubTransport { _ in .json("1") }) { Traced { _ in outer.add("") } }
        let endpoint: Endpoint<Int> = client.endpoint {
            GET("a")
            Traced { _ in inner.add("") }
        }
        #expect(try await endpoint.send() == 1)
        #expect(outer.all.isEmpty)
        #expect(inner.all.count == 1)
    }
}
