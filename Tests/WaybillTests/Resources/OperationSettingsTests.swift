import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Operation settings before a call")
struct OperationSettingsTests {
    @Test("As in a plan, an outer problem does not apply to a status that the operation declares as success")
    func problemBelowSuccess() throws {
        let products: Resource<Product, ReadWrite> = Shop().resource("products") {
            Problem(String.self, on: [404, 422])
            On(.read) { Success(.success, 404) }
        }
        let settings = products.endpoints.context.settings(for: .read)[ProblemRules.self]
        let planned = try products.endpoints.read(7).plan().settings[ProblemRules.self]
        #expect([404, 422].map { settings?.mayApply(to: $0) } == [false, true])
        #expect([404, 422].map { planned?.mayApply(to: $0) } == [false, true])
    }

    @Test("As in a plan, a header field that replaces a credential removes it from the settings")
    func credentialReplaced() throws {
        let products: Resource<Product, ReadWrite> = Shop().resource("products") {
            Authorization(.bearer("outer"))
            On(.read) { Header(.authorization, "inner") }
        }
        let settings = products.endpoints.context.settings(for: .read)
        #expect(settings[Authorization.self]?.credentials.isEmpty ?? true)
        #expect(try products.endpoints.read(7).plan().credentials.isEmpty)
    }
}
