/// A search in a social network: every key of every status.
struct AnyClock: Codable, Hashable, Sendable {
    let statuses: [Status]
    let searchMetadata: SearchMetadata

    enum CodingKeys: String, CodingKey {
        case statuses
        case searchMetadata = "search_metadata"
    }
}

struct SearchMetadata: Codable, Hashable, Sendable {
    let completedIn: Double
    let maxID: Int
    let maxIDString: String
    let nextResults: String?
    let query: String
    let refreshURL: String
    let count: Int
    let sinceID: Int

    enum CodingKeys: String, CodingKey {
        case completedIn = "completed_in"
        case maxID = "max_id"
        case maxIDString = "max_id_str"
        case nextResults = "next_results"
        case query
        case refreshURL = "refresh_url"
        case count
        case sinceID = "since_id"
    }
}
