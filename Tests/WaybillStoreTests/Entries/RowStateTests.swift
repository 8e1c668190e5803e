import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@testable import WaybillStore

@Suite("States of rows with pending writes", .inTurn, .safetyNet)
struct RowStateTests {
    private typealias Products = StoredCollection<Product, ReadWrite>

    private static func open(
        _ server: ShopServer,
        _ rule: Store.Conflicts<Product>.Rule = .merge(clash: .mine)
    ) async throws -> (Store, Products) {
        let store = try await Store.manual()
        let products = store.collection(Shop(server.transport).products) { Store.Conflicts(rule) }
        try await store.synchronize()
        return (store, products)
    }

    @Test("A row is pending from its first write until the server has all of them")
    func pending() async throws {
        let server = ShopServer(products: [.product(1, "Lamp"), .product(2, "Rug")])
        let (store, products) = try await Self.open(server)
        #expect(try await products.state(of: 1) == nil)
        #expect(try await products.state(of: 7) == nil)
        #expect(try await products.states().values == [])
        try await products.patch(1) { $0.name = "Torch" }
        try await products.delete(2)
        #expect(try await products.state(of: 1) == .pending)
        #expect(try await products.state(of: 2) == .pending)
        let states = try await products.states()
        #expect(states.values == [.pending, .pending])
        #expect(states[1] == .pending)
        #expect(states[7] == nil)
        try await store.synchronize()
        #expect(try await products.state(of: 1) == nil)
        #expect(try await products.states() == StoredQuery.States())
    }

    @Test("A row shows whether its entry is rejected, of unknown effect, or in conflict")
    func attention() async throws {
        let server = ShopServer(products: [.product(1, "Lamp"), .product(2, "Rug"), .product(3, "Chair")])
        server.change { $0.hasTags = true }
        let (store, products) = try await Self.open(server, .ask)
        for id in 1...3 { _ = try await products.inStep.read(id) }
        try await products.patch(1) { $0.name = "Torch" }
        server.edit(1, ["name": "Candle"])
        try await store.synchronize()
        server.change { $0.faults = [.status(422)] }
        try await products.patch(2) { $0.name = "Carpet" }
        try await products.synchronize()
        server.change { $0.faults = [.lostResponse] }
        let new = try await products.create(.init(name: "Table"))
        try await products.synchronize()
        try await products.patch(new.id) { $0.price = 5 }
        try await products.patch(3) { $0.price = 5 }
        let states = try await products.states()
        #expect([states[1], states[2], states[3], states[new.id]] == [.conflict, .parked, .pending, .unknown])
        #expect(try await products.state(of: 1) == .conflict)
        #expect(try await products.state(of: 2) == .parked)
        #expect(try await products.state(of: 3) == .pending)
        #expect(try await products.state(of: new.id) == .unknown)
        #expect(states.values.filter(\.needsAttention).count == 3)
    }

    @Test("With several entries, a row shows the one that needs a decision, in any order")
    func severalEntries() {
        let ranks: [(DeliveryState.Phase, OutboxEntry.RowState)] = [
            (.waiting, .pending), (.parked, .parked), (.unknown, .unknown), (.conflict, .conflict),
        ]
        #expect(OutboxEntry.RowState([]) == nil)
        #expect(OutboxEntry.RowState([.sending]) == .pending)
        for (low, rank) in ranks.enumerated() {
            for higher in ranks[low...] {
                #expect(OutboxEntry.RowState([rank.0, higher.0]) == higher.1)
                #expect(OutboxEntry.RowState([higher.0, rank.0, .sending]) == higher.1)
            }
        }
    }

