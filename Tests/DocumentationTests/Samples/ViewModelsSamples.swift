import Foundation
import Observation
import Testing
import Waybill
import WaybillStore
import WaybillTesting

/// The files of ViewModels.md.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
private enum Page {
    struct Product: Entity, Equatable {
        let id: Int
        var name: String
    }

    struct Shop: API {
        let client: Client

        init(_ url: URL, transport: some Transport = .default) {
            client = Client(url, transport: transport)
        }

        var products: Resource<Product, ReadWrite> { resource("products") }
    }

    @MainActor @Observable
    final class ProductDetail {
        enum State: Equatable {
            case loading
            case loaded(Product)
            case missing
            case failed(String)
        }

        private(set) var state = State.loading
        private let id: Product.ID
        private let shop: Shop

        init(_ id: Product.ID, in shop: Shop) {
            self.id = id
            self.shop = shop
        }

        func load() async {
            do throws(APIError) {
                state = .loaded(try await shop.products.read(id))
            } catch {
                switch error {
                case .cancelled: break
                case .status(let failure) where failure.isNotFound: state = .missing
                default: state = .failed(error.localizedDescription)
                }
            }
        }
    }

    @MainActor @Observable
    final class ProductSearch {
        var text = ""
        private(set) var results: [Product] = []
        private(set) var failure: APIError?
        private let shop: Shop
        private let clock: any Clock<Duration>

        init(in shop: Shop, clock: any Clock<Duration> = ContinuousClock()) {
            self.shop = shop
            self.clock = clock
        }

        func search() async {
            guard !text.isEmpty else { return results = [] }
            do { try await clock.sleep(for: .milliseconds(300)) } catch { return }  // another letter
            do throws(APIError) {
                results = try await shop.products.with { Query("q", text) }.list()
                failure = nil
            } catch {
                if case .cancelled = error { return }
                failure = error
            }
        }
    }

    @MainActor @Observable
    final class ProductConflict {
        private(set) var mine: Product?
        private(set) var theirs: Product?  // nil if the server has deleted it
        private(set) var message = ""
        private var entry: OutboxEntry.ID?
        private let products: StoredCollection<Product, ReadWrite>

        init(in products: StoredCollection<Product, ReadWrite>) { self.products = products }

        func follow() async {
            for await states in products.stateChanges where states.values.contains(.conflict) { await load() }
        }

        func load() async {
            do throws(StoreError) {
                let conflict = try await products.entries().first { $0.state == .conflict }
                entry = conflict?.id
                mine = try conflict?.item
                theirs = try conflict?.serverVersion
            } catch {
                message = error.description
            }
        }

        func decide(for product: Product?) async {
            guard let id = entry else { return }
            do throws(StoreError) {
                try await products.resolve(id, with: product)
                await load()
            } catch {
                message = error.description
            }
        }
    }
}

#if canImport(SwiftUI)
    import SwiftUI

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    extension Page {
        struct SearchView: View {
            @State var model: ProductSearch

            var body: some View {
                List(model.results) { Text($0.name) }
                    .searchable(text: $model.text)
                    .task(id: model.text) { await model.search() }
            }
        }

        struct ProductConflictView: View {
            @State var model: ProductConflict

            var body: some View {
                Group {
                    if let mine = model.mine {
                        Text("You and someone else have both changed this product.")
                        Button("Keep \(mine.name)") {
                            Task { await model.decide(for: mine) }
                        }
                        Button("Accept \(model.theirs?.name ?? "the deletion")") {
                            Task { await model.decide(for: model.theirs) }
                        }
                    }
                }
                .task { await model.follow() }
            }
        }

        struct ProductView: View {
            @State var detail: ProductDetail

            var body: some View {
                Group {
                    switch detail.state {
                    case .loading: ProgressView()
                    case .loaded(let product): Text(product.name)
                    case .missing: Text("This product is gone.")
                    case .failed(let message):
                        Text(message)
                        Button("Try again") {
                            Task { await detail.load() }
                        }
                    }
                }
                .task { await detail.load() }
            }
        }
    }
#endif

