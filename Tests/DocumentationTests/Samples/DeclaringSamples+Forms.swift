import Foundation
import Testing
import Waybill
import WaybillTesting

@Suite("Forms in Declaring.md")
struct FormSamples {
    private struct Order: RequestContent {
        var lines = [["sku": "a"]]
        var placedOn = Date(timeIntervalSince1970: 0)
    }

    @Test("The styles in Declaring.md produce the shown queries and forms")
    func styles() throws {
        let order = Order()
        let filter = ["placedOn": order.placedOn]
        let endpoint: Endpoint<Void> = Client(Sample.url, transport: StubTransport([:])).endpoint {
            POST("a")

            Query(filter, dates: .day, keys: .convertToSnakeCase)
            Body(formEncoding: order, arrays: .indexed)  // lines[0][sku]=a
            Body.Format(as: .form(arrays: .brackets, nulls: .text("null")))
        }
        #expect(try endpoint.url.query(percentEncoded: false) == "placedOn=1970-01-01")
        let body = String(decoding: try endpoint.body ?? Data(), as: UTF8.self)
        #expect(body.removingPercentEncoding == "lines[0][sku]=a&placedOn=1970-01-01T00:00:00Z")
    }
}
