import Foundation
import TestSupport
import Testing
import Waybill
import WaybillTesting

@testable import WaybillStore

@Suite("Items whose ID is not the member `id`", .inTurn)
struct ComputedIDTests {
    private struct Invoice: Entity, Equatable {
        var id: Int { number }
        let number: Int
        var title: String

        struct Draft: RequestContent { var title: String }
    }

    private struct Visit: Entity, Equatable {
        let id: Int
        var title: String
        var begun: Int

        struct Draft: RequestContent { var title: String }
    }

    private struct Office: API {
        let client: Client

        var invoices: Resource<Invoice, ReadWrite> { resource("invoices") }
        var visits: Resource<Visit, ReadWrite> { resource("visits") }
    }

    /// A server that gives each item the number 40.
    private let office: Office

    init() {
        let item = Locked<JSONValue>([:])
        let transport = StubTransport { request in
            guard request.method == .post || request.method == .patch else {
                return .json("[\(item.withLock { $0 })]")
            }
            let given: JSONValue = request.path.hasPrefix("/invoices") ? ["number": 40] : ["id": 40, "begun": 1]
            let changes = try request.decode(JSONValue.self).applying(mergePatch: given)
            return .json(
                item.withLock { item in
                    item = item.applying(mergePatch: changes)
                    return item.description
                }
            )
        }
        office = Office(
            client: Client(URL(string: "https://shop.example") ?? URL(fileURLWithPath: "/"), transport: transport)
        )
    }

    /// Returns the reason why a draft cannot become an item.
    private func reason(_ create: () async throws -> Void) async -> String {
        do {
            try await create()
            return ""
        } catch {
            guard case .item(let failure)? = error as? StoreError else { return "\(error)" }
            return failure.reason
        }
    }

    @Test("If the ID is another member, the error suggests the clause that declares it, and the clause works")
    func declared() async throws {
        let store = try await Store.manual()
        let undeclared = store.collection(office.invoices)
        let reason = await reason { try await undeclared.create(.init(title: "Rent")) }
        #expect(reason.contains("Store.Identifier(\"number\")"))
        #expect(!reason.contains("create(draft)"))

        let other = try await Store.manual()
        let invoices = other.collection(office.invoices) { Store.Identifier("number") }
        let new = try await invoices.create(.init(title: "Rent"))
        #expect(new.number < 0)
        #expect(try await other.synchronize().waiting.isEmpty)
        #expect(try await invoices.read(new.id) == Invoice(number: 40, title: "Rent"))
    }

    @Test("An item that needs more than its draft can be created as the error suggests")
    func provisional() async throws {
        let store = try await Store.manual()
        let visits = store.collection(office.visits)
        let reason = await reason { try await visits.create(.init(title: "Rent")) }
        #expect(reason.contains("create(draft) { id in … }"))
        #expect(!reason.contains("Identifier"))
        let new = try await visits.create(.init(title: "Rent")) { Visit(id: $0, title: "Rent", begun: 0) }
        #expect(try await store.synchronize().waiting.isEmpty)
        #expect(try await visits.read(new.id) == Visit(id: 40, title: "Rent", begun: 1))
    }

    @Test("An item created by the app gets the server's ID from another member even without the clause")
    func undeclared() async throws {
        let store = try await Store.manual()
        let invoices = store.collection(office.invoices)
        let new = try await invoices.create(.init(title: "Rent")) { Invoice(number: $0, title: "Rent") }
        try await invoices.patch(new.id) { $0.title = "Heat" }
        #expect(try await store.synchronize().waiting.isEmpty)
        #expect(try await invoices.read(new.id)?.number == 40)
    }
}
