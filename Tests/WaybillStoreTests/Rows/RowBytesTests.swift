import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@testable import WaybillStore

@Suite("Row bytes", .inTurn)
struct RowBytesTests {
    private enum Bulk: Listable, Readable, Creatable, Updatable, Patchable, BatchUpdatable {}

    private struct Catalog: API {
        let client: Client

        var products: Resource<Product, ReadWrite> { resource("products") }
        var bulk: Resource<Product, Bulk> { resource("products") { IdempotencyKey() } }
        var wrapped: Resource<Product, ReadWrite> { resource("products") { Envelope("data") } }
        var profile: Singleton<Profile, ReadWrite> { singleton("profile") }
    }

    private struct Profile: Representation, Equatable {
        var name: String
    }

    /// A server that stores raw JSON text, and optionally versions its item with entity tags.
    private final class TextServer: Sendable {
        let text: Locked<String>
        let tag = Locked<Int?>(nil)
        let bodies = Locked<[String]>([])
        /// Whether the list contains the item a second time, with the ID 8.
        let hasTwo = Locked(false)
        /// The number of writes still to be lost.
        let losses = Locked(0)

        init(_ text: String) { self.text = Locked(text) }

        var catalog: Catalog {
            Catalog(
                client: Client(
                    URL(string: "https://shop.example") ?? URL(fileURLWithPath: "/"),
                    transport: StubTransport(respond)
                )
            )
        }

        @Sendable private func respond(_ request: ReceivedRequest) -> StubResponse {
            let isWrite = request.method != .get
            if isWrite { bodies.withLock { $0.append(request.text) } }
            let isLost = losses.withLock { losses in
                defer { losses -= isWrite ? 1 : 0 }
                return isWrite && losses > 0
            }
            if isLost { return .failure(TransportError(.connectionLost)) }
            let tag = tag.withLock { $0 }.map { "\"\($0)\"" }
            if isWrite, let condition = request.headerFields[.ifMatch], condition != tag { return .status(412) }
            if request.method == .put { text.withLock { $0 = request.text } }
            let text = text.withLock { $0 }
            let isList = request.path == "/products"
            if isList, isWrite { return .json(request.text) }
            let list = hasTwo.withLock { $0 } ? "[\(text),\(RowBytesTests.text(of: 8, text))]" : "[\(text)]"
            let item = request.path == "/products/8" ? RowBytesTests.text(of: 8, text) : text
            let response = StubResponse.json(isList ? list : item)
            return tag.map { isList ? response : response.header("ETag", $0) } ?? response
        }
    }

    /// An item with everything that a round trip through Swift values alters.
    private static let text = """
        {"z":1.0,"id":7,"name":"Lamp","price":10,"big":340282366920938463463374607431768211456,\
        "pi":3.1415926535897932384626433832795028841971693,"far":1e400,"e":2.50e2,"\u{E9}":"composed",\
        "e\u{301}":"decomposed","twice":1,"twice":2,"list":[ {"x":1.10} ],"text":"a\\/b\\u0041","cut":"\\ud83d"}
        """

    private static func text(named name: String) -> String {
        text.replacingOccurrences(of: "\"Lamp\"", with: "\"\(name)\"")
    }

    fileprivate static func text(of id: Int, _ text: String) -> String {
        text.replacingOccurrences(of: "\"id\":7", with: "\"id\":\(id)")
    }

    private let server = TextServer(Self.text)

    @Test("A replacement sends every unchanged member byte for byte")
    func queued() async throws {
        let store = try await Store.manual()
        let products = store.collection(server.catalog.products)
        try await store.synchronize()
        var lamp = try #require(try await products.read(7))
        lamp.name = "Torch"
        try await products.update(lamp)
        #expect(try await store.synchronize().isComplete)
        #expect(server.bodies.withLock { $0 } == [Self.text(named: "Torch")])
    }

    @Test("Replacements in step, of a singleton, in a batch, and after a restart also send the original bytes")
    func otherWays() async throws {
        let store = try await Store.manual()
        let products = store.collection(server.catalog.products)
        try await store.synchronize()
        var lamp = try #require(try await products.read(7))
        lamp.name = "Torch"
        try await products.inStep.update(lamp)

        let profile = store.singleton(server.catalog.profile)
        try await store.synchronize()
        try await profile.update(Profile(name: "Ada"))
        #expect(try await store.synchronize().isComplete)

        server.hasTwo.withLock { $0 = true }
        let second = try await Store.manual()
        let bulk = second.collection(server.catalog.bulk)
        try await second.synchronize()
        lamp.name = "Candle"
        try await bulk.update(lamp)
        try await bulk.update(Product(id: 8, name: "Candle", price: 10))
        #expect(try await second.synchronize().isComplete)
        server.hasTwo.withLock { $0 = false }

        let folder = TemporaryFolder()
        var third = try await Store(at: folder.url, settings: .init(sendsAutomatically: false))
        var kept = third.collection(server.catalog.products)
        try await third.synchronize()
        lamp.name = "Spot"
        try await kept.update(lamp)
        await third.close()
        third = try await Store(at: folder.url, settings: .init(sendsAutomatically: false))
        kept = third.collection(server.catalog.products)
        #expect(try await third.synchronize().isComplete)
        await third.close()
        let candle = Self.text(named: "Candle")
        let expected = [
            Self.text(named: "Torch"), Self.text(named: "Ada"), "[\(candle),\(Self.text(of: 8, candle))]",
            Self.text(named: "Spot"),
        ]
        #expect(server.bodies.withLock { $0 } == expected)
    }

