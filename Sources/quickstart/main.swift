import Foundation
import Waybill
import WaybillDescription
import WaybillTesting

// Starts a shop's server on this machine and tours its API with Waybill.
//
// Shop.swift         the declaration of the API: start here
// Walkthrough.swift  the calls
// ShopServer.swift   the server
//
// With --openapi, prints the shop's OpenAPI document and exits.

let console = Console.standardOutput

do {
    if CommandLine.arguments.dropFirst() == ["--openapi"], let url = URL(string: "https://shop.example") {
        let document = try Shop(url, token: ShopServer.token).openAPI(title: "Shop", version: "1")
        FileHandle.standardOutput.write(Data(document.text.utf8))
        exit(0)
    }
    try await LoopbackServer.run(ShopServer().responses) { server in
        console.note("A shop serves \(server.url). Below: > what is sent, < received, = returned, ! thrown.")
        let network = InterruptibleTransport()
        let shop = Shop(
            server.url,
            token: ShopServer.token,
            transport: network,
            middleware: PrintExchanges(console: console)
        )
        try await Walkthrough(shop: shop, network: network, console: console).run()
    }
    console.note("\nEvery step did what it should. Next: Sources/quickstart/Shop.swift")
} catch {
    console.error("The walkthrough stops here: \(error)")
    exit(1)
}
