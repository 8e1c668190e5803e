// The forced literals of the page are constants.
// swift-format-ignore-file: NeverForceUnwrap

import Foundation
import Observation
import Testing
import Waybill
import WaybillStore
import WaybillTesting

/// The files of SwiftUI.md.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
private enum Page {
    struct Product: Entity {
        let id: Int
        var name: String
    }

    struct Shop: API {
        let client: Client

        init(_ url: URL, transport: some Transport = .default) {
            client = Client(url, transport: transport)
        }

        var products: Resource<Product, ReadWrite> {
            resource("products") {
                Envelope("items")
                Paginated(.cursor(at: "next", as: "after"))
            }
        }
    }

    @MainActor @Observable
    final class ProductList {
        private(set) var products: [Product] = []
        private(set) var next: Cursor?  // leads to the next page; nil at the end
        private(set) var failure: APIError?
        private let shop: Shop

        init(_ shop: Shop) { self.shop = shop }

        var hasFailed: Bool {
            get { failure != nil }
            set { if !newValue { failure = nil } }
        }

        func reload() async {
            do throws(APIError) {
                let page = try await shop.products.page()
                (products, next) = (page.items, page.next)
            } catch {
                report(error)
            }
        }

        func loadMore() async {
            guard let cursor = next else { return }
            do throws(APIError) {
                let page = try await shop.products.page(at: cursor)
                guard next == cursor else { return }  // the list was reloaded, or the page is loaded already
                products += page.items
                next = page.next
            } catch {
                report(error)
            }
        }

        private func report(_ error: APIError) {
            switch error {
            case .cancelled: break  // the view has disappeared
            default: failure = error
            }
        }
    }

    @MainActor @Observable
    final class StoredProductList {
        let list: ObservedRows<Product>
        private(set) var rejected: OutboxEntry.Typed<Product>?  // the first entry that needs a decision
        private(set) var failure: StoreError?
        private let store: Store
        private let products: StoredCollection<Product, ReadWrite>

        init(_ shop: Shop, in store: Store) {
            self.store = store
            products = store.collection(shop.products)
            list = products.sorted(by: \.name).observed()
        }

        var needsDecision: Bool {
            get { rejected != nil }
            set { if !newValue { rejected = nil } }
        }

        func findRejected() async {
            do throws(StoreError) {
                rejected = try await products.entries().first { $0.state.needsAttention }
            } catch {
                failure = error
            }
        }

        func rename(_ product: Product, to name: String) async {
            do throws(StoreError) {
                try await products.patch(product.id) { $0.name = name }
            } catch {
                failure = error
            }
        }

        func retry(_ entry: OutboxEntry.Typed<Product>) async {
            do throws(StoreError) { try await store.outbox.retry(entry.id) } catch { failure = error }
        }

        func discard(_ entry: OutboxEntry.Typed<Product>) async {
            do throws(StoreError) { try await store.outbox.discard(entry.id) } catch { failure = error }
        }
    }

    enum PreviewShop {
        static var twoPages: Shop {
            shop([
                "GET products": .response { request in
                    request.query("after") == nil
                        ? .json(#"{"items":[{"id":1,"name":"Lamp"}],"next":"b"}"#)
                        : .json(#"{"items":[{"id":2,"name":"Chair"}]}"#).delayed(.seconds(2))
                }
            ])
        }

        static var offline: Shop {
            shop(["GET products": .failure(TransportError(.cannotConnect))])
        }

        static func shop(_ responses: StubResponses) -> Shop {
            Shop(URL(string: "https://shop.example")!, transport: StubTransport(responses))
        }
    }
}

struct PreviewTransport: Transport {
    let bodies: [String: String]  // by template

