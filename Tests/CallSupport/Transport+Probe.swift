import Foundation
import Testing
import Waybill
import WaybillTesting

extension Transport {
    /// Checks that a transport still works: `GET fine` must get its response.
    ///
    /// A time limit may be too short on a machine under load, so the request is repeated.
    ///
    /// - Parameter attempts: the maximum number of requests; it is not a failure if all of them time out.
    package func expectWorks(_ server: LoopbackServer, attempts: Int = .max) async throws {
        let request = HTTPRequest(method: .get, url: server.url.appending(path: "fine"))
        for _ in 0..<attempts {
            do {
                let body = try await send(request).body.collect()
                return #expect(body == Data("fine".utf8))
            } catch {
                guard error.kind == .timedOut else { throw error }
            }
        }
    }

    /// Returns the text of the response to a request.
    @discardableResult
    package func text(_ method: HTTPRequest.Method, _ url: URL, _ body: HTTPBody? = nil) async throws -> String {
        let response = try await send(HTTPRequest(method: method, url: url, body: body))
        return String(decoding: try await response.body.collect(), as: UTF8.self)
    }
}
