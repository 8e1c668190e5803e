import Foundation
import Testing
import Waybill
import WaybillTesting

extension Transport {
    /// Checks that a transport is none the worse: `GET fine` gets its answer.
    ///
    /// A limit of time may be too short for a machine under load, so it is asked for until it comes.
    ///
    /// - Parameter attempts: how often; to exceed the limit each time is no failure where it is too short for any.
    func expectWorks(_ server: LoopbackServer, attempts: Int = .max) async throws {
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

    /// The text that a request is answered with.
    @discardableResult
    func text(_ method: HTTPRequest.Method, _ url: URL, _ body: HTTPBody? = nil) async throws -> String {
        let response = try await send(HTTPRequest(method: method, url: url, body: body))
        return String(decoding: try await response.body.collect(), as: UTF8.self)
    }
}
