import Foundation
import Testing
import Waybill
import WaybillLimits
import WaybillStore
import WaybillTesting

private nonisolated struct Product: Decodable, Sendable { let name: String }

@Suite("Connectivity.md")
struct ConnectivitySamples {
    private let url = Sample.url

    @MainActor
    private final class Banner {
        var isHidden = true
    }

    @Test("The client and the banner in Connectivity.md compile")
    func clause() {
        let client = Client(url) {
            WaitsForConnectivity(maximumWait: .seconds(60))
            Retry()
        }
        #expect(client.url == url)

        @MainActor
        func show(_ banner: Banner) async {
            for await isConnected in NetworkMonitor.system.changes {
                banner.isHidden = isConnected
            }
        }
    }

    @Test("The store in Connectivity.md opens with a network monitor")
    func store() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "connectivity-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try await Store(at: folder, settings: StoreSettings(network: .system))
        #expect(store.status == .idle)
        await store.close()
    }

    @Test("A test can control the network state")
    func testing() async throws {
        let stub = StubTransport(["GET products/7": .json(#"{"name": "Lamp"}"#)])
        let network = NetworkMonitor(isConnected: false)
        let client = Client(url, transport: stub) {
            WaitsForConnectivity(maximumWait: .seconds(60), by: network)
        }
        async let product = client.get("products/7", as: Product.self)
        network.update(isConnected: true)
        #expect(try await product.name == "Lamp")
    }
}
