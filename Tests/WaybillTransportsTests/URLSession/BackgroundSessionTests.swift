import Foundation
import TestSupport
import Testing
import Waybill
import WaybillURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("URLSessionTransport: background configurations", .inTurn)
struct BackgroundSessionTests {
    private var background: URLSessionConfiguration {
        #if canImport(FoundationNetworking)
            // Linux has no background sessions, but a configuration can still have an identifier.
            let configuration = URLSessionConfiguration.default
            configuration.identifier = "shop"
            return configuration
        #else
            return .background(withIdentifier: "shop")
        #endif
    }

    @Test("A request with a background configuration fails with a reason")
    func rejected() async throws {
        let transport = URLSessionTransport(configuration: background)
        let url = try #require(URL(string: "http://waybill.invalid/"))
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(HTTPRequest(method: .get, url: url))
        }
        #expect(
            error?.description == """
                the transport is not available: a background session ("shop") only uploads and downloads files; use \
                URLSessionTransport.defaultConfiguration
                """
        )
    }
}
