import Foundation
import Waybill
import WaybillStore
import WaybillTesting

struct Product: Entity, Equatable {
    let id: Int
    var name: String
    var price: Int
    var category: String?

    struct Draft: RequestContent {
        var name: String
        var price = 10
        var category: String?
    }
}

struct Review: Entity, Equatable {
    let id: Int
    var product: Int
    var stars: Int

    struct Draft: RequestContent {
        var product: Int
        var stars: Int
    }
}

struct Shop: API {
    let client: Client

    init(_ transport: some Transport, @Scope.Builder _ clauses: () -> Scope = { Scope() }) {
        let url = URL(string: "https://shop.example") ?? URL(fileURLWithPath: "/")
        client = Client(url, transport: transport, clauses)
    }

    var products: Resource<Product, ReadWrite> { resource("products") }

    func reviews(of product: Product.ID) -> Resource<Review, ReadWrite> { resource("products/\(product)/reviews") }
}

extension JSONValue {
    static func product(_ id: Int, _ name: String, price: Int = 10, _ more: JSONValue = [:]) -> JSONValue {
        more.merging(over: ["id": .integer(id), "name": .string(name), "price": .integer(price)])
    }
}

extension Store {
    /// Opens an in-memory store that sends only on request.
    static func manual(dates: Client.DateProvider = .system, seed: UInt64 = 1) async throws(StoreError) -> Store {
        try await inMemory(
            settings: StoreSettings(backoff: .constant(.seconds(60)), sendsAutomatically: false),
            clock: ManualClock(),
            dates: dates,
            randomNumberGenerator: StoreGenerator(seed: seed)
        )
    }
}

/// A deterministic random number generator.
struct StoreGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    init(seed: UInt64 = 1) { state = seed }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state
    }
}