    @Test("A rejection changes no item, but both its start and its end are state changes")
    func observed() async throws {
        let server = ShopServer(products: [.product(1, "Lamp")])
        let (store, products) = try await Self.open(server)
        var changes = products.stateChanges.makeAsyncIterator()
        #expect(await changes.next()?[1] == .some(nil))
        try await products.patch(1) { $0.name = "Torch" }
        #expect(await changes.next()?[1] == .pending)
        // The item is read before it is changed.
        server.change { $0.faults = [.status(422)] }
        try await products.synchronize()
        #expect(await changes.next()?[1] == .parked)
        let entry = try #require(try await products.entries().first)
        try await store.outbox.discard(entry.id)
        #expect(await changes.next()?.values == [])
        await store.close()
        #expect(await changes.next() == nil)
    }

    @Test("A new row's state follows it to the server's ID")
    func renamed() async throws {
        let server = ShopServer()
        let gate = Gate()
        let arrived = Gate()
        let (store, products) = try await Self.open(server)
        let lamp = try await products.create(.init(name: "Lamp"))
        var rows = products.changes.makeAsyncIterator()
        guard case .rows(let first)? = await rows.next(), let row = first.first else {
            Issue.record("the first value has no rows")
            return
        }
        var changes = products.stateChanges.makeAsyncIterator()
        #expect(await changes.next()?[row] == .pending)
        server.change { $0.faults = [.held(gate, arrived: arrived)] }
        let task = Task { try await store.synchronize() }
        await arrived.waitUntilOpen()
        // The patch waits for the creation in flight.
        try await products.patch(lamp.id) { $0.name = "Torch" }
        server.change { $0.faults = [.status(503), .status(503), .status(503)] }
        gate.open()
        _ = try await task.value
        let states = await changes.next()
        #expect(states?[row] == .pending)
        #expect(states?[101] == .pending)
        #expect(states?[lamp.id] == .some(nil))
        #expect(try await products.state(of: lamp.id) == .pending)
        #expect(try await products.states() == states)
    }

    @Test("The observed states match the outbox after every step of random days")
    func randomDays() async throws {
        var seen: Set<OutboxEntry.RowState> = []
        // Retries race with the next steps, so a day can differ between runs, and four days may not reach every
        // state.
        for seed in 1...60 where seed <= 4 || seen.count < 4 {
            seen.formUnion(try await states(ofDay: UInt64(seed)))
        }
        #expect(seen == [.pending, .parked, .unknown, .conflict])
    }

    /// Follows the states of a random day, and returns the states seen.
    private func states(ofDay seed: UInt64) async throws -> Set<OutboxEntry.RowState> {
        let server = ShopServer(products: (1...6).map { .product($0, "Item \($0)") })
        server.change { $0.hasTags = true }
        let (store, products) = try await Self.open(server, .ask)
        var generator = StoreGenerator(seed: seed)
        var changes = products.stateChanges.makeAsyncIterator()
        var states = await changes.next()
        var seen: Set<OutboxEntry.RowState> = []
        for step in 1...Thoroughness.repetitions(150, otherwise: 25) {
            let product = try await products.elements().randomElement(using: &generator)
            let entry = try await store.outbox.entries().randomElement(using: &generator)
            switch Int.random(in: 0..<10, using: &generator) {
            case 0: _ = try await products.create(.init(name: "New"))
            case 1...3: if let product { try await products.patch(product.id) { $0.price += 1 } }
            case 4: if let product { try await products.delete(product.id) }
            case 5: if let product { server.edit(product.id, ["name": .integer(step)]) }
            case 6: if let entry { try? await store.outbox.discard(entry.id) }
            case 7: if let entry { try? await store.outbox.retry(entry.id) }
            default:
                let faults: [ShopServer.Fault] = [.status(422), .status(503), .lostResponse, .status(412)]
                let met = (0..<3).compactMap { _ in faults.randomElement(using: &generator) }
                server.change { $0.faults = Array(met.prefix(Int.random(in: 0...3, using: &generator))) }
                try await store.synchronize()
            }
            // A retry sends without a synchronization.
            while await !store.sender.requests.isEmpty { await store.sender.waitForRequestsInFlight() }
            let expected = try await products.states()
            seen.formUnion(expected.values)
            while states != expected, let next = await changes.next() { states = next }
            #expect(states == expected, "seed \(seed), after step \(step)")
            let open = Set(try await products.entries().map(\.entry.itemID))
            #expect(expected.values.count == open.count, "seed \(seed), after step \(step)")
        }
        return seen
    }

