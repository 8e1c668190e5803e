import Foundation
import Waybill
import WaybillTesting

/// The shop's server: a small REST service that keeps its products in memory.
///
/// Like a remote server, it uses none of the types of ``Shop``, only JSON.
actor ShopServer {
    /// The token that requests must send.
    static let token = "open-sesame"

    private var products: [Int: JSONValue] = [
        1: ["id": 1, "name": "Floor lamp", "price": 89.5, "stock": 3],
        2: ["id": 2, "name": "Armchair", "price": 240, "stock": 1],
        3: ["id": 3, "name": "Bookshelf", "price": 120, "stock": 7],
        4: ["id": 4, "name": "Ceiling lamp", "price": 64, "stock": 12],
        5: ["id": 5, "name": "Rug", "price": 75, "stock": 4],
    ]
    private var profile: JSONValue = ["name": "Ada", "city": "London", "newsletter": true]

    /// The responses of the service, for a server or a stub.
    nonisolated var responses: StubResponses {
        [
            "GET products": respond { await $0.list(after: $1.query("after"), limit: $1.query("limit")) },
            "POST products": respond { try await $0.create($1.decode()) },
            "GET products/search": respond { await $0.search($1.query("q") ?? "", below: $1.query("below")) },
            "GET products/{}": respond { await $0.read($1.id) },
            "PUT products/{}": respond { try await $0.replace($1.id, by: $1.decode()) },
            "PATCH products/{}": respond { try await $0.patch($1.id, with: $1.decode()) },
            "DELETE products/{}": respond { await $0.delete($1.id) },
            "GET products/{}/reviews": respond { await $0.reviews(of: $1.id) },
            "POST products/{}/photos": respond { _, request in
                .data(["bytes": .integer(request.body.count)], status: 201)
            },
            "GET offers": respond { _, _ in Self.offers },
            "GET profile": respond { shop, _ in await .data(shop.profile) },
            "PUT profile": respond { try await $0.replaceProfile(by: $1.decode()) },
            "PATCH profile": respond { try await $0.patchProfile(with: $1.decode()) },
        ]
    }

    /// Returns a responder that rejects requests without the token.
    private nonisolated func respond(
        _ handle: @escaping @Sendable (ShopServer, ReceivedRequest) async throws -> StubResponse
    ) -> Responder {
        .response { request in
            guard request.headerFields[.authorization] == "Bearer \(Self.token)" else {
                return .problem(401, "Unauthorized", detail: "the token is missing or unknown")
            }
            do {
                return try await handle(self, request)
            } catch let error as DecodingError {
                return .problem(400, "Bad request", detail: "the body is not JSON: \(error)")
            }
        }
    }
}

// One product.
extension ShopServer {
    private func create(_ draft: JSONValue) -> StubResponse {
        if let rejection = Self.rejection(of: draft) { return rejection }
        let id = (products.keys.max() ?? 0) + 1
        let product = draft.applying(mergePatch: ["id": .integer(id), "stock": 0])
        products[id] = product
        return .data(product, status: 201).header("Location", "/products/\(id)")
    }

    private func read(_ id: Int?) -> StubResponse {
        guard let id, let product = products[id] else { return .noSuchProduct }
        return .data(product)
    }

    private func replace(_ id: Int?, by product: JSONValue) -> StubResponse {
        guard let id, products[id] != nil else { return .noSuchProduct }
        if let rejection = Self.rejection(of: product) { return rejection }
        products[id] = product.applying(mergePatch: ["id": .integer(id)])
        return read(id)
    }

    private func patch(_ id: Int?, with changes: JSONValue) -> StubResponse {
        guard let id, let product = products[id] else { return .noSuchProduct }
        return replace(id, by: product.applying(mergePatch: changes))
    }

    private func delete(_ id: Int?) -> StubResponse {
        guard let id, products.removeValue(forKey: id) != nil else { return .noSuchProduct }
        return .status(204)
    }

