import Foundation
import Waybill

/// The API of a small shop: everything an app must declare to call it.
///
/// ```swift
/// let shop = Shop(url, token: token)
/// let lamp = try await shop.products.create(Product.Draft(name: "Desk lamp", price: 30))
/// ```
struct Shop: API {
    let client: Client

    /// Creates the API, with clauses that apply to every call below unless a resource or an endpoint overrides them.
    init(_ url: URL, token: String, transport: some Transport = .default, middleware: (any Middleware)? = nil) {
        client = Client(url, transport: transport) {
            Authorization(.bearer(token))
            Envelope("data")  // {"data": …}
            Problem(ShopProblem.self)  // the typed body of a failed response
            if let middleware { Use(middleware) }
        }
    }

    /// The product catalog.
    ///
    /// The type of a resource includes its operations: without `ReadWrite`, `create` would not compile.
    var products: Resource<Product, ReadWrite> {
        resource("products") {
            Paginated(
                .cursor(at: "meta", "next", as: "after", size: .query("limit", 3), total: .value("meta", "total"))
            )
        }
    }

    /// Returns the reviews of a product.
    ///
    /// The id becomes a single path segment, regardless of its characters.
    func reviews(of product: Product.ID) -> Resource<Review, ReadOnly> {
        resource("products/\(product)/reviews")
    }

    /// Returns an endpoint that uploads a photo of a product, as a multipart form with a known length.
    func addPhoto(_ photo: Data, of product: Product.ID) -> Endpoint<Photo> {
        endpoint {
            POST("products/\(product)/photos")
            Multipart {
                Multipart.Part("title", "Seen from the front")
                Multipart.Part("photo", photo, fileName: "front.jpg", contentType: "image/jpeg")
            }
        }
    }

    /// Returns an endpoint that searches for products by name.
    ///
    /// An endpoint is a value that can be inspected as well as sent.
    func search(_ text: String, below price: Decimal? = nil) -> Endpoint<[Product]> {
        endpoint {
            GET("products/search")
            Query("q", text)
            Query("below", price)  // nothing if it is nil
            Envelope("results", "items")  // in place of the client's
            Metadata(SearchSummary.self, at: "results", "summary")
        }
    }

    /// The profile of the token's user: a singleton, which has no id.
    var profile: Singleton<Profile, Account> { singleton("profile") }
}

/// The operations on an account: a custom set of capabilities.
enum Account: Readable, Updatable, Patchable {}

/// A product that the shop sells.
struct Product: Entity, Equatable {
    let id: Int
    var name: String
    var price: Decimal
    var stock: Int

    /// The body that creates a product; the server assigns the id.
    struct Draft: RequestContent {
        var name: String
        var price: Decimal
    }
}

/// A photo of a product.
struct Photo: ResponseContent {
    let bytes: Int
}

/// A buyer's review of a product.
struct Review: Entity {
    let id: Int
    var stars: Int
    var text: String
}

/// The profile of the signed-in user.
struct Profile: Representation {
    var name: String
    var city: String
    var newsletter: Bool

    /// The body of a patch; members that are nil stay unchanged.
    struct Patch: RequestContent {
        var name: String?
        var city: String?
        var newsletter: Bool?
    }
}

/// The metadata of a search, returned alongside the products.
struct SearchSummary: ResponseContent {
    let matches: Int
    let searched: Int
}

/// The body of every error response, in `application/problem+json` (RFC 9457).
struct ShopProblem: ResponseContent {
    let title: String
    let detail: String?
    let errors: [FieldError]?

    /// The error of one field in a request body.
    struct FieldError: ResponseContent {
        let field: String
        let reason: String
    }
}

extension ShopProblem: CustomStringConvertible {
    /// The text of the problem in error messages.
    var description: String {
        let fields = (errors ?? []).map { "\($0.field): \($0.reason)" }
        return ([detail ?? title] + fields).joined(separator: "; ")
    }
}
