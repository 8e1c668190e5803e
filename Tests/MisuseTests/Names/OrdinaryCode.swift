import Testing

/// Ordinary app code in a file that imports another module beside Waybill.
struct OrdinaryCode: Sendable, CustomTestStringConvertible {
    let modules: [String]
    let code: String

    var testDescription: String { "beside \(modules.joined(separator: " and "))" }

    var file: (name: String, text: String) {
        let name = "Ordinary\(modules.joined())"
        let imports = (["Foundation", "Waybill"] + modules).sorted().map { "import \($0)" }.joined(separator: "\n")
        return ("\(name).swift", "\(imports)\nenum \(name) {\n\(code)\n}")
    }
}

extension OrdinaryCode {
    /// One piece of code for each module; `Shop` is declared in a file that imports only Waybill.
    static let all: [OrdinaryCode] = [
        OrdinaryCode(
            modules: ["SwiftUI"],
            code: """
                struct ProductsView: View {
                    let shop: Shop
                    @State private var products: [Product] = []
                    @State private var page: Page<Product>?
                    var body: some View {
                        List(products) { Text($0.name) }
                            .task {
                                do throws(APIError) {
                                    let first = try await shop.products.page()
                                    page = first
                                    products = first.items
                                } catch { print(error) }
                            }
                    }
                }
                struct Draft: RequestContent { var name: String }
                struct Note: JSONEntity {
                    var fields: [String: JSONValue]
                    init(fields: [String: JSONValue]) { self.fields = fields }
                }
                struct Catalogue: API {
                    let client: Client
                    var products: Resource<Product, ReadWrite> { resource("products") }
                    func add(_ draft: Draft) -> Endpoint<Product> {
                        endpoint {
                            POST("products")
                            Query("notify", true)
                            Header("X-App", "1")
                            Body(draft)
                        }
                    }
                }
                """
        ),
        OrdinaryCode(
            modules: ["SwiftData", "SwiftUI"],
            code: """
                final class Saved: PersistentModel { var name = "" }
                struct SavedView: View {
                    @Query(sort: \\Saved.name) private var sorted: [Saved] = []
                    @Query private var saved: [Saved] = []
                    var body: some View { Text("") }
                }
                struct Catalogue: API {
                    let client: Client
                    func search(_ text: String, limit: Int?) -> Endpoint<[Product]> {
                        endpoint {
                            GET("products")
                            Query("q", text)
                            Query("limit", limit)
                        }
                    }
                }
                """
        ),
        OrdinaryCode(
            modules: ["RealityKit"],
            code: """
                @MainActor static func show(_ shop: Shop) async throws {
                    let entity = Entity()
                    entity.name = try await shop.products.read(1).name
                }
                """
        ),
        OrdinaryCode(
            modules: ["ComposableArchitecture"],
            code: """
                struct Counter: Reducer {
                    typealias State = Int
                    typealias Action = Bool
                    var body: Never { fatalError() }
                }
                struct Feature: Reducer {
                    struct State { var count = 0 }
                    enum Action { case count(Bool) }
                    let shop: Shop
                    var body: some Reducer {
                        Scope(state: \\State.count, action: Action.count) { Counter() }
                    }
                    func read() async throws(APIError) -> Product { try await shop.products.read(1) }
                }
                """
        ),
        OrdinaryCode(
            modules: ["HTTPTypes"],
            code: """
                static func search(_ client: Client) -> Endpoint<[Product]> {
                    client.endpoint {
                        GET("products")
                        Header(.accept, "application/json")
                        Header("X-App", "1")
                    }
                }
                """
        ),
        OrdinaryCode(
            modules: ["OpenAPIRuntime"],
            code: "static func read(_ shop: Shop) async throws -> Product { try await shop.products.read(1) }"
        ),
        OrdinaryCode(
            modules: ["Hummingbird"],
            code: """
                static func routes(_ shop: Shop) -> Router {
                    let router = Router()
                    router.get("products") { _, _ in
                        let response = try await shop.products.endpoints.read(1).response()
                        print(response.value.name, response.status)
                        return Response(status: .ok)
                    }
                    return router
                }
                """
        ),
        OrdinaryCode(
            modules: ["Vapor"],
            code: """
                static func purge(_ shop: Shop) async throws(APIError) {
                    try await shop.endpoint { Route("PURGE", "cache") }.send()
                }
                """
        ),
        OrdinaryCode(
            modules: ["FluentKit"],
            code: """
                static let shelves = Paginated.Scheme("shelf") { page in
                    try page.value(at: "next")?.stringValue.map { Paginated.Scheme.Request(query: ["shelf": $0]) }
                }
                static func names(_ shop: Shop) async throws -> [String] {
                    let page = try await shop.products.page()
                    return page.items.map(\\.name)
                }
                """
        ),
        OrdinaryCode(
            modules: ["GRDB"],
            code: """
                struct Note: JSONEntity {
                    var fields: [String: JSONValue]
                    init(fields: [String: JSONValue]) { self.fields = fields }
                }
                struct Saved: FetchableRecord {
                    var cursor: Data?
                    init(row: Row) throws {}
                }
                static func refresh(_ shop: Shop, _ saved: inout Saved) async throws {
                    let page = try await shop.products.page()
                    saved.cursor = try page.next.map { try JSONEncoder().encode($0) }
                }
                """
        ),
        OrdinaryCode(
            modules: ["Get"],
            code: """
                static func read(_ shop: Shop) async -> Product? {
                    do { return try await shop.products.read(1) } catch {
                        if case .status(let failure) = error { print(failure.status) }
                        return nil
                    }
                }
                """
        ),
    ]
}
