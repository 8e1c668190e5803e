import Foundation
import Waybill

/// The small exchange that is repeated: a `GET` that is answered with a few hundred bytes of JSON.
struct Exchange: Sendable {
    /// What the server answers.
    static let body = Data(
        """
        {"data":{"id":7,"name":"Lamp","price":30.5,"isAvailable":true,"category":"lighting","tags":["desk","brass"],\
        "description":"A lamp for a desk, with a switch at its foot and a shade of green glass.",\
        "createdAt":"2026-05-01T09:30:00Z","updatedAt":"2026-05-02T17:45:10Z"}}
        """.utf8
    )

    let transport: any Transport
    let server: URL

    /// The server's answer was not the one that it is set up to give.
    struct WrongAnswer: Error, CustomStringConvertible {
        let description: String
    }

    /// Does it once, and returns the body.
    ///
    /// - Throws: `TransportError`, or ``WrongAnswer`` where the status is not 200 or the body is shorter or longer.
    func callAsFunction() async throws -> Data {
        let request = HTTPRequest(method: .get, url: server.appendingPathComponent("product"))
        return try await send(request)
    }

    /// Does it so many times, with so many under way at a time, each on its own task.
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
            throw WrongAnswer(description: "\(request.url) answered \(response.status) with \(body.count) bytes")
        }
        return body
    }
}
