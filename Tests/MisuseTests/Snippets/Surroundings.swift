/// The code around snippets: an API with entities and resources, and a type for each snippet.
enum Surroundings {
    /// The file that all snippets share.
    static let shop = """
        import Foundation
        import Waybill

        struct Product: Entity {
            let id: Int
            var name: String
            struct Draft: Encodable, Sendable { var name: String }
        }

        struct Point: Codable, Hashable, Sendable { var x = 0 }

        enum Inbox: Listable, Creatable {}

        struct Shop: API {
            let client: Client
            var products: Resource<Product, ReadWrite> { resource("products") }
            var reviews: Resource<Product, ReadOnly> { resource("reviews") }
            var messages: Resource<Product, Inbox> { resource("messages") }
        }
        """

    /// Returns the file of a snippet.
    static func file(of snippet: Snippet) -> String {
        """
        import Foundation
        import Waybill
        \(snippet.declarations)
        struct \(snippet.typeName): API {
            let client: Client
            let shop: Shop
        \(snippet.code)
        }
        """
    }
}
