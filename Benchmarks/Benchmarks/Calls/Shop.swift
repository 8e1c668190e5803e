import Foundation
import Waybill

/// The measured API, declared as in an app: properties and functions create each endpoint anew.
struct Shop: API {
    let client: Client

    init(_ url: URL, responseBody body: Data) {
        client = Client(url, transport: PreparedTransport(body)) {
            Authorization(.bearer("token"))
            Envelope("data")
            Problem(ShopProblem.self)
        }
    }

    /// Creates an API whose client has only an envelope and the given clauses.
    init(_ url: URL, responseBody body: Data, @Scope.Builder options: () -> Scope) {
        let scope = options()
        client = Client(url, transport: PreparedTransport(body)) {
            Envelope("data")
            scope
        }
    }

    var products: Resource<Product, ReadWrite> {
        resource("products") {
            Paginated(.cursor(at: "meta", "next", as: "after"))
        }
    }

    func related(to product: Product.ID) -> Endpoint<Product> {
        endpoint {
            GET("products/\(product)")
            Header("X-Request-ID", "6f1c")
            Query("limit", 20)
        }
    }

    func review(of product: Product.ID, by author: String, limit: Int?) -> Endpoint<Product> {
        endpoint {
            GET("products/\(product)/reviews/\(author)")
            Query("since", 20_260_501)
            if let limit { Query("limit", limit) }
            Query("sort", "newest first")
            Header("X-Request-ID", "6f1c")
            Header("X-Client", "benchmarks")
        }
    }
}

struct Product: Entity, Hashable {
    let id: Int
    var name: String
    var price: Double
    var isAvailable: Bool

    struct Draft: Codable, Sendable {
        var name: String
        var price: Double
        var isAvailable: Bool

        static let lamp = Draft(name: "Lamp", price: 30.5, isAvailable: true)
    }
}

struct ShopProblem: Decodable, Sendable {
    var message: String
}