    @Test("A replacement after a patch sends the bytes of the patch's response")
    func patched() async throws {
        let store = try await Store.manual()
        let products = store.collection(server.catalog.products) {
            Store.Conflicts(.mine, readsBeforeWriting: false)
        }
        try await store.synchronize()
        try await products.patch(7) { $0.name = "Torch" }
        server.text.withLock { $0 = Self.text(named: "Torch").replacingOccurrences(of: "2.50e2", with: "2.5000e2") }
        #expect(try await store.synchronize().isComplete)
        var lamp = try #require(try await products.read(7))
        lamp.name = "Candle"
        try await products.update(lamp)
        try await store.synchronize()
        let expected = Self.text(named: "Candle").replacingOccurrences(of: "2.50e2", with: "2.5000e2")
        #expect(server.bodies.withLock { $0 } == [#"{"name":"Torch"}"#, expected])
    }

    @Test("A replacement that meets a newer version is sent with that version's bytes")
    func rebased() async throws {
        server.tag.withLock { $0 = 1 }
        let store = try await Store.manual()
        let products = store.collection(server.catalog.products)
        var lamp = try #require(try await products.inStep.read(7))
        lamp.name = "Torch"
        try await products.update(lamp)
        server.tag.withLock { $0 = 2 }
        let theirs = Self.text.replacingOccurrences(of: "1971693", with: "1971694")
            .replacingOccurrences(of: "\"decomposed\"", with: "\"theirs\"")
        server.text.withLock { $0 = theirs }
        #expect(try await store.synchronize().isComplete)
        #expect(server.bodies.withLock { $0.last } == theirs.replacingOccurrences(of: "Lamp", with: "Torch"))
    }

    @Test("A fetched item with equal values but different bytes is no change, and its bytes are sent")
    func pulledAgain() async throws {
        let store = try await Store.manual()
        let products = store.collection(server.catalog.products)
        #expect(try await store.synchronize().collections.map(\.changed) == [1])
        #expect(try await store.synchronize().collections.map(\.changed) == [0])
        let other = Self.text.replacingOccurrences(of: "2.50e2", with: "250")
            .replacingOccurrences(of: "\"decomposed\"", with: "\"theirs\"")
        server.text.withLock { $0 = other }
        #expect(try await store.synchronize().collections.map(\.changed) == [0])
        server.text.withLock { $0 = other.replacingOccurrences(of: "1971693", with: "1971694") }
        #expect(try await store.synchronize().collections.map(\.changed) == [1])
        server.text.withLock { $0 = other }
        try await store.synchronize()
        var lamp = try #require(try await products.read(7))
        lamp.name = "Torch"
        try await products.update(lamp)
        try await store.synchronize()
        #expect(server.bodies.withLock { $0 } == [other.replacingOccurrences(of: "Lamp", with: "Torch")])
    }

    @Test("A replacement whose response was lost is repeated with the same bytes", arguments: [true, false])
    func repeated(isBatch: Bool) async throws {
        let folder = TemporaryFolder()
        let settings = StoreSettings(backoff: .constant(.seconds(60)), sendsAutomatically: false)
        server.hasTwo.withLock { $0 = isBatch }
        for attempt in 0..<3 {
            let store = try await Store(at: folder.url, settings: settings, clock: ManualClock())
            let products = store.collection(server.catalog.bulk) { Store.Conflicts(.mine, readsBeforeWriting: false) }
            if attempt == 0 {
                try await store.synchronize()
                for var lamp in try await products.elements() {
                    lamp.name = "Torch"
                    try await products.update(lamp)
                }
                server.losses.withLock { $0 = 2 }
            } else {
                // Later changes to the server's bytes do not affect the repeated request.
                server.text.withLock { $0 = $0.replacingOccurrences(of: "2.50e2", with: "2.5000e2") }
            }
            try await store.synchronize()
            #expect(try await store.outbox.entries().isEmpty == (attempt == 2))
            await store.close()
        }
        let torch = Self.text(named: "Torch")
        let body = isBatch ? "[\(torch),\(Self.text(of: 8, torch))]" : torch
        #expect(server.bodies.withLock { $0 } == Array(repeating: body, count: 3))
    }
}
