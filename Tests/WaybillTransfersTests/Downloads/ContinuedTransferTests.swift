import CallSupport
import Foundation
import TestSupport
import Testing
@testable import WaybillLimits
import WaybillTesting
@testable import WaybillTransfers

@testable import Waybill

@Suite("Transfers waiting for a network", .inTurn, .safetyNet)
struct ContinuedTransferTests {
    private let network = NetworkMonitor(isConnected: true)

    /// The transport of a server on this machine under another host name, because calls to localhost do not wait.
    private struct RenamedTransport: Transport {
        static let name = "http://files.example"

        let base: any Transport
        let server: URL
        let network: NetworkMonitor

        func send(_ request: HTTPRequest, options: TransferOptions) async throws(TransportError) -> HTTPResponse {
            var renamed = request
            let text = request.url.absoluteString.replacingOccurrences(of: Self.name, with: server.absoluteString)
            guard let url = URL(string: text) else { throw TransportError(.unsupportedRequest) }
            renamed.url = url
            do throws(TransportError) {
                var response = try await base.send(renamed, options: options)
                response.url = request.url
                if let location = response.headerFields[.location] {
                    response.headerFields[.location] =
                        location.replacingOccurrences(of: server.absoluteString, with: Self.name)
                }
                return response
            } catch {
                // Simulates a system that notices the loss before the call fails.
                network.update(isConnected: false)
                throw error
            }
        }
    }

    private func client(_ server: URL) throws -> Client {
        let transport = RenamedTransport(base: try Carrier.allCases[0].transport(), server: server, network: network)
        let network = network
        return Client(try #require(URL(string: RenamedTransport.name)), transport: transport) {
            WaitsForConnectivity(maximumWait: .seconds(600), by: network)
        }
    }

    @Test("A download interrupted by a network loss continues when the network returns, even without Retry")
    func download() async throws {
        let folder = try DownloadFolder()
        let served = ServedFile()
        let network = network
        let responses: StubResponses = [
            "GET files/{}": .response { request in
                let response = served.response(to: request)
                guard request.headerFields[.range] == nil else { return response }
                network.update(isConnected: false)
                return response.truncated(afterBytes: 700_000)
            }
        ]
        try await LoopbackServer.run(responses) { server async throws in
            let endpoint = FileAPI(client: try client(server.url)).file()
            let call = Task { try await endpoint.download(to: folder.file) }
            await waitUntil { network.waitingCount == 1 }
            network.update(isConnected: true)
            _ = try await call.value
            #expect(try Data(contentsOf: folder.file) == served.bytes)
            #expect(server.requests.map { $0.headerFields[.range] != nil } == [false, true])
        }
    }

    @Test("A resumable POST upload interrupted by a network loss continues when the network returns, without Retry")
    func upload() async throws {
        let bytes = Data.sample(count: 1_000_000)
        let server = try UploadServer("tus", ["PATCH 1": .breaks(after: 65_536)])
        let endpoint = UploadAPI(client: try client(server.url)).upload(.seekable(bytes), by: Resumable(.tus))
        let call = Task { try await endpoint.send() }
        await waitUntil { network.waitingCount == 1 }
        network.update(isConnected: true)
        _ = try await call.value
        #expect(server.uploads.map(\.bytes) == [bytes])
        #expect(server.exchanges.filter { $0.method == "POST" }.count == 1)
        #expect(server.exchanges.last?.text == "PATCH 65536")
    }
}
