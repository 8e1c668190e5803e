import Foundation
import Waybill

/// The small exchange that is repeated: a `GET` whose response is a few hundred bytes of JSON.
struct Exchange: Sendable {
    /// The server's response.
    static let body = Data(
        """
        {"data":{"id":7,"name":"Lamp","price":30.5,"isAvailable":true,"category":"lighting","tags":["desk","brass"],\
        "description":"A lamp for a desk, with a switch at its foot and a shade of green glass.",\
        "createdAt":"2026-05-01T09:30:00Z","updatedAt":"2026-05-02T17:45:10Z"}}
        """.utf8
    )

    let transport: any Transport
    let server: URL

    /// The error of a response other than the expected one.
    struct UnexpectedResponse: Error, CustomStringConvertible {
        let description: String
    }

    /// Does the exchange once, and returns the body.
    ///
    /// - Throws: `TransportError`, or ``UnexpectedResponse`` if the status is not 200 or the body is shorter or longer.
    func callAsFunction() async throws -> Data {
        let request = HTTPRequest(method: .get, url: server.appendingPathComponent("product"))
        return try await send(request)
    }

    /// Does the exchange `count` times, with `tasks` in flight at a time, each in its own task.
    func callAsFunction(times count: Int, concurrently tasks: Int) async throws {
        let request = HTTPRequest(method: .get, url: server.appendingPathComponent("product"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<tasks {
                let share = count / tasks + (task < count % tasks ? 1 : 0)
                group.addTask {
                    for _ in 0..<share { _ = try await send(request) }
                }
            }
            try await group.waitForAll()
        }
    }

    private func send(_ request: HTTPRequest) async throws -> Data {
        let response = try await transport.send(request)
        let body = try await response.body.collect()
        guard response.status == 200, body.count == Self.body.count else {
            throw UnexpectedResponse(description: "\(request.url) returned \(response.status) with \(body.count) bytes")
        }
        return body
    }
}
