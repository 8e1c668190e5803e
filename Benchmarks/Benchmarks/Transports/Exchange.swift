import Foundation
import Waybill

/// A small exchange to repeat: a `GET` with a response of a few hundred bytes of JSON.
struct Exchange: Sendable {
    /// The body of the server's response.
    static let body = Data(
        """
        {"data":{"id":7,"name":"Lamp","price":30.5,"isAvailable":true,"category":"lighting","tags":["desk","brass"],\
        "description":"A lamp for a desk, with a switch at its foot and a shade of green glass.",\
        "createdAt":"2026-05-01T09:30:00Z","updatedAt":"2026-05-02T17:45:10Z"}}
        """.utf8
    )

    /// The error for an unexpected response.
    struct UnexpectedResponse: Error, CustomStringConvertible {
        let description: String
    }

    /// A function that performs the exchange once and checks the response.
    private let exchange: @Sendable () async throws -> Void

    /// A function that performs the exchange once and returns the product in the response.
    let product: @Sendable () async throws -> ListedProduct

    /// Creates an exchange through a transport alone, which collects the body without decoding it.
    ///
    /// The exchange throws `TransportError`, or ``UnexpectedResponse`` if the status is not 200 or the body has the
    /// wrong length.
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

    /// Creates an exchange through an endpoint, from planning the call to decoding the value in its envelope.
    ///
    /// The exchange throws `APIError`, or ``UnexpectedResponse`` if the value is a different product.
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

    /// Performs the exchange `count` times, in `tasks` concurrent tasks.
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
