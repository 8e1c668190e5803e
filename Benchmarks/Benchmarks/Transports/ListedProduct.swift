import Foundation

/// The product in small exchanges, and the element of streamed lists and events.
struct ListedProduct: Codable, Hashable, Identifiable, Sendable {
    let id: Int
    let name: String
    let price: Double
    let isAvailable: Bool
    let category: String
    let tags: [String]
    let description: String
    let createdAt: String
    let updatedAt: String?

    /// Returns the JSON text of an element.
    static func json(_ id: Int) -> String {
        """
        {"id":\(id),"name":"Lamp \(id)","price":\(id / 7).5,"isAvailable":\(id % 3 == 0),"category":"lighting",\
        "tags":["desk","brass"],"description":"A lamp for a desk, with a switch at its foot and a shade of glass.",\
        "createdAt":"2026-05-01T09:30:00Z","updatedAt":"2026-05-02T17:45:10Z"}
        """
    }

    /// Decodes the product from an enveloped response with Foundation's decoder.
    init(enveloped data: Data) throws {
        struct Response: Decodable {
            let data: ListedProduct
        }
        self = try JSONDecoder().decode(Response.self, from: data).data
    }
}
