import Foundation
import Waybill
import WaybillDescription
import WaybillTesting
import WaybillTransfers

/// The API shared by the description tests.
struct Shop: DescribedAPI {
    let client: Client

    init(
        _ url: URL = URL(filePath: "/"),
        transport: (any Transport)? = nil,
        drift: DriftDetector? = nil
    ) {
        let base = url.isFileURL ? URL(string: "https://shop.example/v1") ?? url : url
        client =
            transport.map { Client(base, transport: $0) { Self.clauses(drift) } }
            ?? Client(base) { Self.clauses(drift) }
    }

    @Scope.Builder private static func clauses(_ drift: DriftDetector?) -> Scope {
        Envelope("data")
        Decode(keys: .convertFromSnakeCase)
        Encode(keys: .convertToSnakeCase)
        Authorization(.bearer("a-secret-token"))
        Problem(Fault.self, on: [404, 409, 412, 415, 422])
        Problem(Problem.Details.self)
        if let drift { Observe(drift) }
    }

    struct Product: Entity, Equatable {
        var id: Int
        var name: String
        var unitPrice: Decimal
        var kind: Kind
        var tags: [String]?

        enum Kind: String, Codable, Sendable { case lamp, rug }

        struct Draft: Codable, Sendable {
            var name: String
            var unitPrice: Decimal
        }

        struct Patch: Codable, Sendable {
            var name: String?
            var unitPrice: Decimal?
        }
    }

    struct Review: Entity, Equatable {
        var id: UUID
        var stars: Int
    }

    struct Profile: Representation, Equatable {
        var name: String
        var email: String
    }

    struct Totals: Decodable, Sendable, Equatable { var count: Int }

    struct Fault: Decodable, Sendable, Equatable {
        var code: String
        var message: String?
    }

    struct Chunk: Decodable, Sendable, Equatable { var text: String }

    enum Everything: Listable, Readable, Creatable, Updatable, Patchable, Deletable, BatchCreatable, BatchUpdatable {}

    var products: Resource<Product, Everything> {
        resource("products") {
            Paginated(.pageNumber(size: .query("per_page", 2), total: .value("meta", "count")))
            On(.list) { Metadata(Totals.self, at: "meta") }
        }
    }

    func reviews(of product: Int) -> Resource<Review, ReadWrite> {
        resource("products/\(product, name: "product")/reviews")
    }

    var profile: Singleton<Profile, ReadWrite> { singleton("profile") }

    func search(_ text: String, kinds: [Product.Kind] = [], since: Date? = nil) -> Endpoint<[Product]> {
        endpoint {
            GET("search")
            Query("q", text)
            Query("kind", kinds, as: .commaSeparated)
            Query("since", since)
            Header("X-Trace", "7")
        }
    }

    func upload(_ photo: Data) -> Endpoint<Void> {
        endpoint {
            POST("photos")
            Multipart {
                Multipart.Part("title", "Dawn")
                Multipart.Part("photo", photo, fileName: "dawn.jpg", contentType: "image/jpeg")
            }
        }
    }

    func chat(_ prompt: String) -> Endpoint<Events<Chunk>> {
        endpoint {
            POST("chat")
            Body(["prompt": prompt])
        }
    }

    var calls: APIDescription {
        products
        reviews(of: 7)
        profile
        search("lamp", kinds: [.lamp, .rug])
        upload(Data([1]))
    }
}

extension Shop.Product {
    static let lamp = Self(id: 1, name: "Lamp", unitPrice: 20, kind: .lamp, tags: ["new"])
    static let rug = Self(id: 2, name: "Rug", unitPrice: 80, kind: .rug)
    static let rack = Self(id: 3, name: "Rack", unitPrice: 45, kind: .rug)
}