    /// Returns the error response to an invalid product, or nil if the product is valid.
    private nonisolated static func rejection(of product: JSONValue) -> StubResponse? {
        var errors: [JSONValue] = []
        if product["name"]?.stringValue?.isEmpty ?? true {
            errors.append(["field": "name", "reason": "must not be empty"])
        }
        if product["price"]?.decimalValue.map({ $0 <= 0 }) ?? true {
            errors.append(["field": "price", "reason": "must be greater than 0"])
        }
        guard !errors.isEmpty else { return nil }
        return .problem(422, "Validation failed", detail: "the product is not valid", ["errors": .array(errors)])
    }
}

// Several products, their reviews, and the profile.
extension ShopServer {
    private var catalogue: [(id: Int, product: JSONValue)] {
        products.sorted { $0.key < $1.key }.map { (id: $0.key, product: $0.value) }
    }

    private func list(after cursor: String?, limit: String?) -> StubResponse {
        let last = cursor.flatMap { Int($0) } ?? 0
        let rest = catalogue.filter { $0.id > last }
        let page = rest.prefix(max(1, limit.flatMap { Int($0) } ?? 50))
        let next = page.count < rest.count ? page.last.map { JSONValue.string("\($0.id)") } : nil
        let meta: JSONValue = ["next": next ?? .null, "total": .integer(products.count)]
        return .json(["data": .array(page.map(\.product)), "meta": meta] as JSONValue)
    }

    private func search(_ text: String, below limit: String?) -> StubResponse {
        let limit = limit.flatMap { Decimal(string: $0) }
        let hits = catalogue.map(\.product).filter { product in
            let name = product["name"]?.stringValue ?? ""
            guard let price = product["price"]?.decimalValue else { return false }
            return name.lowercased().contains(text.lowercased()) && limit.map { price < $0 } ?? true
        }
        let summary: JSONValue = ["matches": .integer(hits.count), "searched": .integer(products.count)]
        return .json(["results": ["items": .array(hits), "summary": summary]] as JSONValue)
    }

    private func reviews(of id: Int?) -> StubResponse {
        guard let id, products[id] != nil else { return .noSuchProduct }
        return .data([["id": 1, "stars": 5, "text": "Bright enough to read by"]])
    }

    /// A body with a typical mismatch between client and server: the second product has `names` instead of `name`.
    private nonisolated static let offers: StubResponse = .data([
        ["id": 1, "name": "Floor lamp", "price": 69, "stock": 2],
        ["id": 5, "names": "Rug", "price": 60, "stock": 4],
    ])

    private func replaceProfile(by profile: JSONValue) -> StubResponse {
        self.profile = profile
        return .data(profile)
    }

    private func patchProfile(with changes: JSONValue) -> StubResponse {
        replaceProfile(by: profile.applying(mergePatch: changes))
    }
}

nonisolated extension ReceivedRequest {
    /// The id in the path; nil if it is not a number.
    fileprivate var id: Int? { pathValues.first.flatMap { Int($0) } }
}

// Nonisolated, because the server actor uses them.
nonisolated extension StubResponse {
    /// Creates a response with a value in the envelope that this service uses for everything except search results.
    fileprivate static func data(_ value: JSONValue, status: HTTPResponse.Status = 200) -> StubResponse {
        .json(["data": value] as JSONValue, status: status)
    }

    fileprivate static let noSuchProduct = problem(404, "Not found", detail: "there is no such product")

    /// Creates an error response with a problem (RFC 9457).
    fileprivate static func problem(
        _ status: HTTPResponse.Status,
        _ title: String,
        detail: String,
        _ more: JSONValue = [:]
    ) -> StubResponse {
        let body: JSONValue = ["title": .string(title), "status": .integer(status.code), "detail": .string(detail)]
        return .json(
            body.applying(mergePatch: more),
            status: status,
            headers: [HTTPField(name: .contentType, value: "application/problem+json")]
        )
    }
}
