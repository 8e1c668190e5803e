/// The entities in the text of a status.
struct Entities: Codable, Hashable, Sendable {
    let hashtags: [Hashtag]
    let urls: [Link]
    let userMentions: [Mention]
    let media: [Medium]?

    enum CodingKeys: String, CodingKey {
        case hashtags
        case urls
        case userMentions = "user_mentions"
        case media
    }
}

struct Hashtag: Codable, Hashable, Sendable {
    let text: String
    let indices: [Int]
}

struct Link: Codable, Hashable, Sendable {
    let url: String
    let expandedURL: String
    let displayURL: String
    let indices: [Int]

    enum CodingKeys: String, CodingKey {
        case url
        case expandedURL = "expanded_url"
        case displayURL = "display_url"
        case indices
    }
}

struct Mention: Codable, Hashable, Sendable {
    let screenName: String
    let name: String
    let id: Int
    let idString: String
    let indices: [Int]

    enum CodingKeys: String, CodingKey {
        case screenName = "screen_name"
        case name
        case id
        case idString = "id_str"
        case indices
    }
}

struct Medium: Codable, Hashable, Sendable {
    let id: Int
    let idString: String
    let indices: [Int]
    let mediaURL: String
    let mediaURLHTTPS: String
    let url: String
    let displayURL: String
    let expandedURL: String
    let type: String
    let sizes: Sizes

    struct Sizes: Codable, Hashable, Sendable {
        let thumb: Size
        let small: Size
        let medium: Size
        let large: Size
    }

    struct Size: Codable, Hashable, Sendable {
        let w: Int
        let h: Int
        let resize: Resize
    }

    enum Resize: String, Codable {
        case fit
        case crop
    }

    enum CodingKeys: String, CodingKey {
        case id
        case idString = "id_str"
        case indices
        case mediaURL = "media_url"
        case mediaURLHTTPS = "media_url_https"
        case url
        case displayURL = "display_url"
        case expandedURL = "expanded_url"
        case type
        case sizes
    }
}
