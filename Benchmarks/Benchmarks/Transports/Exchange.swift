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

    /// The error of a response other than the expected one.
    struct UnexpectedResponse: Error, CustomStringConvertible {
        let description: String
    }

    /// The function that does the exchange once, and checks the response.
    private let exchange: @Sendable () async throws -> Void

    /// The function that does the exchange once, and returns the product of the response.
    let product: @Sendable () async throws -> ListedProduct

    /// Creates the exchange of a transport alone: the body is collected, and not decoded.
    ///
    /// It throws `TransportError`, or ``UnexpectedResponse`` if the status is not 200 or the body is shorter or longer.
    init(transport: any Transport, server: URL) {
        let request = HTTPRequest(method: .get, url: server.appendingPathComponent("product"))
        @Sendable func send() async throws -> Data {
            let response = try await transport.send(request)
            let body = try await response.body.collect()
            guard response.status == 200, body.count == Self.body.count else {
                throw UnexpectedResponse(
                    description: "\(request.url) returned \(response.status) with \(body.count) bytes"
                )
            }
            return body
        }
        exchange = { _ = try await send() }
        product = { try ListedProduct(enveloped: try await send()) }
    }

    /// Creates the exchange of an endpoint, whose client has some clauses: from its declaration to the decoded value
    /// behind an envelope.
    ///
    /// It throws `APIError`, or ``UnexpectedResponse`` if the value is another product.
    init(
        endpointOver transport: some Transport,
        server: URL,
        @Scope.Builder _ clauses: () -> Scope = { Scope() }
    ) {
        let endpoint: Endpoint<ListedProduct> = Client(server, transport: transport, clauses).endpoint {
            GET("product")
            Envelope("data")
        }
        product = { try await endpoint.send() }
        exchange = {
            let product = try await endpoint.send()
            guard product.id == 7 else { throw UnexpectedResponse(description: "\(product) is another product") }
        }
    }

    /// Does the exchange `count` times, with `tasks` in flight at a time, each in its own task.
    func callAsFunction(times count: Int, concurrently tasks: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<tasks {
                let share = count / tasks + (task < count % tasks ? 1 : 0)
                group.addTask {
                    for _ in 0..<share { try await exchange() }
                }
            }
            try await group.waitForAll()
        }
    }
}