    @Test("Writes that commit while an observation begins are in its first states or follow them")
    func beginning() async throws {
        let server = ShopServer(products: (1...40).map { .product($0, "Item \($0)") })
        let (_, products) = try await Self.open(server)
        for id in 1...40 {
            async let patch = products.patch(id) { $0.price += 1 }
            var changes = products.stateChanges.makeAsyncIterator()
            var states = await changes.next()
            _ = try await patch
            while let known = states, known[id] == nil { states = await changes.next() }
            #expect(states?.values.count == id)
        }
    }

    @Test("The first states include every earlier change, and none is applied twice")
    func earlierChanges() async throws {
        let (store, products) = try await Self.open(ShopServer(products: [.product(1, "Lamp")]))
        let subscription = products.context.stateObservers.subscribe()
        try await products.patch(1) { $0.name = "Torch" }
        let first = try await products.context.states(in: store.core, before: subscription)
        #expect(first.values.map(\.state) == [.pending])
        #expect(subscription.take(after: 0).isEmpty)
        try await store.synchronize()
        #expect(subscription.take(after: 0).map { $0.item == nil } == [true])
    }

    @Test("States move with rows that move to another collection")
    func movedRows() async throws {
        let server = ShopServer()
        let (store, products) = try await Self.open(server)
        let shop = Shop(server.transport)
        let lamp = try await products.create(.init(name: "Lamp"))
        let reviews = store.collection(shop.reviews(of: lamp.id))
        _ = try await reviews.create(.init(product: lamp.id, stars: 5))
        let target = store.collection(shop.reviews(of: 101))
        #expect(try await target.states().values == [])
        server.change { $0.faults = [.lostResponse] }
        try await products.synchronize()
        let entry = try #require(try await products.entries().first)
        #expect(entry.state == .unknown)
        let subscription = target.context.stateObservers.subscribe()
        // Nothing is sent: moving the row is the only change.
        await store.sender.suspendUntilSignIn()
        try await products.confirm(entry.id, as: 101)
        #expect(subscription.take(after: 0).map { $0.item?.state } == [.pending])
        #expect(try await target.states().values == [.pending])
    }

    @Test("A damaged write has no state, and leaves the observed states when it is set aside")
    func damaged() async throws {
        let server = ShopServer(products: (1...3).map { .product($0, "Item \($0)") })
        let (store, products) = try await Self.open(server)
        for id in 1...3 { try await products.patch(id) { $0.price += 1 } }
        func damage(_ number: Int) async throws {
            try await store.core.commit { (write) throws(StoreError) in
                try write.connection.execute("UPDATE outbox SET state = 'sleeping' WHERE number = \(number)")
            }
        }
        try await damage(1)
        var changes = products.stateChanges.makeAsyncIterator()
        let states = await changes.next()
        #expect([states?[1], states?[2], states?[3]] == [.some(nil), .pending, .pending])
        #expect(try await store.damagedRecords().map(\.kind) == [.write])
        #expect(try await products.state(of: 1) == nil)
        try await damage(2)
        #expect(try await store.outbox.entries().count == 1)
        #expect(await changes.next()?.values == [.pending])
        #expect(try await store.damagedRecords().count == 2)
    }

    @Test("Observed states end when the store switches to another user")
    func otherUser() async throws {
        let server = ShopServer(products: [.product(1, "Lamp")])
        let store = try await Store.inMemory(user: "ada", settings: StoreSettings(sendsAutomatically: false))
        let products = store.collection(Shop(server.transport).products)
        try await store.synchronize()
        try await products.patch(1) { $0.name = "Torch" }
        var changes = products.stateChanges.makeAsyncIterator()
        #expect(await changes.next()?[1] == .pending)
        try await store.switchUser(to: "bob")
        #expect(await changes.next() == nil)
        await #expect(throws: StoreError.self) { try await products.states() }
        #expect(try await store.collection(Shop(server.transport).products).states().values == [])
    }

