/// A small entity.
struct Article: Codable, Hashable, Sendable {
    let id: Int
    let name: String
    let description: String?
    let price: Double
    let stock: Int
    let isAvailable: Bool
    let isFeatured: Bool
    let tags: [String]
    let createdAt: String
    let updatedAt: String
    let vendor: Vendor

    struct Vendor: Codable, Hashable, Sendable {
        let id: Int
        let name: String
        let country: String
    }

    enum CodingKeys: String, CodingKey {
        case id
        case name
        case description
        case price
        case stock
        case isAvailable = "is_available"
        case isFeatured = "is_featured"
        case tags
        case createdAt = "created_at"
        case updatedAt = "updated_at"
        case vendor
    }
}
