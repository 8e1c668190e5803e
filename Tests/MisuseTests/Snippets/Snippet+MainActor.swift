extension Snippet {
    /// Lines that must compile in a module whose default isolation is the main actor.
    static let mainActor = [
        Snippet(
            "content of requests and responses",
            declaring: """
                private struct Summary: ResponseContent { let total: Int }
                private struct Rating: RequestContent { var stars: Int }
                private struct ShopProblem: ResponseContent, CustomStringConvertible {
                    let title: String
                    var description: String { title }
                }
                """,
            """
                private static func client(_ url: URL) -> Client {
                    Client(url) {
                        Problem(ShopProblem.self)
                        Problem(ShopProblem.self, on: .success, when: { $0.title == "failed" })
                        Metadata(Summary.self, at: "summary")
                    }
                }
                private var summary: Endpoint<Summary> { endpoint { GET("summary") } }
                private var summaries: Endpoint<[Summary]> { endpoint { GET("summaries") } }
                private func rate(_ rating: Rating) -> Endpoint<Void> {
                    endpoint {
                        POST("ratings")
                        Body(rating)
                    }
                }
                private func run() async throws(APIError) -> Summary {
                    try await client.post("ratings", body: Rating(stars: 5), as: Summary.self)
                }
            """
        ),
        Snippet(
            "a nonisolated type",
            declaring: "private nonisolated struct Summary: Decodable { let total: Int }",
            """
                private var summary: Endpoint<Summary> { endpoint { GET("summary") } }
            """
        ),
        Snippet(
            "plain types as properties",
            declaring: """
                private enum Size: String, Codable { case small, large }
                private struct Price: Codable { var amount: Int }
                private struct Lamp: Entity {
                    let id: Int
                    var size: Size
                    var price: Price?
                }
                """,
            """
                private var lamps: Resource<Lamp, ReadWrite> { resource("lamps") }
            """
        ),
        Snippet(
            "values in an entity that is Hashable",
            declaring: """
                private enum Binding: String, Codable { case paper, cloth }
                private struct Publisher: Representation, Hashable { var name: String }
                private struct Book: Entity, Hashable {
                    let id: Int
                    var author: Author
                    var publisher: Publisher
                    var binding: Binding
                    struct Author: Codable, Hashable { var name: String }
                }
                """,
            """
                private var books: Resource<Book, ReadWrite> { resource("books") }
            """
        ),
        Snippet(
            "an id and a query value of types of their own",
            declaring: """
                private struct Code: Codable, Hashable, PathSegmentConvertible {
                    let text: String
                    static func pathSegment(of value: Code) -> String { value.text }
                }
                private struct Order: QueryValue {
                    let field: String
                    static func queryText(of value: Order) -> String? { value.field }
                }
                private struct Place: Entity { let id: Code }
                """,
            """
                private func places(_ order: Order) -> Endpoint<[Place]> {
                    endpoint {
                        GET("places")
                        Query("order", order)
                    }
                }
            """
        ),
        Snippet(
            "capabilities and settings and a middleware and extensions",
            declaring: """
                private enum Outbox: Creatable, Deletable {}
                private struct Priority: Setting { let level: Int }
                private struct Prioritized: Middleware {
                    func handle(
                        _ request: HTTPRequest,
                        of call: Call,
                        next: Next
                    ) async throws(APIError) -> HTTPResponse {
                        var request = request
                        if let priority = call.settings[Priority.self] {
                            request.headerFields[.ifMatch] = "\\(priority.level)"
                        }
                        return try await next(request)
                    }
                }
                extension Style {
                    fileprivate static let house = Style("house style") { Header("X-Client", "ios") }
                }
                nonisolated extension Paginated.Scheme {
                    fileprivate static let single = Paginated.Scheme("single") { _ in nil }
                }
                """,
            """
                private var outbox: Resource<Product, Outbox> {
                    resource("outbox") {
                        Style.house
                        Paginated(.single)
                        Use(Prioritized())
                        Priority(level: 2)
                    }
                }
            """
        ),
        Snippet(
            "closures as SwiftUI takes them",
            declaring: """
                private func task(@_inheritActorContext _ action: sending @escaping @isolated(any) () async -> Void) {}
                private func refreshable(action: @escaping @Sendable () async -> Void) {}
                private func button(action: @escaping @MainActor () -> Void) {}
                private final class Shown {
                    var products: [Product] = []
                    var message: String?
                    func show(_ products: [Product]) { self.products = products }
                }
                private struct Screen {
                    let shop: Shop
                    let shown: Shown

                    func body() {
                        task {
                            do throws(APIError) {
                                for try await product in shop.products.all { shown.products.append(product) }
                            } catch {
                                switch error {
                                case .cancelled: break
                                default: shown.message = error.description
                                }
                            }
                        }
                        refreshable {
                            do throws(APIError) {
                                await shown.show(try await shop.products.list())
                            } catch .status(let failure) where failure.isNotFound {
                                await shown.show([])
                            } catch {
                                print(error)
                            }
                        }
                        button {
                            Task {
                                do throws(APIError) {
                                    try await shop.products.delete(7)
                                } catch {
                                    shown.message = error.description
                                }
                            }
                        }
                    }
                }
                """,
            ""
        ),
        Snippet(
            "a model that calls from a task",
            declaring: """
                private final class Products {
                    let shop: Shop
                    var products: [Product] = []
                    var message: String?
                    init(_ shop: Shop) { self.shop = shop }

                    func load() {
                        Task {
                            do throws(APIError) {
                                for try await product in shop.products.all { products.append(product) }
                                var pages = shop.products.pages.makeAsyncIterator()
                                while let page = try await pages.next() { products += page.items }
                                products += try await shop.client.get("more", as: [Product].self) {
                                    Query("offset", products.count)
                                }
                            } catch {
                                switch error {
                                case .status(let failure): message = "\\(failure.status)"
                                case .cancelled: break
                                default: message = "\\(error)"
                                }
                            }
                        }
                    }
                }
                """,
            ""
        ),
    ]
}