    @Test("Reading the states uses the indexes of pending rows and of a row's writes")
    func indexed() async throws {
        let (store, products) = try await Self.open(ShopServer(products: [.product(1, "Lamp")]))
        try await products.patch(1) { $0.name = "Torch" }
        let plans = try await store.core.read { (connection) throws(StoreError) -> [String] in
            let all = """
                SELECT id, state FROM rows JOIN outbox ON outbox.row = rows.number
                WHERE rows.collection = 1 AND rows.pending > 0
                """
            return try connection.query("EXPLAIN QUERY PLAN \(all)") { $0.text(3) }
        }
        #expect(plans.count == 2)
        #expect(plans.first?.contains("rows_pending") == true, "\(plans)")
        #expect(plans.last?.contains("outbox_by_row") == true, "\(plans)")
    }

    @Test("A commit does not read states if no task observes them")
    func unobserved() async throws {
        let (store, products) = try await Self.open(ShopServer(products: [.product(1, "Lamp")]))
        #expect(!products.context.stateObservers.isObserved)
        do {
            var changes = products.stateChanges.makeAsyncIterator()
            _ = await changes.next()
            #expect(products.context.stateObservers.isObserved)
            _ = changes
        }
        // Until its next transaction, the writer may retain the one that read the states.
        try await products.patch(1) { $0.name = "Torch" }
        #expect(!products.context.stateObservers.isObserved)
        await store.close()
    }

    @Test("A view's list loads its row states on first access, and then follows them")
    @available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
    @MainActor
    func view() async throws {
        let (store, products) = try await Self.open(ShopServer(products: [.product(1, "Lamp")]))
        let list = products.observed()
        while !list.isLoaded { await Task.yield() }
        #expect(!products.context.stateObservers.isObserved)
        #expect(list.states.values.isEmpty)
        try await products.patch(1) { $0.name = "Torch" }
        while list.states.values.isEmpty { await Task.yield() }
        let row = try #require(list.rows.first)
        #expect(list.states[row] == .pending)
        try await store.synchronize()
        while !list.states.values.isEmpty { await Task.yield() }
        #expect(list.states[row] == nil)
    }

    @Test("A singleton has typed entries and an observable state")
    func singleton() async throws {
        struct Profile: Representation, Equatable { var name: String }
        struct Account: API {
            let client: Client
            var profile: Singleton<Profile, ReadWrite> { singleton("profile") }
        }
        let stub = StubTransport([
            "GET profile": .sequence([
                .json(#"{"name":"Ada","plan":"free"}"#), .json(#"{"name":"Bob","plan":"free"}"#),
            ]),
            "PATCH profile": .json(#"{"name":"Carol","plan":"free"}"#),
        ])
        let store = try await Store.manual()
        let account = Account(client: Client(Shop(stub).client.url, transport: stub))
        let profile = store.singleton(account.profile, conflicts: Store.Conflicts(.ask))
        try await store.synchronize()
        var states = profile.states.makeAsyncIterator()
        #expect(await states.next() == .some(nil))
        try await profile.patch { $0.name = "Eve" }
        #expect(await states.next() == .pending)
        try await store.synchronize()
        #expect(await states.next() == .conflict)
        #expect(try await profile.state == .conflict)
        let entry = try #require(try await profile.entries().first)
        #expect(try entry.item == Profile(name: "Eve"))
        #expect(try entry.serverVersion == Profile(name: "Bob"))
        try await profile.resolve(entry.id, with: Profile(name: "Carol"))
        try await store.synchronize()
        #expect(try await profile.state == nil)
        #expect(try stub.requests.last { $0.method == .patch }?.decode(JSONValue.self) == ["name": "Carol"])
    }
}
