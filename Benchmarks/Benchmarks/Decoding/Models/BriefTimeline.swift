/// A timeline for a screen that shows five fields of each status.
struct BriefTimeline: Codable, Hashable, Sendable {
    let statuses: [BriefStatus]
}

struct BriefStatus: Codable, Hashable, Sendable {
    let id: Int
    let createdAt: String
    let text: String
    let retweetCount: Int
    let user: Author

    struct Author: Codable, Hashable, Sendable {
        let name: String
    }

    enum CodingKeys: String, CodingKey {
        case id
        case createdAt = "created_at"
        case text
        case retweetCount = "retweet_count"
        case user
    }
}