    func send(_ request: HTTPRequest, options: TransferOptions) async throws(TransportError) -> HTTPResponse {
        guard let body = bodies[options.template ?? ""] else { return HTTPResponse(status: 404) }
        return HTTPResponse(status: 200, body: HTTPBody(Data(body.utf8)))
    }
}

#if canImport(SwiftUI)
    import SwiftUI

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    private typealias ProductList = Page.ProductList

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    private typealias StoredProductList = Page.StoredProductList

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    private typealias ProductsView = Page.ProductsView

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    private typealias PreviewShop = Page.PreviewShop

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    extension Page {
        struct ProductsView: View {
            @State var list: ProductList

            var body: some View {
                List {
                    ForEach(list.products) { product in
                        Text(product.name)
                    }
                    if list.next != nil {
                        Button("Load more") {
                            Task { await list.loadMore() }
                        }
                        .task(id: list.next) { await list.loadMore() }
                    }
                }
                .task {
                    if list.products.isEmpty { await list.reload() }
                }
                .refreshable { await list.reload() }
                .alert("Products", isPresented: $list.hasFailed, presenting: list.failure) { _ in
                    Button("OK") {}
                } message: { error in
                    Text(error.localizedDescription)
                }
            }
        }
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    extension Page {
        struct StoredProductsView: View {
            @State var model: StoredProductList

            var body: some View {
                List(model.list.rows) { row in
                    Text(row.element.name)
                        .badge(model.list.states[row] == nil ? nil : Text("Not sent"))
                }
                .task(id: model.list.states) { await model.findRejected() }
                .alert("Not saved", isPresented: $model.needsDecision, presenting: model.rejected) { entry in
                    Button("Try again") {
                        Task { await model.retry(entry) }
                    }
                    Button("Discard", role: .destructive) {
                        Task { await model.discard(entry) }
                    }
                } message: { entry in
                    Text(entry.failure?.message ?? "The server has another version.")
                }
            }
        }
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    #Preview("Two pages") {
        ProductsView(list: ProductList(PreviewShop.twoPages))
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    #Preview("Offline") {
        ProductsView(list: ProductList(PreviewShop.offline))
    }
#endif

@MainActor
@Suite("SwiftUI.md")
struct SwiftUISamples {
    private nonisolated static let first = #"{"items":[{"id":1,"name":"Lamp"}],"next":"b"}"#
    private nonisolated static let second = #"{"items":[{"id":2,"name":"Chair"}]}"#

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test("A list loads page after page up to the last one, and starts over when it is reloaded")
    func paging() async {
        let list = Page.ProductList(
            Page.PreviewShop.shop(["GET products": .sequence([.json(Self.first), .json(Self.second)])])
        )
        await list.loadMore()
        #expect(list.products.isEmpty)

        await list.reload()
        #expect(list.products.map(\.name) == ["Lamp"])
        #expect(list.next != nil)

        await list.loadMore()
        #expect(list.products.map(\.name) == ["Lamp", "Chair"])
        #expect(list.next == nil)

        await list.reload()
        #expect(list.products.map(\.name) == ["Chair"])
        #expect(!list.hasFailed)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test("A page requested twice is added once")
    func twice() async {
        let stub = StubTransport { $0.query("after") == nil ? .json(Self.first) : .json(Self.second) }
        let list = Page.ProductList(Page.Shop(Sample.url, transport: stub))
        await list.reload()
        async let one: Void = list.loadMore()
        async let other: Void = list.loadMore()
        _ = await (one, other)
        #expect(list.products.map(\.id) == [1, 2])
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test("A page requested before a reload is not added to the reloaded list")
    func overtaken() async {
        let gate = Gate()
        let stub = StubTransport([
            "GET products": .sequence([
                .json(Self.first), .json(Self.second).held(by: gate),
                .json(#"{"items":[{"id":3,"name":"Table"}],"next":"c"}"#),
            ])
        ])
        let list = Page.ProductList(Page.Shop(Sample.url, transport: stub))
        await list.reload()
        let more = Task { await list.loadMore() }
        await stub.waitForRequests(count: 2)
        await list.reload()
        gate.open()
        await more.value
        #expect(list.products.map(\.name) == ["Table"])
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test("A failure keeps the list and stays until the alert is dismissed")
    func failure() async {
        let responses: StubResponses = ["GET products": .sequence([.json(Self.first), .status(503)])]
        let list = Page.ProductList(Page.PreviewShop.shop(responses))
        await list.reload()
        await list.loadMore()
        #expect(list.products.count == 1)
        #expect(list.next != nil)
        #expect(list.failure?.localizedDescription == "The server is not available. Try again later.")
        list.hasFailed = false
        #expect(list.failure == nil)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test("A cancelled task changes nothing and is not a failure")
    func cancellation() async {
        let stub = StubTransport { _ in .never }
        let list = Page.ProductList(Page.Shop(Sample.url, transport: stub))
        let task = Task { await list.reload() }
        await stub.waitForRequests(count: 1)
        task.cancel()
        await task.value
        #expect(list.products.isEmpty)
        #expect(!list.hasFailed)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test("A rename is pending until the server rejects it, and discarding it restores the server's row")
    func stored() async throws {
        let stub = StubTransport([
            "GET products": .json(#"{"items":[{"id":1,"name":"Lamp"}]}"#),
            "GET products/{}": .json(#"{"items":{"id":1,"name":"Lamp"}}"#),
            "PATCH products/{}": .status(422),
        ])
        let store = try await Store.inMemory(settings: StoreSettings(sendsAutomatically: false))
        let model = Page.StoredProductList(Page.Shop(Sample.url, transport: stub), in: store)
        try await store.synchronize()
        while model.list.rows.isEmpty { await Task.yield() }
        let row = try #require(model.list.rows.first)
        #expect(model.list.states[row] == nil)
        await model.rename(row.element, to: "Torch")
        while model.list.states[row] == nil { await Task.yield() }
        await model.findRejected()
        #expect(!model.needsDecision)
        try await store.synchronize()
        while model.list.states[row] == .pending { await Task.yield() }
        await model.findRejected()
        let entry = try #require(model.rejected)
        #expect(try entry.item.name == "Torch")
        #expect(entry.failure?.status == 422)
        await model.discard(entry)
        while model.list.states[row] != nil { await Task.yield() }
        await model.findRejected()
        #expect(!model.needsDecision)
        #expect(model.failure == nil)
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test("The preview stubs show a list with a second page and the sentence for a failure")
    func previews() async {
        let list = Page.ProductList(Page.PreviewShop.twoPages)
        await list.reload()
        #expect(list.products.map(\.name) == ["Lamp"])
        #expect(list.next != nil)
        let offline = Page.ProductList(Page.PreviewShop.offline)
        await offline.reload()
        #expect(offline.failure?.localizedDescription == "The server cannot be reached.")
    }

    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
    @Test("A custom transport serves a preview")
    nonisolated func ownTransport() async throws {
        let transport = PreviewTransport(bodies: ["products": #"{"items":[{"id":1,"name":"Lamp"}]}"#])
        let shop = Page.Shop(Sample.url, transport: transport)
        #expect(try await shop.products.list().map(\.name) == ["Lamp"])
        let error = await Sample.failure { try await shop.client.get("a", as: Int.self) }
        #expect(error?.status == 404)
    }
}
