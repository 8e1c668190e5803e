import Foundation
import Waybill
import WaybillTesting

// Starts a shop's server on this machine and walks through its API with Waybill.
//
// Shop.swift         how the API is declared: read this one first
// Walkthrough.swift  how it is called
// ShopServer.swift   the other side of the wire

let console = Console.standardOutput

do {
    try await LoopbackServer.run(ShopServer().answers) { server in
        console.note("A shop serves \(server.url). Below: > what is sent, < received, = returned, ! thrown.")
        let shop = Shop(server.url, token: ShopServer.token, middleware: PrintExchanges(console: console))
        try await Walkthrough(shop: shop, console: console).run()
    }
    console.note("\nEvery step did what it should. Next: Sources/quickstart/Shop.swift")
} catch {
    console.error("The walkthrough stops here: \(error)")
    exit(1)
}
