import CallSupport
import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("The settings of an operation, before there is a call")
struct OperationSettingsTests {
    @Test("A problem of an outer scope does not apply to a status that an operation makes a success, as in the plan")
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

    @Test("A header field in place of a credential removes it from the settings, as in the plan")
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
