import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Problem(on:equivalentTo:)")
struct EquivalentStatusTests {
    private struct Fault: Decodable, Sendable { let code: String }

    private func error(
        _ response: StubResponse,
        @Scope.Builder _ clauses: () -> Scope
    ) async -> APIError? {
        let stub = StubTransport(["PUT products/{}": .response(response)])
        let products: Resource<Product, ReadWrite> = Shop(stub).resource("products", clauses)
        return await failure { () async throws(APIError) in try await products.update(Product(id: 7, name: "Lamp")) }
    }

    @Test("A 409 declared equivalent to 412 is a lost update with any body", arguments: ["", "busy", #"{"code":"x"}"#])
    func lostUpdate(body: String) async throws {
        let response = StubResponse.text(body, status: 409)
        let error = await error(response) { Problem(on: 409, equivalentTo: 412) }
        #expect(error?.status == 409)
        #expect(try #require(error?.lostUpdate).isConditionMissing == false)
        #expect(error?.localizedDescription.hasPrefix("This was changed in the meantime.") == true)
        let plain = await self.error(response) { Scope() }
        #expect(plain?.lostUpdate == nil)
    }

    @Test("A typed problem with an equivalent status takes precedence over a status rule; one without it does not")
    func typed() async {
        let response = StubResponse.json(#"{"code":"gone"}"#, status: 409)
        for (code, isNotFound) in [("gone", true), ("other", false)] {
            let error = await error(response) {
                Problem(on: 409, equivalentTo: 412)
                Problem(Fault.self, equivalentTo: { $0.code == code ? 404 : nil })
            }
            #expect(error?.isNotFound == isNotFound)
            #expect((error?.lostUpdate == nil) == isNotFound)
            #expect(error?.problem(as: Fault.self)?.code == "gone")
        }
    }

    @Test("The innermost scope wins, other statuses are unaffected, and Problem.none removes the declaration")
    func scopes() async {
        let conflict = StubResponse.status(409)
        let inner = await error(conflict) {
            Problem(on: 409, equivalentTo: 412)
            On(.update) { Problem(on: 409, equivalentTo: 404) }
        }
        #expect(inner?.isNotFound == true)
        let other = await error(.status(403)) { Problem(on: 409, equivalentTo: 412) }
        #expect(other?.lostUpdate == nil)
        let none = await error(conflict) {
            Problem(on: 409, equivalentTo: 412)
            On(.update) { Problem.none }
        }
        #expect(none?.lostUpdate == nil)
        let success = await error(conflict) {
            Problem(on: 409, equivalentTo: 412)
            WriteResult(.sent)
            Success([200, 409])
        }
        #expect(success == nil)
    }

    @Test("An equivalent status for a success without a problem type is a declaration error")
    func success() async {
        let error = await error(.status(200)) { Problem(on: 200, equivalentTo: 404) }
        #expect(error?.description.contains("Problem(on 200, equivalent to 404): a success is not a failure") == true)
        #expect(error?.status == nil)
    }

    @Test("An explanation shows the equivalent status")
    func explanation() throws {
        let endpoint: Endpoint<Void> = Shop().endpoint {
            GET("x")
            Problem(on: 409, equivalentTo: 412)
        }
        #expect(try endpoint.explanation.contains("on 409, equivalent to 412"))
    }
}
