import CallSupport
import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

/// Header fields whose values are read for each call.
@Suite("Dynamic header fields")
struct ReadHeaderTests {
    /// A mutable value that counts its reads.
    final class Setting: Sendable {
        private let state: Locked<(value: String?, reads: Int)>

        init(_ value: String?) { state = Locked((value, 0)) }

        var reads: Int { state.withLock { $0.reads } }

        func set(_ value: String?) { state.withLock { $0.value = value } }

        func read() -> String? {
            state.withLock { state in
                state.reads += 1
                return state.value
            }
        }
    }

    enum Place: CaseIterable { case client, resource, operation, call }

    private static func products(
        _ stub: StubTransport,
        _ place: Place,
        _ header: @escaping @Sendable () -> Header
    ) -> Resource<Product, ReadWrite> {
        let client = Client(Shop.url, transport: stub) { if place == .client { header() } }
        let products: Resource<Product, ReadWrite> = client.resource("products") {
            if place == .resource { header() }
            On(.read) { if place == .operation { header() } }
        }
        return products.with { if place == .call { header() } }
    }

    @Test("Each call reads the current value, in every scope", arguments: Place.allCases)
    func eachCall(place: Place) async throws {
        let stub = StubTransport(["GET products/{}": .json(#"{"id":1,"name":"Lamp"}"#)])
        let setting = Setting("en")
        let products = Self.products(stub, place) { Header("X-Locale") { setting.read() } }
        #expect(setting.reads == 0)
        _ = try await products.read(1)
        setting.set("fr")
        _ = try await products.read(1)
        setting.set(nil)
        _ = try await products.read(1)
        #expect(stub.requests.map { $0.headerFields["X-Locale"] } == ["en", "fr", nil])
        #expect(setting.reads == 3)
    }

    @Test("All attempts of a call send the same value")
    func attempts() async throws {
        let setting = Setting("en")
        let stub = StubTransport(["GET products": .sequence([.status(503), .json("[]")])])
        let client = Client(Shop.url, transport: stub, clock: SkippingClock()) {
            Header("X-Locale") { setting.read().map { $0 + "-\(setting.reads)" } }
            Retry()
        }
        _ = try await client.get("products", as: [Int].self)
        #expect(stub.requests.map { $0.headerFields["X-Locale"] } == ["en-1", "en-1"])
    }

    @Test("A dynamic header field overrides outer scopes and is overridden by inner scopes")
    func scopes() throws {
        let client = Client(Shop.url, transport: StubTransport([:])) {
            Header("X-A") { "1" }
            Header("X-B", "2")
            Header("X-C") { "3" }
        }
        let plain: Endpoint<Void> = client.endpoint { GET("a") }
        #expect(text(of: try plain.plan()) == "GET https://shop.example/v1/a\nX-A: 1\nX-B: 2\nX-C: 3")
        let inner: Endpoint<Void> = client.endpoint {
            GET("a")
            Header("X-A", "4")
            Header("X-B") { "5" }
            Header(removing: HTTPField.Name("X-C") ?? .accept)
        }
        #expect(text(of: try inner.plan()) == "GET https://shop.example/v1/a\nX-A: 4\nX-B: 5")
        let empty: Endpoint<Void> = client.endpoint {
            GET("a")
            Header("X-B") { nil }
        }
        #expect(text(of: try empty.plan()) == "GET https://shop.example/v1/a\nX-A: 1\nX-C: 3")
    }

    @Test("A value with a line break is a declaration error for that call, and the error omits the value")
    func invalidValue() async {
        let stub = StubTransport(["GET a": .status(204)])
        let setting = Setting("s3cret\r\nX: 1")
        let client = Client(Shop.url, transport: stub) { Header("X-Key", secret: true) { setting.read() } }
        let error = await failure { try await client.endpoint { GET("a") }.send() }
        #expect(
            error?.description.contains(
                "Header(\"X-Key\"): its value contains a line break or another control character, which is invalid"
                    + " in a field"
            ) == true
        )
        #expect(error?.description.contains("s3cret") == false)
        #expect(stub.requests.isEmpty)
        setting.set("fine")
        #expect(await failure { try await client.endpoint { GET("a") }.send() } == nil)
    }

    @Test("A secret value is redacted from descriptions, and the explanation shows its scope")
    func secret() throws {
        let client = Client(Shop.url, transport: StubTransport([:])) {
            Header("X-Key", secret: true) { "s3cret-value" }
        }
        let endpoint: Endpoint<Void> = client.endpoint { GET("a") }
        let plan = try endpoint.plan()
        #expect(plan.headerFields["X-Key"] == "s3cret-value")
        #expect(!plan.description.contains("s3cret-value"))
        #expect(!plan.explanation.contains("s3cret-value"))
        #expect(plan.explanation.split(separator: "\n").contains { $0.contains("X-Key") && $0.contains("client") })
        #expect("\(Header("X-Key", secret: true) { "s3cret-value" })" == "Header(X-Key, read for each call)")
    }

    @Test("A dynamic header field and a credential for it in the same scope are a declaration error")
    func credential() async {
        let client = Client(Shop.url, transport: StubTransport([:])) {
            Authorization(.bearer("x"))
            Header(.authorization) { "y" }
        }
        let error = await failure { try await client.endpoint { GET("a") }.send() }
        #expect(error?.description.contains("keep one of the two") == true)
    }
}
