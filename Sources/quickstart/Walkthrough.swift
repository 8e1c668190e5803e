import Foundation
import Waybill
import WaybillStore
import WaybillTesting
import WaybillTransfers

/// A tour of the shop: each step is a few lines of Swift, printed along with its requests and responses.
struct Walkthrough: Sendable {
    let shop: Shop
    let network: InterruptibleTransport
    let console: Console

    /// Runs every step.
    ///
    /// - Throws: the error of a step that must succeed, or ``Unexpected`` if a step has an unexpected result.
    func run() async throws {
        let lamp = try await changeOneProduct()
        try await uploadAPhoto(of: lamp)
        try await readManyProducts()
        try await readAndChangeTheProfile()
        try await meetErrors()
        try await delete(lamp)
        try await writeOffline()
        try await inspect()
        try await callAMock()
    }

    private func changeOneProduct() async throws -> Product {
        let created = try await step("Create") {
            try await shop.products.create(Product.Draft(name: "Desk lamp", price: 30))
        }
        try expect(created.name == "Desk lamp", "the new product has the name of its draft")

        var lamp = try await step("Read") {
            try await shop.products.read(created.id)
        }
        try expect(lamp == created, "the product that was read is the one that was created")

        lamp = try await step("Update: PUT sends the whole product") {
            lamp.stock = 8
            return try await shop.products.update(lamp)
        }
        try expect(lamp.stock == 8, "the stock is updated")

        lamp = try await step("Patch: PATCH sends what differs") {
            var cheaper = lamp
            cheaper.price = 24.5
            return try await shop.products.patch(from: lamp, to: cheaper)
        }
        try expect(lamp.price == 24.5 && lamp.stock == 8, "the patch changes the price and nothing else")
        return lamp
    }

    private func uploadAPhoto(of lamp: Product) async throws {
        let photo = Data(repeating: 0xFF, count: 300_000)
        let (uploaded, progress) = try await step("Upload a photo, and follow its progress") {
            let control = TransferControl()
            async let uploaded = shop.addPhoto(photo, of: lamp.id).send(controlledBy: control)
            var last: TransferControl.Progress?
            for await progress in control.progress { last = progress }
            return (try await uploaded, last)
        } showing: { uploaded, progress in
            "\(uploaded.bytes) bytes received, \(progress?.bytesSent ?? 0) of \(progress?.bytesExpectedToSend ?? 0) sent"
        }
        try expect(uploaded.bytes == progress?.bytesSent, "the server has received what was sent")
    }

    private func readManyProducts() async throws {
        let first = try await step("One page") {
            try await shop.products.page()
        } showing: { page in
            "\(page.items.map(\.name)) of \(page.total ?? 0) products; page.next is a cursor to keep"
        }
        try expect(first.items.count == 3 && first.total == 6, "the first page has 3 of 6 products")

        guard let kept = first.next else { return try expect(false, "the first page leads to a second") }
        let second = try await step("The page at a saved cursor") {
            try await shop.products.page(at: kept)
        } showing: { page in
            "\(page.items.map(\.name)) on page \(page.number)"
        }
        try expect(second.items.count == 3 && !second.hasMore, "the second page has the other 3")

        let names = try await step("All pages, each fetched when the loop reaches it") {
            var names: [String] = []
            for try await product in shop.products.all { names.append(product.name) }
            return names
        }
        try expect(names == (first.items + second.items).map(\.name), "the loop goes through both pages")

        let streamed = try await step("The same products, streamed while their page is arriving") {
            var names: [String] = []
            for try await product in shop.products.all(streaming: true) { names.append(product.name) }
            return names
        }
        try expect(streamed == names, "the products are the same when they are streamed")

        let response = try await step("The whole response: the value, and the metadata next to it") {
            try await shop.search("lamp", below: 70).response()
        } showing: { response in
            "\(response.value.map(\.name)) and \(response.metadata(SearchSummary.self).map { "\($0)" } ?? "nothing")"
        }
        try expect(
            response.metadata(SearchSummary.self)?.matches == response.value.count,
            "the summary counts the lamps"
        )

        let reviews = try await step("A subresource: the reviews of a product") {
            try await shop.reviews(of: 1).list()
        } showing: { reviews in
            "\(reviews.map(\.text))"
        }
        try expect(reviews.first?.stars == 5, "the floor lamp has five stars")
    }

