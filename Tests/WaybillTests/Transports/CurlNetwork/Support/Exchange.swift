#if os(Linux)
    import Foundation
    import Testing
    import Waybill

    extension Transport {
        /// The response to a GET, with all of its body.
        func get(_ url: URL) async throws -> (response: HTTPResponse, text: String) {
            let response = try await send(HTTPRequest(method: .get, url: url))
            return (response, String(decoding: try await response.body.collect(), as: UTF8.self))
        }

        /// The error in which a GET ends.
        func failure(_ url: URL) async -> TransportError? {
            await #expect(throws: TransportError.self) { try await get(url) }
        }
    }

    extension CurlTransport.Configuration {
        /// The usual configuration, changed.
        static func with(_ change: (inout Self) throws -> Void) rethrows -> Self {
            var configuration = Self()
            configuration.proxy = .none
            try change(&configuration)
            return configuration
        }
    }
#endif
