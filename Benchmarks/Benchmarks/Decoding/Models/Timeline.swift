/// A status in a timeline.
struct Status: Codable, Hashable, Sendable {
    let metadata: Metadata?
    let createdAt: String
    let id: Int
    let idString: String
    let text: String
    let source: String
    let truncated: Bool
    let inReplyToStatusID: Int?
    let inReplyToStatusIDString: String?
    let inReplyToUserID: Int?
    let inReplyToUserIDString: String?
    let inReplyToScreenName: String?
    let user: User
    let geo: Coordinates?
    let coordinates: Coordinates?
    let place: Place?
    let contributors: [Int]?
    let retweetedStatus: Indirect<Status>?
    let retweetCount: Int
    let favoriteCount: Int?
    let entities: Entities
    let favorited: Bool
    let retweeted: Bool
    let possiblySensitive: Bool?
    let language: String?

    struct Metadata: Codable, Hashable, Sendable {
        let resultType: ResultType
        let languageCode: String

        enum CodingKeys: String, CodingKey {
            case resultType = "result_type"
            case languageCode = "iso_language_code"
        }
    }

    enum ResultType: String, Codable {
        case recent
        case popular
        case mixed
    }

    enum CodingKeys: String, CodingKey {
        case metadata
        case createdAt = "created_at"
        case id
        case idString = "id_str"
        case text
        case source
        case truncated
        case inReplyToStatusID = "in_reply_to_status_id"
        case inReplyToStatusIDString = "in_reply_to_status_id_str"
        case inReplyToUserID = "in_reply_to_user_id"
        case inReplyToUserIDString = "in_reply_to_user_id_str"
        case inReplyToScreenName = "in_reply_to_screen_name"
        case user
        case geo
        case coordinates
        case place
        case contributors
        case retweetedStatus = "retweeted_status"
        case retweetCount = "retweet_count"
        case favoriteCount = "favorite_count"
        case entities
        case favorited
        case retweeted
        case possiblySensitive = "possibly_sensitive"
        case language = "lang"
    }
}

/// A box that lets a structure contain a value of the same type.
indirect enum Indirect<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    case value(Value)

    init(from decoder: any Decoder) throws { self = .value(try Value(from: decoder)) }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .value(let value): try value.encode(to: encoder)
        }
    }
}

/// The location from which a status was posted.
struct Place: Codable, Hashable, Sendable {
    let id: String
    let url: String
    let placeType: String
    let name: String
    let fullName: String
    let countryCode: String
    let country: String
    let boundingBox: BoundingBox

    struct BoundingBox: Codable, Hashable, Sendable {
        let type: String
        let coordinates: [[[Double]]]
    }

    enum CodingKeys: String, CodingKey {
        case id
        case url
        case placeType = "place_type"
        case name
        case fullName = "full_name"
        case countryCode = "country_code"
        case country
        case boundingBox = "bounding_box"
    }
}

struct Coordinates: Codable, Hashable, Sendable {
    let type: String
    let coordinates: [Double]
}

/// A social network's search results, with every key of every status.
struct Timeline: Codable, Hashable, Sendable {
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

/// A timeline reduced to five fields per status.
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
