import Foundation

/// An envelope of articles for a decoder that converts keys and parses dates.
struct DatedEnvelope: Codable, Hashable, Sendable {
    let data: [DatedArticle]
    let meta: Meta

    struct Meta: Codable, Hashable, Sendable {
        let page: Int
        let perPage: Int
        let total: Int
        let requestId: String
    }
}

/// An article with Swift names and `Date` values.
struct DatedArticle: Codable, Hashable, Sendable {
    let id: Int
    let name: String
    let description: String?
    let price: Double
    let stock: Int
    let isAvailable: Bool
    let isFeatured: Bool
    let tags: [String]
    let createdAt: Date
    let updatedAt: Date
    let vendor: Article.Vendor
}