@MainActor
@Suite("ViewModels.md")
struct ViewModelsSamples {
    private let url = Sample.url

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    private typealias Shop = Page.Shop
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    private typealias Product = Page.Product
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    private typealias ProductDetail = Page.ProductDetail

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test("An existing product is loaded")
    func loaded() async {
        let stub = StubTransport(["GET products/{}": .json(#"{"id":7,"name":"Lamp"}"#)])
        let detail = ProductDetail(7, in: Shop(url, transport: stub))
        #expect(detail.state == .loading)

        await detail.load()

        #expect(detail.state == .loaded(Product(id: 7, name: "Lamp")))
        #expect(stub.requests.map(\.path) == ["/products/7"])
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test("A failure becomes a state, which the next load replaces")
    func failures() async {
        let stub = StubTransport([
            "GET products/{}": .sequence([
                .failure(TransportError(.connectionLost)),
                .status(404),
                .json(#"{"id":7,"name":"Lamp"}"#),
            ])
        ])
        let detail = ProductDetail(7, in: Shop(url, transport: stub))

        await detail.load()
        #expect(detail.state == .failed("The connection to the server was lost."))
        await detail.load()
        #expect(detail.state == .missing)
        await detail.load()
        #expect(detail.state == .loaded(Product(id: 7, name: "Lamp")))
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test("A view that disappears while the product is loading shows no failure")
    func cancelled() async {
        let stub = StubTransport { _ in .never }
        let detail = ProductDetail(7, in: Shop(url, transport: stub))

        let task = Task { await detail.load() }
        await stub.waitForRequests(count: 1)
        task.cancel()
        await task.value

        #expect(detail.state == .loading)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    private typealias ProductConflict = Page.ProductConflict

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test("A conflict shows both versions, and the chosen one is sent")
    func conflict() async throws {
        let stub = StubTransport([
            "GET products": .sequence([.json(#"[{"id":7,"name":"Lamp"}]"#), .json(#"[{"id":7,"name":"Candle"}]"#)]),
            "GET products/{}": .json(#"{"id":7,"name":"Candle"}"#),
            "PATCH products/{}": .json(#"{"id":7,"name":"Torch"}"#),
        ])
        let store = try await Store.inMemory(settings: StoreSettings(sendsAutomatically: false))
        let products = store.collection(Shop(url, transport: stub).products) { Store.Conflicts(.ask) }
        try await store.synchronize()
        try await products.patch(7) { $0.name = "Torch" }
        try await store.synchronize()
        let model = ProductConflict(in: products)

        await model.load()
        #expect(model.mine == Product(id: 7, name: "Torch"))
        #expect(model.theirs == Product(id: 7, name: "Candle"))
        await model.decide(for: model.mine)

        try await store.synchronize()
        #expect(model.mine == nil)
        #expect(stub.requests.filter { $0.method == .patch }.count == 1)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    private typealias ProductSearch = Page.ProductSearch

    @Test("A search waits for a pause, and an outdated search sends nothing or is not shown")
    func search() async {
        let clock = ManualClock()
        let stub = StubTransport { request in
            request.query == "q=la" ? .never : .json(#"[{"id":7,"name":"Lamp"}]"#)
        }
        let model = ProductSearch(in: Shop(url, transport: stub), clock: clock)

        model.text = "l"
        let first = Task { await model.search() }
        await clock.waitForSleepers(count: 1)
        first.cancel()
        await first.value
        #expect(stub.requests.isEmpty)

        model.text = "la"
        let second = Task { await model.search() }
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .milliseconds(300))
        await stub.waitForRequests(count: 1)
        second.cancel()
        await second.value
        #expect(model.results.isEmpty && model.failure == nil)

        model.text = "lam"
        let third = Task { await model.search() }
        await clock.waitForSleepers(count: 1)
        clock.advance(by: .milliseconds(300))
        await third.value
        #expect(model.results.map(\.name) == ["Lamp"])
        #expect(stub.requests.map(\.query) == ["q=la", "q=lam"])
    }

    @Test("A view model receives its API from outside")
    func injection() throws {
        let url = try #require(URL(string: "https://shop.example/v1"))
        let shop = Shop(url)
        let detail = ProductDetail(7, in: shop)

        #expect(detail.state == .loading)
        #expect(shop.client.url == url)
    }
}
