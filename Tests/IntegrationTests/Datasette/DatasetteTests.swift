import Foundation
import Testing
import Waybill

@Suite("Datasette", .running(.datasette))
struct DatasetteTests {
    typealias Item = DatasetteAPI.Item

    /// A token for the user root, signed with the server's secret.
    static let token =
        ProcessInfo.processInfo.environment["WAYBILL_DATASETTE_TOKEN"]
        ?? "dstok_eyJhIjoicm9vdCIsInQiOjB9.CPo62TfUoNJs6gn7L4N7eVdBnmg"

    /// The names of the seeded rows.
    ///
    /// Other tests add and remove rows after them.
    static let seeds = (1...250).map { "item " + ("00" + "\($0)").suffix(3) }

    @Test("Datasette's tokens, URLs and links visit every row once", arguments: TransportUnderTest.all)
    func paging(over transport: TransportUnderTest) async throws {
        let api = DatasetteAPI(over: transport)
        #expect(try await api.items.all.collect(upTo: 250).map(\.name) == Self.seeds)
        #expect(try await api.linkedItems(pageSize: 60).all.collect().map(\.name) == Self.seeds)
        #expect(try await api.plainItems(pageSize: 125).all.collect().map(\.name) == Self.seeds)
        #expect(try await api.plainItems(pageSize: 50).all(readAhead: 2).collect().map(\.name) == Self.seeds)
    }

    @Test("A Datasette token with a comma continues a sorted list", arguments: TransportUnderTest.all)
    func compoundTokens(over transport: TransportUnderTest) async throws {
        let search = DatasetteAPI(over: transport).search(tags: ["a", "b"], orderedBy: "tag", pageSize: 40)
        let first = try await search.page()
        #expect(first.items.count == 40)
        #expect(first.next?.request.query["_next"]?.contains(",") == true)
        let items = try await search.all.collect()
        let expected = (1...250).filter { $0 % 3 == 0 } + (1...250).filter { $0 % 3 == 1 }
        #expect(items.map(\.id) == expected)
    }

    @Test("A Datasette page has the total count", arguments: TransportUnderTest.all)
    func total(over transport: TransportUnderTest) async throws {
        let page = try await DatasetteAPI(over: transport).items.page()
        #expect(page.items.count == 100)
        #expect((page.total ?? 0) >= 250)
    }

    @Test("A Datasette row is read from a list of one", arguments: TransportUnderTest.all)
    func reading(over transport: TransportUnderTest) async throws {
        let item = try await DatasetteAPI(over: transport).items.read(7)
        #expect(item == Item(id: 7, name: "item 007", price: 10.5, tag: "b"))
    }

    @Test("A Datasette row is inserted, changed and deleted", arguments: TransportUnderTest.all)
    func lifeOfARow(over transport: TransportUnderTest) async throws {
        let api = DatasetteAPI(writingOver: transport)
        let name = uniqueName()
        try await withTemporary(Item.Draft(name: name, price: 12.5), in: api.items) { item in
            #expect(item.name == name)
            #expect(item.price == 12.5)
            #expect(item.tag == nil)
            #expect(try await api.items.read(item.id) == item)

            let free = try await api.update(item.id, .init(price: .null)).send()
            #expect(free == Item(id: item.id, name: name, price: nil, tag: nil))
            #expect(try await api.items.refresh(item) == free)
            #expect(try await api.items(named: name).send() == [free])
        }
        #expect(try await api.items(named: name).send().isEmpty)
    }

    @Test("A missing Datasette row fails with a typed problem", arguments: TransportUnderTest.all)
    func missing(over transport: TransportUnderTest) async throws {
        let items = DatasetteAPI(writingOver: transport).items
        let reading = try await failure { try await items.read(1_000_000) }
        #expect(reading.isNotFound)
        #expect(reading.problem(as: DatasetteProblem.self)?.error == "Row not found")
        let deletion = try await failure { try await items.delete(1_000_000) }
        #expect(deletion.isNotFound)
        #expect(deletion.problem(as: DatasetteProblem.self)?.error.hasPrefix("Record not found") == true)
    }

    @Test("Several Datasette rows are inserted in one request", arguments: TransportUnderTest.all)
    func batch(over transport: TransportUnderTest) async throws {
        let api = DatasetteAPI(writingOver: transport)
        let names = [uniqueName(), uniqueName(), uniqueName()]
        let rows = try await api.insert(names.map { Item.Draft(name: $0) }).send()
        #expect(rows.map(\.name) == names)
        for row in rows { try await api.items.delete(row.id) }

        let taken = [Item.Draft(name: uniqueName()), Item.Draft(name: "item 001")]
        let failure = try await statusFailure(api.insert(taken).send)
        #expect(failure.status == 400)
    }

    @Test("A row that violates a Datasette constraint fails with a typed problem", arguments: TransportUnderTest.all)
    func constraint(over transport: TransportUnderTest) async throws {
        let items = DatasetteAPI(writingOver: transport).items
        let failure = try await statusFailure { try await items.create(.init(name: "item 001")) }
        #expect(failure.status == 400)
        #expect(
            failure.problem(as: DatasetteProblem.self)?.errors == ["UNIQUE constraint failed: item.name"]
        )
    }

    @Test("Writing to Datasette without a token is forbidden", arguments: TransportUnderTest.all)
    func forbidden(over transport: TransportUnderTest) async throws {
        let items = DatasetteAPI(over: transport).items
        let failure = try await statusFailure { try await items.create(.init(name: uniqueName())) }
        #expect(failure.status == 403)
        #expect(failure.problem(as: DatasetteProblem.self)?.error == "Permission denied")
    }

    @Test("An invalid Datasette query fails with a typed problem", arguments: TransportUnderTest.all)
    func badQuery(over transport: TransportUnderTest) async throws {
        let search = DatasetteAPI(over: transport).search(tags: [], orderedBy: "colour", pageSize: 10)
        let failure = try await statusFailure(search.send)
        #expect(failure.status == 400)
        #expect(failure.problem(as: DatasetteProblem.self)?.error == "Cannot sort table by colour")
        #expect(failure.problem(as: DatasetteProblem.self)?.status == 400)
    }

    @Test("A Datasette response that is not JSON is returned as bytes", arguments: TransportUnderTest.all)
    func lines(over transport: TransportUnderTest) async throws {
        let data = try await DatasetteAPI(over: transport).lines(count: 3).send()
        let items = try data.split(separator: UInt8(ascii: "\n")).map {
            try JSONDecoder().decode(Item.self, from: $0)
        }
        #expect(items.map(\.id) == [1, 2, 3])
    }
}

extension DatasetteAPI {
    init(over transport: TransportUnderTest) { self.init(Server.datasette.url, transport: transport.transport) }

    init(writingOver transport: TransportUnderTest) {
        self.init(Server.datasette.url, token: DatasetteTests.token, transport: transport.transport)
    }
}
