import Foundation
import Waybill

/// The API of a small shop: everything that an app has to say about it before it can call it.
///
/// ```swift
/// let shop = Shop(url, token: token)
/// let lamp = try await shop.products.create(Product.Draft(name: "Desk lamp", price: 30))
/// ```
struct Shop: API {
    let client: Client

    /// What is declared here holds for every call below, unless a resource or an endpoint says otherwise.
    init(_ url: URL, token: String, transport: some Transport = .default, middleware: (any Middleware)? = nil) {
        client = Client(url, transport: transport) {
            Authorization(.bearer(token))
            Envelope("data")  // {"data": …}
            Problem(ShopProblem.self)  // the typed body of a failed response
            if let middleware { Use(middleware) }
        }
    }

    /// The catalogue.
    ///
    /// What a resource can do is part of its type: without `ReadWrite`, `create` would not compile.
    var products: Resource<Product, ReadWrite> {
        resource("products") {
            Paginated(
                .cursor(at: "meta", "next", as: "after", size: PageSize("limit", 3), total: .value("meta", "total"))
            )
        }
    }

    /// What buyers say about a product.
    ///
    /// The id becomes one segment of the path, whatever characters are in it.
    func reviews(of product: Product.ID) -> Resource<Review, ReadOnly> {
        resource("products/\(product)/reviews")
    }

    /// The products with a text in their name.
    ///
    /// An endpoint is a value: it can be looked at, and sent.
    func search(_ text: String, below price: Decimal? = nil) -> Endpoint<[Product]> {
        endpoint {
            GET("products/search")
            Query("q", text)
            Query("below", price)  // nothing where it is nil
            Envelope("results", "items")  // in place of the client's
            Metadata(SearchSummary.self, at: "results", "summary")
        }
    }

    /// The account of whoever holds the token: a thing that exists once, so it has no id.
    var profile: Singleton<Profile, Account> { singleton("profile") }
}

/// What can be done with an account: a set of capabilities that this API names itself.
enum Account: Readable, Updatable, Patchable {}

/// Something that the shop sells.
struct Product: Entity, Equatable {
    let id: Int
    var name: String
    var price: Decimal
    var stock: Int

    /// What creating a product takes: the server gives the id.
    struct Draft: Encodable, Sendable {
        var name: String
        var price: Decimal
    }
}

/// What a buyer says about a product.
struct Review: Entity {
    let id: Int
    var stars: Int
    var text: String
}

/// Who is signed in.
struct Profile: Representation {
    var name: String
    var city: String
    var newsletter: Bool

    /// What patching takes: what is nil stays as it is.
    struct Patch: Encodable, Sendable {
        var name: String?
        var city: String?
        var newsletter: Bool?
    }
}

/// What the search says beside the products.
struct SearchSummary: Decodable, Sendable {
    let matches: Int
    let searched: Int
}

/// The body of every failed response, as `application/problem+json` (RFC 9457).
struct ShopProblem: Decodable, Sendable {
    let title: String
    let detail: String?
    let errors: [FieldError]?

    /// What is wrong with one field of what was sent.
    struct FieldError: Decodable, Sendable {
        let field: String
        let reason: String
    }
}

extension ShopProblem: CustomStringConvertible {
    /// The problem as errors print it.
    var description: String {
        let fields = (errors ?? []).map { "\($0.field): \($0.reason)" }
        return ([detail ?? title] + fields).joined(separator: "; ")
    }
}
