import Foundation
import Testing
import Waybill
import WaybillTesting

private struct Product: Entity {
    let id: Int
    var name: String
}

private struct Shop: API {
    let client = Client(Sample.url, transport: StubTransport([:])) {
        Style("house style") {
            Header("X-Client", "ios")
            Envelope("data")
        }
        Authorization(.bearer { "never asked for here" })
        Timeout(.seconds(10))
    }

    func search(_ text: String) -> Endpoint<[Product]> {
        endpoint {
            GET("products/search")
            Query("q", text)
            Query("api_key", "s3cret")
            Envelope("results", "items")
        }
    }
}

@Suite("Inspecting.md")
struct InspectingSamples {
    private let shop = Shop()

    @Test("The plan in Inspecting.md has the method and template of its call")
    func plan() throws {
        let search = shop.search("desk lamp")
        let plan = try search.plan()
        print(plan.method, plan.template, plan.url, plan.headerFields, plan.settings)

        #expect(plan.method == .get)
        #expect(plan.template == "products/search")
    }

    @Test("The curl command of a call matches Inspecting.md")
    func curl() throws {
        #expect(
            try shop.search("desk lamp").curl() == #"""
                curl --request GET 'https://shop.example/products/search?q=desk%20lamp&api_key=‹redacted›' \
                  --header 'Accept: application/json' \
                  --header 'X-Client: ios' \
                  --header 'Authorization: Bearer ‹fetched when sent›'
                """#
        )
    }

    @Test("The explanation of a call matches Inspecting.md")
    func explanation() throws {
        #expect(
            try shop.search("desk lamp").explanation == """
                GET products/search                endpoint
                  https://shop.example/products/search?q=desk%20lamp&api_key=‹redacted›
                  Query q: desk lamp               endpoint
                  Query api_key: ‹redacted›        endpoint
                  Header Accept: application/json  Waybill
                  Header X-Client: ios             house style
                  BodyLimits: 100000000 bytes      Waybill
                  Envelope: results.items          endpoint, before house style: data
                  Authorization: Bearer            client
                  Timeout: 10 s                    client
                """
        )
    }

    @Test("Inspecting.md lists the usual secret names, and declared names are secret too")
    func secrets() throws {
        let text = try Repository.page("Documentation/Test/Inspecting.md").text
        let list = text.components(separatedBy: "## Secrets")[1].lowercased()
        let folded = { (text: String) in text.lowercased().filter { $0 != "_" && $0 != "-" } }
        for name in SecretNameSet.usual.names {
            #expect(folded(list).contains("`\(name)`"), "\(name)")
            // Long enough for the names whose values are secret only if they are tokens.
            let token = "s3cret-s3cret-s3cret"
            let endpoint: Endpoint<Int> = shop.endpoint {
                POST("a")
                Query(name, token)
                Body([name: token])
            }
            #expect(try !endpoint.curl().contains("s3cret"), "\(name)")
        }
        let named: Endpoint<Int> = shop.endpoint {
            POST("a")
            Secret("iban")
            Query("IBAN", "s3cret")
            Header("X-Key", "s3cret", secret: true)
            Secret(body: "params", 2)
            Body(["params": ["a", "b", "s3cret"]])
        }
        #expect(try !named.curl().contains("s3cret"))
    }
}
