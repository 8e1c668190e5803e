import CallSupport

#if os(Linux)
    import Foundation
    import Testing
    import Waybill
    import WaybillCurl

    extension Transport {
        /// Sends a GET request, and returns the response and its complete body.
        func get(_ url: URL) async throws -> (response: HTTPResponse, text: String) {
            let response = try await send(HTTPRequest(method: .get, url: url))
            return (response, String(decoding: try await response.body.collect(), as: UTF8.self))
        }

        /// Sends a GET request, and returns its error.
        func failure(_ url: URL) async -> TransportError? {
            await #expect(throws: TransportError.self) { try await get(url) }
        }
    }

    extension CurlTransport.Configuration {
        /// Returns a modified default configuration without a proxy.
        static func with(_ change: (inout Self) throws -> Void) rethrows -> Self {
            var configuration = Self()
            configuration.proxy = .none
            try change(&configuration)
            return configuration
        }
    }
#endif