    private func readAndChangeTheProfile() async throws {
        let profile = try await step("A singleton resource: the profile") {
            try await shop.profile.read()
        }
        let moved = try await step("Patch it with a dedicated patch type") {
            try await shop.profile.patch(Profile.Patch(city: "Paris"))
        }
        try expect(moved.city == "Paris" && moved.name == profile.name, "the patch changes the city and nothing else")
    }

    private func meetErrors() async throws {
        let rejected = try await failure("A failure with a typed problem: error.problem(as: ShopProblem.self)") {
            try await shop.products.create(Product.Draft(name: "", price: -1))
        }
        let fields = rejected.problem(as: ShopProblem.self)?.errors?.map(\.field)
        try expect(fields == ["name", "price"], "the problem names both fields")

        let unreadable = try await failure("An unreadable body, in an undeclared call") {
            try await shop.client.get("offers", as: [Product].self)
        }
        guard case .decoding = unreadable else { throw Unexpected("decoding the offers fails") }
    }

    private func delete(_ lamp: Product) async throws {
        try await step("Delete") {
            try await shop.products.delete(lamp.id)
        }
        let gone = try await failure("Read it again: error.isNotFound") {
            try await shop.products.read(lamp.id)
        }
        try expect(gone.isNotFound, "what was deleted is not found")
    }

    private func writeOffline() async throws {
        let store = try await Store.inMemory(settings: StoreSettings(sendsAutomatically: false))
        let products = store.collection(shop.products)
        network.interrupt()
        let chair = try await step("Offline: a new product is on the device, with a temporary id") {
            try await products.create(Product.Draft(name: "Chair", price: 35)) { id in
                Product(id: id, name: "Chair", price: 35, stock: 0)
            }
        }
        try await step("A change to it is merged into the pending create") {
            try await products.patch(chair.id) { $0.price = 40 }
        }
        network.restore()
        let report = try await step("Online: pending writes are sent, and the server's changes are fetched") {
            try await store.synchronize()
        } showing: { report in
            "\(report.sent) sent, \(report.waiting.count) waiting, \(report.collections.map(\.changed)) fetched"
        }
        try expect(report.isComplete, "nothing waits, and nothing failed")

        let stored = try await step("The same product from the device, with its server-assigned id") {
            try await products.read(chair.id)
        } showing: {
            $0.map { "\($0)" } ?? "nothing"
        }
        try expect(stored?.price == 40, "the product has its change")
        await store.close()
    }

    private func callAMock() async throws {
        let names = try await step("A mock of the shop, from its declaration alone") {
            let mock = try MockServer(shop) { Seeds([Product(id: 1, name: "Rug", price: 80, stock: 2)]) }
            let products = Shop(mock.url, token: "any").products
            try await products.create(Product.Draft(name: "Chair", price: 35))
            return try await products.list().map(\.name)
        }
        try expect(names == ["Rug", "Chair"], "the mock has its seed and what was created")
    }

    private func inspect() async throws {
        let curl = try await step("A request as curl, not sent") {
            try shop.search("desk lamp", below: 50).curl()
        }
        try expect(!curl.contains(ShopServer.token), "the curl command keeps the token secret")

        let explanation = try await step("The same request explained: what it contains, and which scope declares it") {
            try shop.search("desk lamp", below: 50).explanation
        }
        try expect(explanation.contains("before client: data"), "the explanation shows the client's envelope too")
    }
}
