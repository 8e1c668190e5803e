import CallSupport
import TestSupport
import Testing
import Waybill
import WaybillTesting

@Suite("Call names")
struct CallNameTests {
    private struct Wiki: API {
        let client: Client

        func call(_ name: String) -> Endpoint<Int> {
            endpoint {
                GET("api.php")
                Query("action", name)
                Call.Name("pages.\(name)")
            }
        }
    }

    @Test("A Call.Name replaces the path in errors, events and stub tables, and is not sent")
    func names() async throws {
        let events = Notes<String>()
        let stub = StubTransport(["GET pages.search": .json("7"), "GET pages.info": .status(404)])
        let wiki = Wiki(
            client: Client(Shop.url, transport: stub) { Observe { events.add($0.template) } }
        )
        #expect(try await wiki.call("search").send() == 7)
        let error = await failure { try await wiki.call("info").send() }
        #expect(error?.description.hasPrefix("GET pages.info failed: 404") == true)
        #expect(error?.description.contains("https://shop.example/v1/api.php?action=info") == true)
        #expect(Set(events.all) == ["pages.search", "pages.info"])
        #expect(stub.requests.map(\.path) == ["/v1/api.php", "/v1/api.php"])
        #expect(try wiki.call("search").template == "pages.search")
    }

    @Test("A Call.Name that is empty or contains a space is a declaration error", arguments: ["", "a b", "a\nb"])
    func rejectsDeclarations(_ name: String) {
        let endpoint: Endpoint<Void> = Shop().endpoint {
            GET("a")
            Call.Name(name)
        }
        #expect { try endpoint.plan() } throws: { "\($0)".contains("Call.Name(") }
    }
}
